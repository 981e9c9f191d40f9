import { expect, test } from 'vitest'
import type { Answered, Asked, InProcess } from '../testing/gateway-in-process.ts'
import { gatewayInProcess } from '../testing/gateway-in-process.ts'

/** Ids of things that a tenant has. */
interface Belongings {
  readonly session: string
  readonly run: string
  readonly artifact: string
  readonly receipt: string
  /** Pending. */
  readonly approval: string
  /** The call that waits for it. */
  readonly call: string
  /** Parked. */
  readonly turn: string
  readonly grant: string
  readonly tokenId: string
}

/** Every route that takes an id of something that belongs to a tenant. */
const ROUTES: Readonly<Record<string, (own: Belongings) => Asked>> = {
  'GET /v1/sessions/:id': ({ session }) => ({ url: `/v1/sessions/${session}` }),
  'GET /v1/sessions/:id/log': ({ session }) => ({ url: `/v1/sessions/${session}/log` }),
  'GET /v1/runs/:id': ({ run }) => ({ url: `/v1/runs/${run}` }),
  'POST /v1/runs/:id/cancel': ({ run }) => ({ method: 'POST', url: `/v1/runs/${run}/cancel` }),
  'POST /v1/runs/:id/replay': ({ run }) => ({ method: 'POST', url: `/v1/runs/${run}/replay`, body: {} }),
  'GET /v1/artifacts/:id': ({ artifact }) => ({ url: `/v1/artifacts/${artifact}` }),
  'GET /v1/artifacts/:id/content': ({ artifact }) => ({ url: `/v1/artifacts/${artifact}/content` }),
  'GET /v1/receipts/:id': ({ receipt }) => ({ url: `/v1/receipts/${receipt}` }),
  'POST /v1/runs/:id/results': ({ run }) => ({
    method: 'POST',
    url: `/v1/runs/${run}/results`,
    body: { callId: 'call_1', content: 'x' },
  }),
  'GET /v1/calls/:id': ({ call }) => ({ url: `/v1/calls/${call}` }),
  'GET /v1/turns/:id': ({ turn }) => ({ url: `/v1/turns/${turn}` }),
  'POST /v1/turns/:id/cancel': ({ turn }) => ({ method: 'POST', url: `/v1/turns/${turn}/cancel` }),
  'GET /v1/approvals/:id': ({ approval }) => ({ url: `/v1/approvals/${approval}` }),
  'POST /v1/approvals/:id/decision': ({ approval }) => ({
    method: 'POST',
    url: `/v1/approvals/${approval}/decision`,
    body: { decision: 'deny' },
  }),
  'GET /v1/grants/:id': ({ grant }) => ({ url: `/v1/grants/${grant}` }),
  'DELETE /v1/grants/:id': ({ grant }) => ({ method: 'DELETE', url: `/v1/grants/${grant}` }),
  'POST /v1/tokens/:id/revoke': ({ tokenId }) => ({ method: 'POST', url: `/v1/tokens/${tokenId}/revoke` }),
}

