import { expect, test } from 'vitest'
import { readConfig } from '../../config/read-config.ts'
import type { Answered, InProcess } from '../../testing/gateway-in-process.ts'
import { gatewayInProcess } from '../../testing/gateway-in-process.ts'

const CONFIG = `{
  agents: { other: {} },
  tools: { approvals: 'destructive' },
  approvals: { timeoutMs: 60000, holdMs: 60000, chat: { senders: ['channel:ops:ada'] } },
}`
const REFUND = { invoice_id: 'inv-1001', amount_cents: 100, reason: 'damaged' }

test('a destructive call waits until it is allowed, and runs then; what only reads does not ask', async () => {
  const served = await gatewayInProcess({ config: CONFIG })
  const { ask, admin } = served
  expect((await call(served, 'list_invoices', {})).body.outcome).toBe('ok')
  const calling = call(served, 'refund_payment', REFUND)
  const [asked] = await pending(served, 1)
  expect(asked).toMatchObject({
    state: 'pending',
    tenant: 'default',
    agent: 'default',
    toolId: 'plugin:demo:refund_payment',
    input: REFUND,
    allowedDecisions: ['allow-once', 'allow-always', 'deny'],
  })
  expect((await ask(admin, { url: `/v1/approvals/${asked?.id}` })).body).toEqual(asked)
  const decided = await decide(served, asked?.id, { decision: 'allow-once', reason: 'agreed by phone' })
  expect(decided).toMatchObject({ status: 200, body: { state: 'allowed-once', reason: 'agreed by phone' } })
  expect(decided.body.decidedBy).toMatch(/^tok_/)
  expect((await calling).body).toMatchObject({ outcome: 'ok', value: { paid_cents: 1_133_900 } })
  const receipts = (await ask(admin, { url: '/v1/receipts' })).body.receipts
  expect(receipts.map(({ receipt }: { receipt: { kind?: string } }) => receipt.kind ?? 'call')).toEqual([
    'call',
    'decision',
    'call',
  ])
})

test('a refused one does not run, and the call says who and why', async () => {
  const served = await gatewayInProcess({ config: CONFIG })
  const calling = call(served, 'refund_payment', REFUND)
  const [asked] = await pending(served, 1)
  await decide(served, asked?.id, { decision: 'deny', reason: 'not this month' })
  const { status, body } = await calling
  expect([status, body.outcome, body.effect]).toEqual([403, 'rejected', 'none'])
  expect(body.message).toContain('not this month')
})

test('the first answer wins: the same one again is harmless, another is told what was decided', async () => {
  const served = await gatewayInProcess({ config: CONFIG })
  const calling = call(served, 'refund_payment', REFUND)
  const [asked] = await pending(served, 1)
  expect((await decide(served, asked?.id, { decision: 'deny' })).status).toBe(200)
  expect((await decide(served, asked?.id, { decision: 'deny', reason: 'again' })).body).toMatchObject({
    state: 'denied',
  })
  const late = await decide(served, asked?.id, { decision: 'allow-once' })
  expect([late.status, late.body.error.code, late.body.approval.state]).toEqual([409, 'conflict', 'denied'])
  expect(late.body.error.message).toMatch(/^approval "apr_[0-9a-f]{16}" is denied by tok_/)
  await calling
})

test('a body that is none decides nothing, and says what is wrong', async () => {
  const served = await gatewayInProcess({ config: CONFIG })
  for (const [body, message] of BAD_BODIES) {
    const answer = await decide(served, 'apr_0000000000000000', body)
    expect([answer.status, answer.body.error.message]).toEqual([400, message])
  }
})

const BAD_BODIES: readonly (readonly [object, unknown])[] = [
  [{}, 'decision is "allow-once" | "allow-always" | "deny", got nothing'],
  [{ decision: 'allow' }, 'decision is "allow-once" | "allow-always" | "deny", got "allow"'],
  [{ decision: 'deny', note: 1 }, 'unknown field "note"; there are decision, reason, until, args, answer'],
  [{ decision: 'deny', reason: 'x'.repeat(513) }, 'reason is a text of at most 512 characters'],
  [
    { decision: 'deny', until: '2099-01-01T00:00:00Z' },
    'until narrows what "allow-always" allows; leave it out of "deny"',
  ],
  [
    { decision: 'allow-always', until: 'tomorrow' },
    'until is a time, "2027-01-31T12:00:00Z" or Unix milliseconds, got "tomorrow"',
  ],
  [{ decision: 'allow-always', until: 1 }, 'until is over already: 1970-01-01T00:00:00.001Z'],
  [{ decision: 'allow-always', args: 'any' }, 'args is a JSON Schema that the arguments of covered calls match'],
  [
    { decision: 'allow-always', args: { type: 'nonsense' } },
    expect.stringMatching(/^args is no JSON Schema that can be enforced/),
  ],
]

