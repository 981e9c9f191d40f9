import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient } from './testing/api-client.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

const REFUND = { invoice_id: 'inv-1001', amount_cents: 100, reason: 'damaged' }
const TOOL = 'plugin:demo:refund_payment'

/** One state directory throughout; the gateway over it is killed and started anew. */
let gateway: GatewayProcess

async function restart(holdMs: number): Promise<void> {
  const config = { tools: { approvals: 'destructive' }, approvals: { holdMs } }
  const { folder } = gateway
  await gateway.kill()
  gateway = await startGateway({ folder, config })
}

beforeAll(async () => {
  gateway = await startGateway({ config: { tools: { approvals: 'destructive' }, approvals: { holdMs: 600_000 } } })
})
afterAll(() => gateway?.remove())

test('of ten clients that answer at once one decides, and all are told the same', async () => {
  const calling = gateway.api.call(TOOL, REFUND)
  const id = await pendingId(gateway)
  const clients = Array.from({ length: 10 }, () => createApiClient(gateway.url, gateway.token))
  const decisions = clients.map((_, index) => (index % 2 === 0 ? 'deny' : 'allow-once'))
  const answers = await Promise.all(
    clients.map((client, index) => client.post(`/v1/approvals/${id}/decision`, { decision: decisions[index] })),
  )
  const { body: approval } = await gateway.api.get(`/v1/approvals/${id}`)
  const winning = approval.state === 'denied' ? 'deny' : 'allow-once'
  for (const [index, answer] of answers.entries()) {
    const told = answer.status === 200 ? answer.body : answer.body.approval
    expect([answer.status, told.state]).toEqual([decisions[index] === winning ? 200 : 409, approval.state])
  }
  expect((await calling).body.outcome).toBe(winning === 'deny' ? 'rejected' : 'ok')
  expect((await decisionReceipts(gateway)).map(({ state }) => state)).toEqual([approval.state])
})

test('while the store is locked a decision fails clearly and changes nothing; then it is made', async () => {
  const calling = gateway.api.call(TOOL, REFUND)
  const id = await pendingId(gateway)
  const other = new DatabaseSync(path.join(gateway.stateDir, 'drawbridge.db'))
  other.exec('BEGIN IMMEDIATE')
  const refused = await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })
  other.exec('ROLLBACK')
  other.close()
  expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable'])
  expect(refused.body.error.message).toContain('store-locked')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await gateway.api.get(`/v1/approvals/${id}`)).body.state).toBe('pending')
  expect((await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })).status).toBe(200)
  expect((await calling).body.outcome).toBe('ok')
})

test('a gateway that is killed while a call is held has asked in vain: nothing is allowed afterwards', async () => {
  const calling = gateway.api.call(TOOL, REFUND).catch(() => 'gone')
  const id = await pendingId(gateway)
  await restart(0)
  expect(await calling).toBe('gone')
  const { body } = await gateway.api.get(`/v1/approvals/${id}`)
  expect(body).toMatchObject({ state: 'cancelled', decidedBy: 'drawbridge' })
  const late = await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })
  expect([late.status, late.body.approval.state]).toEqual([409, 'cancelled'])
  // The demo company begins anew with each gateway: nobody has paid anything back.
  expect(await paidCents(gateway)).toBe(1_134_000)
})

test('a run that is parked outlives a killed gateway, and goes on once it is decided, with nothing done twice', async () => {
  const code = `
    const invoice = { customer_id: 'cus-2', lines: [{ description: 'x', quantity: 1, unit_price_cents: 5 }] }
    const made = await tools.call('plugin:demo:create_invoice', invoice)
    const { paid_cents } = await tools.call('${TOOL}', ${JSON.stringify(REFUND)})
    return { made: made.id, paid_cents }`
  const run = await gateway.api.run(code)
  expect(run).toMatchObject({ status: 'waiting', pending: [{ tool: TOOL }] })
  const id = run.pending[0].approval
  await restart(0)
  expect((await gateway.api.get(`/v1/approvals/${id}`)).body.state).toBe('pending')
  expect((await gateway.cli('approvals', 'resolve', id, 'allow-once')).code).toBe(0)
  const ended = await waitUntil('the run has ended', async () => {
    const { body } = await gateway.api.get(`/v1/runs/${run.id}`)
    return body?.status === 'waiting' ? undefined : body
  })
  expect(ended).toMatchObject({ status: 'completed', value: { made: 'inv-1006', paid_cents: 1_133_900 } })
  // What was made before the kill is not made again: the second company has never seen it.
  const listed = await gateway.api.call('plugin:demo:list_invoices', { limit: 50 })
  expect(listed.body.value.total).toBe(5)
  expect(await paidCents(gateway)).toBe(1_133_900)
})

function pendingId({ api }: GatewayProcess): Promise<string> {
  return waitUntil('an approval is pending', async () => {
    const { body } = await api.get('/v1/approvals?state=pending')
    const [approval] = body.approvals
    return typeof approval?.id === 'string' ? String(approval.id) : undefined
  })
}

async function paidCents({ api }: GatewayProcess): Promise<number> {
  const { body } = await api.call('plugin:demo:list_invoices', { limit: 50 })
  const found = body.value.invoices.find(({ id }: { readonly id: string }) => id === 'inv-1001')
  return found.paid_cents
}

async function decisionReceipts({ api }: GatewayProcess): Promise<readonly { readonly state: string }[]> {
  const { body } = await api.get('/v1/receipts')
  return body.receipts
    .map(({ receipt }: { readonly receipt: { readonly kind?: string } }) => receipt)
    .filter(({ kind }: { readonly kind?: string }) => kind === 'decision')
}
