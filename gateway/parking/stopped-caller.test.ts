import { expect, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import type { InProcess } from '../testing/gateway-in-process.ts'
import { gatewayInProcess } from '../testing/gateway-in-process.ts'

const ASKS = (agents: string): string =>
  `{ agents: ${agents}, tools: { approvals: 'destructive' }, approvals: { holdMs: 0 } }`
const REFUND = { invoice_id: 'inv-1001', amount_cents: 100, reason: 'damaged' }
const PROGRAM = `
  const outcomes = []
  for (const invoice_id of ['inv-1001', 'inv-1001']) {
    try { await tools.call('plugin:demo:refund_payment', { ...${JSON.stringify(REFUND)}, invoice_id }); outcomes.push('ok') }
    catch (error) { outcomes.push(error.code) }
  }
  return outcomes`

/** A call, a run and a turn that wait, asked for with a token of their own as agent `till`. */
async function aWorld() {
  const served = await gatewayInProcess({ config: ASKS('{ till: {} }') })
  const token = await served.makeToken({ name: 'bot', scopes: ['chat', 'tools'] })
  const headers = { 'x-drawbridge-agent': 'till', 'x-drawbridge-session': 's' }
  const post = async (url: string, body: object) =>
    (await served.ask(token, { method: 'POST', url, body, headers })).body
  const call = await post('/v1/tools/plugin%3Ademo%3Arefund_payment/call', { args: REFUND })
  const run = await post('/v1/runs', { code: PROGRAM })
  const content = 'Refund a payment of 100 cents on invoice inv-1001'
  const turn = await post('/v1/chat/completions', { model: 'drawbridge', messages: [{ role: 'user', content }] })
  const pending = [...call.pending, ...run.pending, ...turn.drawbridge.pending]
  expect(pending).toHaveLength(3)
  return { ...served, ids: { call: call.callId, run: run.id, turn: turn.drawbridge.turn }, pending }
}

type World = Awaited<ReturnType<typeof aWorld>>

async function allowAll({ ask, admin, pending }: World): Promise<void> {
  for (const { approval } of pending) {
    const body = { decision: 'allow-once' }
    await ask(admin, { method: 'POST', url: `/v1/approvals/${approval}/decision`, body })
  }
}

/** How each ended. */
async function ends({ ask, admin, ids }: World) {
  const read = async (url: string) => {
    const isOver = async (): Promise<boolean> => {
      const { status, outcome } = (await ask(admin, { url })).body
      return !['waiting', 'under-way'].includes(outcome ?? status)
    }
    await expect.poll(isOver, { timeout: 20_000 }).toBe(true)
    return (await ask(admin, { url })).body
  }
  const [call, run, turn] = [`/v1/calls/${ids.call}`, `/v1/runs/${ids.run}`, `/v1/turns/${ids.turn}`]
  return { call: await read(call), run: await read(run), turn: await read(turn) }
}

async function refunds({ ask, admin }: InProcess): Promise<number> {
  const { receipts } = (await ask(admin, { url: '/v1/receipts?last=100' })).body
  return receipts.filter(({ outcome, toolId }: { outcome?: string; toolId?: string }) => {
    return outcome === 'ok' && toolId === 'plugin:demo:refund_payment'
  }).length
}

test('what waits is not gone on with once the token that asked for it was revoked, whoever allows it', async () => {
  const world = await aWorld()
  const { tokens } = (await world.ask(world.admin, { url: '/v1/tokens' })).body
  const { id } = tokens.find(({ name }: { name: string }) => name === 'bot')
  await world.ask(world.admin, { method: 'POST', url: `/v1/tokens/${id}/revoke` })
  await allowAll(world)
  const { call, run, turn } = await ends(world)
  expect(call).toMatchObject({ outcome: 'rejected', effect: 'none', message: expect.stringContaining('revoked') })
  expect(run).toMatchObject({ status: 'completed', value: ['rejected', 'rejected'] })
  expect(turn).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(/^rejected: .*revoked/) } })
  expect(await refunds(world)).toBe(0)
})

test('nor once its agent is configured no more; who decides later finds that', async () => {
  const world = await aWorld()
  const config = await readConfig(ASKS('{ other: {} }'), { env: {}, directory: '/' })
  if (config.kind === 'invalid') throw new Error('the configuration of the test is invalid')
  await world.gateway.apply(config)
  await allowAll(world)
  const { call, run, turn } = await ends(world)
  const gone = 'agent "till" is not configured any more'
  expect(call).toMatchObject({ outcome: 'rejected', message: expect.stringContaining(gone) })
  expect(run).toMatchObject({ status: 'completed', value: ['rejected', 'unknown-tool'] })
  expect(turn).toMatchObject({ status: 'failed', error: { message: `rejected: ${gone}` } })
  expect(await refunds(world)).toBe(0)
})

test("what DRAWBRIDGE_TOKEN asked for is the operator's, and goes on also where that has another value", async () => {
  const [first, second] = ['a-token-of-the-operator', 'another-of-the-operator']
  const served = await gatewayInProcess({ config: ASKS('{ till: {} }'), environmentToken: first })
  const url = '/v1/tools/plugin%3Ademo%3Arefund_payment/call'
  const { callId, pending } = (await served.ask(first, { method: 'POST', url, body: { args: REFUND } })).body
  await served.stop()
  const next = await gatewayInProcess({ config: ASKS('{ till: {} }'), environmentToken: second, folder: served.folder })
  expect((await next.ask(first, { url: '/v1/approvals' })).status).toBe(401)
  await allowAll({ ...next, pending, ids: { call: callId, run: '', turn: '' } })
  const outcome = async () => (await next.ask(second, { url: `/v1/calls/${callId}` })).body.outcome
  await expect.poll(outcome, { timeout: 20_000 }).toBe('ok')
})