test('only a token with the scope decides or sees; one of some agents what those asked for', async () => {
  const served = await gatewayInProcess({ config: CONFIG })
  const { ask, makeToken } = served
  const calling = call(served, 'refund_payment', REFUND)
  const [asked] = await pending(served, 1)
  const own = await makeToken({ name: 'agent', scopes: ['chat', 'tools'] })
  const others = await makeToken({ name: 'others', scopes: ['approvals'], agents: ['other'] })
  const person = await makeToken({ name: 'person', scopes: ['approvals'], agents: ['default'] })
  const url = `/v1/approvals/${asked?.id}`
  for (const request of [{ url: '/v1/approvals' }, { url }, { url: '/v1/grants' }]) {
    expect((await ask(own, request)).status).toBe(403)
  }
  expect((await decide(served, asked?.id, { decision: 'allow-once' }, own)).status).toBe(403)
  expect((await ask(others, { url: '/v1/approvals' })).body.approvals).toEqual([])
  expect((await ask(others, { url })).status).toBe(404)
  expect((await decide(served, asked?.id, { decision: 'allow-once' }, others)).status).toBe(404)
  expect((await ask(person, { url: '/v1/approvals?state=pending' })).body.approvals).toHaveLength(1)
  expect((await decide(served, asked?.id, { decision: 'allow-once' }, person)).status).toBe(200)
  expect((await calling).body.outcome).toBe('ok')
})

test('allow-always makes a grant, which covers further calls until it is revoked', async () => {
  const served = await gatewayInProcess({ config: CONFIG })
  const { ask, admin } = served
  const calling = call(served, 'refund_payment', REFUND)
  const [asked] = await pending(served, 1)
  const args = { properties: { amount_cents: { maximum: 200 } } }
  await decide(served, asked?.id, { decision: 'allow-always', args, until: '2099-01-01T00:00:00Z' })
  await calling
  const [grant] = (await ask(admin, { url: '/v1/grants' })).body.grants
  expect(grant).toMatchObject({
    state: 'active',
    agent: 'default',
    toolId: 'plugin:demo:refund_payment',
    args,
    untilMs: Date.UTC(2099, 0, 1),
    approval: asked?.id,
  })
  expect((await call(served, 'refund_payment', { ...REFUND, amount_cents: 200 })).body.outcome).toBe('ok')
  const larger = call(served, 'refund_payment', { ...REFUND, amount_cents: 201 })
  const [second] = await pending(served, 1)
  await decide(served, second?.id, { decision: 'deny' })
  await larger
  const url = `/v1/grants/${grant.id}`
  expect((await ask(admin, { method: 'DELETE', url })).body).toMatchObject({
    state: 'revoked',
    ended: { kind: 'revoked' },
  })
  expect((await ask(admin, { method: 'DELETE', url })).status).toBe(200)
  expect((await ask(admin, { url })).body.state).toBe('revoked')
  const again = call(served, 'refund_payment', REFUND)
  const [third] = await pending(served, 1)
  await decide(served, third?.id, { decision: 'deny' })
  expect((await again).body.outcome).toBe('rejected')
})

