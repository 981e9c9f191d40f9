import { expect, test } from 'vitest'
import { gatewayInProcess } from '../testing/gateway-in-process.ts'

const ASKS = '{ tools: { approvals: "destructive" }, approvals: { holdMs: 60000 } }'
const code = `return await tools.call('plugin:demo:void_invoice', { invoice_id: 'inv-1004', reason: 'twice' })`

test('what was decided in a run whose end was lost counts for no other run of its id', async () => {
  const { ask, admin, gateway } = await gatewayInProcess({ config: ASKS })
  const run = (id: string) => ask(admin, { method: 'POST', url: '/v1/runs', body: { id, code } })
  const running = run('run_first_of_all')
  const newest = async () => (await gateway.store.approvals.list('default', { limit: 1 }))[0]
  await expect.poll(newest, { timeout: 20_000 }).toBeDefined()
  const asked = await newest()
  if (asked === undefined) throw new Error('nobody was asked')
  const url = `/v1/approvals/${asked.id}/decision`
  await ask(admin, { method: 'POST', url, body: { decision: 'allow-once' } })
  expect((await running).body.status).toBe('completed')
  // As after a crash or on a full disk: the decision stands, and the run is nowhere.
  const allowed = await newest()
  if (allowed === undefined) throw new Error('the decision was not kept')
  const lost = { ...allowed, id: 'apr_00000000000000aa', runId: 'run_lost_at_last', callId: 'run_lost_at_last/1' }
  await gateway.store.approvals.add({ approval: lost, isParked: false }, [])
  const again = await run('run_lost_at_last')
  expect([again.status, again.body.error?.code]).toEqual([409, 'conflict'])
  expect(await gateway.store.listReceipts('default', 10)).toHaveLength(2)
})

test('a run that waited goes on though programs may not be as long any more', async () => {
  const before = await gatewayInProcess({ config: '{ tools: { approvals: "destructive" }, approvals: { holdMs: 0 } }' })
  const long = `// ${'long '.repeat(80)}\n${code}`
  const { body } = await before.ask(before.admin, { method: 'POST', url: '/v1/runs', body: { code: long } })
  expect(body.status).toBe('waiting')
  await before.stop()
  const short = '{ tools: { approvals: "destructive" }, sandbox: { sourceBytes: 256 } }'
  const { ask } = await gatewayInProcess({ config: short, folder: before.folder })
  const url = `/v1/approvals/${body.pending[0].approval}/decision`
  await ask(before.admin, { method: 'POST', url, body: { decision: 'allow-once' } })
  const run = async () => (await ask(before.admin, { url: `/v1/runs/${body.id}` })).body
  await expect.poll(run, { timeout: 20_000 }).not.toMatchObject({ status: 'waiting' })
  expect(await run()).toMatchObject({ status: 'completed', calls: [{ outcome: 'ok' }] })
})