/** Tools, models and servers are the gateway's own, the same for every tenant. */
const OF_NO_TENANT = [
  'GET /v1/tools/:id',
  'GET /v1/tools/:id/explain',
  'POST /v1/tools/:id/call',
  'GET /v1/models*',
  // Of /v1.
  'OPTIONS *',
  'POST /v1/mcp/servers/:name/accept',
  'POST /v1/mcp/servers/:name/reconnect',
  ...['GET', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'].map((method) => `${method} /mcp/servers/:server`),
]

/** A run that waits for nothing is, to its own tenant too, as one that is not there. */
const FOR_WAITING_RUNS = 'POST /v1/runs/:id/results'

const ASKS = '{ agents: { other: {} }, tools: { approvals: "destructive" }, approvals: { holdMs: 0 } }'

const ABSENT: Belongings = {
  session: 'none',
  run: 'run_00000000-0000-4000-8000-000000000000',
  artifact: 'art_00000000-0000-4000-8000-000000000000',
  receipt: 'rc_00000000-0000-4000-8000-000000000000',
  approval: 'apr_0000000000000000',
  grant: 'gr_0000000000000000',
  call: 'call_00000000-0000-4000-8000-000000000000',
  turn: 'turn_00000000-0000-4000-8000-000000000000',
  tokenId: 'tok_00000000-0000-4000-8000-000000000000',
}

test('every route with an id is either tried here or of no tenant', async () => {
  const { gateway } = await gatewayInProcess()
  const routes = routesOf(gateway.app.printRoutes({ commonPrefix: false })).filter((route) => /[:*]/.test(route))
  expect(routes.toSorted()).toEqual([...Object.keys(ROUTES), ...OF_NO_TENANT].toSorted())
})

test('what belongs to one tenant is to another as if it were not there, on every route', async () => {
  const served = await gatewayInProcess({ config: ASKS })
  const { ask, makeToken } = served
  const scopes = ['chat', 'tools', 'approvals', 'admin']
  const [own, other] = [
    await makeToken({ name: 'own', tenant: 'acme', scopes }),
    await makeToken({ name: 'other', tenant: 'rival', scopes }),
  ]
  const things = await makeThings(own, served)
  for (const [route, request] of Object.entries(ROUTES)) {
    const absent = await ask(other, request(ABSENT))
    expect([route, absent.status]).toEqual([route, route === FOR_WAITING_RUNS ? 409 : 404])
    expect([route, plain(await ask(other, request(things)), things)]).toEqual([route, plain(absent, ABSENT)])
  }
  // The same requests by who has it are answered; the last of them ends the token.
  for (const [route, request] of Object.entries(ROUTES))
    if (route !== FOR_WAITING_RUNS) expect([route, (await ask(own, request(things))).status]).toEqual([route, 200])
})

test('nothing of another tenant stands in a listing, and one tenant asked for by name is not there', async () => {
  const served = await gatewayInProcess({ config: ASKS })
  const { ask, makeToken, admin } = served
  const own = await makeToken({ name: 'own', tenant: 'acme', scopes: ['chat', 'tools', 'approvals'] })
  const other = await makeToken({ name: 'other', tenant: 'rival', scopes: ['admin'] })
  const things = await makeThings(own, served)
  expect((await ask(other, { url: '/v1/approvals' })).body).toEqual({ approvals: [] })
  expect((await ask(other, { url: '/v1/grants' })).body).toEqual({ grants: [] })
  const decisions = [{ id: things.approval, decision: 'allow-once' }]
  for (const body of [{ decisions }, { run: things.run, decision: 'allow-once' }]) {
    const { results } = (await ask(other, { method: 'POST', url: '/v1/approvals/decisions', body })).body
    expect(results.filter(({ result }: { result: string }) => result !== 'not_found')).toEqual([])
  }
  expect((await ask(own, { url: `/v1/approvals/${things.approval}` })).body.state).toBe('pending')
  expect((await ask(other, { url: '/v1/receipts' })).body).toEqual({ tenant: 'rival', receipts: [] })
  expect((await ask(other, { url: '/v1/receipts/chains' })).body).toEqual({ chains: [] })
  expect(namesOf(await ask(other, { url: '/v1/tokens' }))).toEqual(['other'])
  const [theirs, nobodys] = [
    await ask(other, { url: '/v1/receipts?tenant=acme' }),
    await ask(other, { url: '/v1/receipts?tenant=none' }),
  ]
  expect(theirs.status).toBe(404)
  expect(theirs.body.error.message).toBe('there is no tenant "acme" with receipts')
  expect(plain(theirs, 'acme')).toBe(plain(nobodys, 'none'))
  expect((await ask(own, { url: '/v1/receipts?tenant=acme' })).text).toContain(things.receipt)
  expect((await ask(admin, { url: '/v1/receipts?tenant=acme' })).text).toContain(things.receipt)
  expect((await ask(admin, { url: '/v1/receipts/chains' })).body.chains).toMatchObject([
    { tenant: 'acme', end: { seq: expect.any(Number) } },
  ])
  expect((await ask(own, { url: '/v1/tokens' })).status).toBe(403)
})

test('values of a session, and the session itself, are of one tenant, whatever name another gives', async () => {
  const { ask, makeToken } = await gatewayInProcess()
  const own = await makeToken({ name: 'own', tenant: 'acme' })
  const other = await makeToken({ name: 'other', tenant: 'rival' })
  const run = async (token: string, code: string) =>
    (await ask(token, { method: 'POST', url: '/v1/runs', body: { code, session: 'same' } })).body.value
  await run(own, `await tools.store.set('secret', 'of acme')`)
  expect(await run(own, `return await tools.store.get('secret') ?? null`)).toBe('of acme')
  expect(await run(other, `return await tools.store.get('secret') ?? null`)).toBe(null)
  await say(own, 'same', { ask })
  expect((await ask(other, { url: '/v1/sessions/same' })).status).toBe(404)
  await say(other, 'same', { ask })
  const { body } = await ask(other, { url: '/v1/sessions/same' })
  expect(body.messages.filter(({ role }: { role: string }) => role === 'user')).toHaveLength(1)
})

test('a run of another tenant that is under way is not there to be cancelled, and goes on', async () => {
  const { ask, makeToken } = await gatewayInProcess()
  const own = await makeToken({ name: 'own', tenant: 'acme' })
  const other = await makeToken({ name: 'other', tenant: 'rival' })
  const code = `await new Promise((resolve) => setTimeout(resolve, 700)); return 'done'`
  const running = ask(own, { method: 'POST', url: '/v1/runs', body: { code } })
  await new Promise((resolve) => setTimeout(resolve, 200))
  // Ids of runs are given at the end alone: what a stranger can send is a guess, or an id that leaked.
  const cancelled = await ask(other, { method: 'POST', url: `/v1/runs/${ABSENT.run}/cancel` })
  expect(cancelled.status).toBe(404)
  const { body } = await running
  expect(body.value).toBe('done')
  const late = await ask(other, { method: 'POST', url: `/v1/runs/${body.id}/cancel` })
  expect(plain(late, { ...ABSENT, run: body.id })).toBe(plain(cancelled, ABSENT))
})

async function makeThings(token: string, { ask, gateway }: InProcess): Promise<Belongings> {
  await say(token, 'theirs', { ask })
  const code = `await tools.call('plugin:demo:list_invoices', {}); return 'x'.repeat(100_000)`
  const { body } = await ask(token, { method: 'POST', url: '/v1/runs', body: { code, session: 'theirs' } })
  const [receipt] = (await ask(token, { url: '/v1/receipts?last=1' })).body.receipts
  const tokenId = (await gateway.store.listTokens()).find(({ name }) => name === 'own')?.id ?? ''
  const asked = { session: 'theirs', run: body.id, artifact: body.artifacts[0].id, receipt: receipt.id, tokenId }
  const always = await askFor('void_invoice', { invoice_id: 'inv-1004', reason: 'twice' }, { token, ask })
  const decision = { decision: 'allow-always' }
  const url = `/v1/approvals/${always.approval}/decision`
  expect((await ask(token, { method: 'POST', url, body: decision })).status).toBe(200)
  const [grant] = (await ask(token, { url: '/v1/grants' })).body.grants
  const refund = { invoice_id: 'inv-1001', amount_cents: 1, reason: 'damaged' }
  const waiting = await askFor('refund_payment', refund, { token, ask })
  const parked = await say(token, 'theirs', { ask, content: 'Refund a payment of 100 cents on invoice inv-1001' })
  return { ...asked, ...waiting, grant: grant.id, turn: parked.body.drawbridge.turn }
}

/** A call that waits until it is decided. */
async function askFor(
  tool: string,
  args: object,
  { token, ask }: Pick<InProcess, 'ask'> & { readonly token: string },
): Promise<Pick<Belongings, 'approval' | 'call'>> {
  const url = `/v1/tools/plugin%3Ademo%3A${tool}/call`
  const { body } = await ask(token, { method: 'POST', url, body: { args } })
  return { approval: body.pending[0].approval, call: body.callId }
}

function say(
  token: string,
  session: string,
  { ask, content = 'Hello' }: Pick<InProcess, 'ask'> & { readonly content?: string },
): Promise<Answered> {
  const body = { model: 'drawbridge', messages: [{ role: 'user', content }] }
  const headers = { 'x-drawbridge-session': session }
  return ask(token, { method: 'POST', url: '/v1/chat/completions', body, headers })
}

/** What a client sees, without what must differ: the id that it sent itself. */
function plain({ status, text, headers }: Answered, ids: Belongings | string): string {
  const own = typeof ids === 'string' ? [ids] : Object.values(ids)
  const { 'x-request-id': _id, date: _date, 'content-length': _length, ...fields } = headers
  return own.reduce((shown, id) => shown.replaceAll(id, '<id>'), JSON.stringify([status, text, fields]))
}

function namesOf({ body }: Answered): readonly string[] {
  return body.tokens.map(({ name }: { name: string }) => name)
}

/** `GET /v1/runs/:id` for each route of Fastify's tree; what it adds by itself, HEAD, goes with GET. */
function routesOf(tree: string): readonly string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const match = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line)
    if (!match) return []
    const [, indent = '', part = '', methods] = match
    const depth = indent.length / 4
    above.splice(depth, Number.POSITIVE_INFINITY, part)
    const listed = methods === undefined ? [] : methods.split(', ').filter((method) => method !== 'HEAD')
    return listed.map((method) => `${method} ${above.join('')}`)
  })
}