test('what one rule asked about and a person always allowed is not allowed by another rule in its place', async () => {
  const rule = (min: number): string =>
    `{ tool: 'plugin:demo:refund_payment', when: { properties: { amount_cents: { minimum: ${min} } } }, effect: 'ask' }`
  const served = await gatewayInProcess({ config: `{ tools: { rules: [${rule(50)}] } }` })
  const calling = call(served, 'refund_payment', REFUND)
  const [asked] = await pending(served, 1)
  await decide(served, asked?.id, { decision: 'allow-always' })
  await calling
  expect((await call(served, 'refund_payment', REFUND)).body.outcome).toBe('ok')
  const apply = async (rules: string): Promise<void> => {
    const read = await readConfig(`{ tools: { rules: [${rules}] } }`, { env: {}, directory: '/' })
    if (read.kind === 'read') await served.gateway.apply(read)
  }
  await apply(rule(10))
  const again = call(served, 'refund_payment', REFUND)
  const [second] = await pending(served, 1)
  await decide(served, second?.id, { decision: 'deny' })
  expect((await again).body.outcome).toBe('rejected')
  await apply(`{ tool: 'plugin:demo:void_invoice', effect: 'ask' }, ${rule(50)}`)
  expect((await call(served, 'refund_payment', REFUND)).body.outcome).toBe('ok')
})

test('calls of one run are decided together, or each on its own in one request', async () => {
  const served = await gatewayInProcess({ config: CONFIG })
  const { ask, admin } = served
  const code = `const refund = (cents) => tools.call('plugin:demo:refund_payment', { invoice_id: 'inv-1001', amount_cents: cents, reason: 'damaged' })
    const ended = await Promise.allSettled([refund(1), refund(2), refund(3)])
    return ended.map(({ status, reason }) => reason?.code ?? status)`
  const post = (url: string, body: object) => ask(admin, { method: 'POST', url, body })
  const running = post('/v1/runs', { code, id: 'run_together' })
  const asked = await pending(served, 3)
  expect(new Set(asked.map(({ runId }) => runId))).toEqual(new Set(['run_together']))
  const one = { id: asked[0]?.id, decision: 'deny' }
  const first = await post('/v1/approvals/decisions', { decisions: [one, { id: 'apr_none', decision: 'deny' }] })
  expect(first.body.results.map(({ result }: { result: string }) => result)).toEqual(['decided', 'not_found'])
  const page = async (query: string) => (await ask(admin, { url: `/v1/approvals?run=run_together&${query}` })).body
  const newest = await page('limit=2')
  expect(newest.approvals).toHaveLength(2)
  expect((await page(`limit=2&before=${newest.nextBefore}`)).approvals).toHaveLength(1)
  expect(await page('limit=3&before=apr_none')).toEqual({ approvals: [] })
  const rest = await post('/v1/approvals/decisions', { run: 'run_together', decision: 'allow-once' })
  expect(rest.body.results.map(({ approval }: { approval: { state: string } }) => approval.state)).toEqual([
    'allowed-once',
    'allowed-once',
  ])
  await running
  const bad = await post('/v1/approvals/decisions', { decisions: [one, one] })
  expect([bad.status, bad.body.error.message]).toEqual([400, `approval "${one.id}" stands twice in decisions`])
  expect((await post('/v1/approvals/decisions', { decision: 'deny' })).status).toBe(400)
  expect((await post('/v1/approvals/decisions', { run: 'run_none', decision: 'deny' })).body).toEqual({ results: [] })
})

test('a listing is narrowed by state and run, and refuses what it does not know', async () => {
  const { ask, admin } = await gatewayInProcess({ config: CONFIG })
  for (const query of ['state=open', 'limit=-1', 'limit=1001', 'run=a&run=b', 'before=a&before=b']) {
    expect((await ask(admin, { url: `/v1/approvals?${query}` })).status).toBe(400)
  }
  for (const query of ['state=denied&run=r&limit=5', 'state=&run=&limit=&before=']) {
    expect((await ask(admin, { url: `/v1/approvals?${query}` })).body).toEqual({ approvals: [] })
  }
})

interface Asked {
  readonly id: string
  readonly runId?: string
}

function call({ ask, admin }: InProcess, tool: string, args: object): Promise<Answered> {
  return ask(admin, { method: 'POST', url: `/v1/tools/plugin%3Ademo%3A${tool}/call`, body: { args } })
}

async function pending({ ask, admin }: InProcess, count: number): Promise<readonly Asked[]> {
  const read = async () => (await ask(admin, { url: '/v1/approvals?state=pending' })).body.approvals
  await expect.poll(read, { timeout: 20_000, interval: 20 }).toHaveLength(count)
  return read()
}

function decide(
  { ask, admin }: InProcess,
  id: string | undefined,
  ...[body, token = admin]: readonly [object, string?]
): Promise<Answered> {
  return ask(token, { method: 'POST', url: `/v1/approvals/${id}/decision`, body })
}
