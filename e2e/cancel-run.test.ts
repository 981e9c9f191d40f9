import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { startGateway } from './testing/gateway-process.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.remove())

test('a run with an id of the client is cancelled by it, and its record says so', async () => {
  const id = 'run_chosen-by-the-client'
  const running = gateway.api.run('await new Promise((done) => setTimeout(done, 9000)); return 1', { id })
  let cancel = await gateway.api.post(`/v1/runs/${id}/cancel`, {})
  while (cancel.status === 404) cancel = await gateway.api.post(`/v1/runs/${id}/cancel`, {})
  expect(cancel.status).toBe(202)
  expect(await running).toMatchObject({ id, status: 'failed', error: { code: 'cancelled' } })
  expect((await gateway.api.get(`/v1/runs/${id}`)).body).toMatchObject({ status: 'failed' })
  expect((await gateway.api.post(`/v1/runs/${id}/cancel`, {})).body).toMatchObject({ status: 'failed' })
})

test('an id that is taken or has another form is refused', async () => {
  const id = 'run_used-once-only'
  expect(await gateway.api.run('return 1', { id })).toMatchObject({ id, value: 1 })
  expect((await gateway.api.post('/v1/runs', { code: 'return 2', id })).status).toBe(409)
  expect((await gateway.api.post('/v1/runs', { code: 'return 2', id: '../x' })).status).toBe(400)
})
