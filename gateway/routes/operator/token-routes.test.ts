import { describe, expect, test } from 'vitest'
import { FAILURES_AT_ONCE } from '../../auth/limits.ts'
import type { InProcess } from '../../testing/gateway-in-process.ts'
import { gatewayInProcess } from '../../testing/gateway-in-process.ts'

const idOf = async ({ gateway }: InProcess, name: string): Promise<string> =>
  (await gateway.store.listTokens()).find((token) => token.name === name)?.id ?? ''

const BAD_REQUESTS: readonly (readonly [object, string])[] = [
  [[], 'the body is { "name": "…", "tenant"?, "scopes"?, "agents"?, "channels"? }'],
  [{}, 'name is a text that says who uses the token'],
  [
    { name: 'a b' },
    'name "a b" cannot be used; use up to 64 letters, digits and _ . : @ -, beginning with a letter, a digit or _',
  ],
  [
    { name: 'a', tenant: '' },
    'tenant "" cannot be used; use up to 64 letters, digits and _ . : @ -, beginning with a letter, a digit or _',
  ],
  [{ name: 'a', tenant: 7 }, 'tenant is a text'],
  [{ name: 'a', scopes: ['all'] }, 'there is no scope "all"; there are chat, tools, approvals, admin'],
  [{ name: 'a', scopes: [] }, 'a token needs a scope; there are chat, tools, approvals, admin'],
  [{ name: 'a', scopes: 'chat' }, 'scopes is a list of texts'],
  [{ name: 'a', agents: [] }, 'a token needs an agent; leave agents out for all'],
  [{ name: 'a', agents: [1] }, 'agents is a list of texts'],
  [{ name: 'a', scope: ['chat'] }, 'unknown field "scope"; there are name, tenant, scopes, agents, channels'],
]

describe('tokens', () => {
  test('a new token works at once, within its tenant, scopes and agents, and its hash is shown nowhere', async () => {
    const { ask, admin } = await gatewayInProcess()
    const body = { name: 'bot', tenant: 'acme', scopes: ['tools', 'chat', 'chat'], agents: ['other'] }
    const made = await ask(admin, { method: 'POST', url: '/v1/tokens', body })
    expect(made.status).toBe(201)
    expect(made.headers['cache-control']).toBe('no-store')
    const { token, ...view } = made.body
    expect(token).toMatch(/^db_[\w-]{43}$/)
    expect(view).toEqual({
      id: expect.stringMatching(/^tok_/),
      name: 'bot',
      tenant: 'acme',
      scopes: ['chat', 'tools'],
      agents: ['other'],
      createdMs: expect.any(Number),
    })
    const listed = await ask(admin, { url: '/v1/tokens' })
    expect(listed.body.tokens).toContainEqual(view)
    expect(listed.text).not.toMatch(/hash|db_/)
    const url = '/v1/tools'
    expect((await ask(token, { url })).status).toBe(200)
    const asDefault = await ask(token, { url, headers: { 'x-drawbridge-agent': 'default' } })
    expect(asDefault.body.error.message).toBe('there is no agent "default"; there are other')
    const chat = { model: 'drawbridge', messages: [{ role: 'user', content: 'Hello' }] }
    expect((await ask(token, { method: 'POST', url: '/v1/chat/completions', body: chat })).status).toBe(200)
    expect((await ask(token, { url: '/v1/tokens' })).body.error).toMatchObject({
      code: 'forbidden',
      message: 'this token has no scope "admin"; it has chat, tools',
    })
  })

  test('a revoked token ends at once, and revoking it again is harmless', async () => {
    const served = await gatewayInProcess()
    const { ask, admin, makeToken } = served
    const token = await makeToken({ name: 'bot' })
    const url = `/v1/tokens/${await idOf(served, 'bot')}/revoke`
    const first = await ask(admin, { method: 'POST', url })
    expect(first.body).toMatchObject({ name: 'bot', revokedMs: expect.any(Number) })
    expect((await ask(token, { url: '/v1/tools' })).status).toBe(401)
    expect((await ask(admin, { method: 'POST', url })).body).toEqual(first.body)
    await makeToken({ name: 'bot' })
  })

  test('the last admin token stays until there is another', async () => {
    const served = await gatewayInProcess()
    const { ask, admin, makeToken } = served
    await makeToken({ name: 'theirs', tenant: 'acme', scopes: ['admin'] })
    const url = `/v1/tokens/${await idOf(served, 'admin')}/revoke`
    const refused = await ask(admin, { method: 'POST', url })
    expect(refused.status).toBe(409)
    expect(refused.body.error.message).toBe('token "admin" is the last admin token; create another one first')
    const second = await makeToken({ name: 'second', scopes: ['admin'] })
    expect((await ask(admin, { method: 'POST', url })).status).toBe(200)
    expect((await ask(second, { url: '/v1/tokens' })).status).toBe(200)
  })

  test('of two admin tokens that are revoked at the same moment the last stays, and of two of one name one is made', async () => {
    const served = await gatewayInProcess()
    const { ask, admin, makeToken } = served
    const second = await makeToken({ name: 'second', scopes: ['admin'] })
    const own = [
      { token: admin, id: await idOf(served, 'admin') },
      { token: second, id: await idOf(served, 'second') },
    ]
    const twins = await Promise.all(
      [1, 2].map(() => ask(admin, { method: 'POST', url: '/v1/tokens', body: { name: 'twin' } })),
    )
    expect(new Set(twins.map(({ status }) => status))).toEqual(new Set([201, 409]))
    const revoked = await Promise.all(
      own.map(({ token, id }) => ask(token, { method: 'POST', url: `/v1/tokens/${id}/revoke` })),
    )
    expect(new Set(revoked.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  test('the token of the environment is listed, and cannot be revoked', async () => {
    const { ask, admin } = await gatewayInProcess({ environmentToken: 'given-by-the-environment' })
    expect((await ask(admin, { url: '/v1/tokens' })).body.tokens[0]).toMatchObject({ id: 'environment', name: 'admin' })
    const refused = await ask(admin, { method: 'POST', url: '/v1/tokens/environment/revoke' })
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'this token is DRAWBRIDGE_TOKEN; start the gateway without it',
    ])
  })

  test('an admin of another tenant makes tokens of its own tenant alone, and for its own agents', async () => {
    const { ask, makeToken } = await gatewayInProcess()
    const theirs = await makeToken({ name: 'theirs', tenant: 'acme', scopes: ['admin'], agents: ['other'] })
    const post = (body: object) => ask(theirs, { method: 'POST', url: '/v1/tokens', body })
    expect((await post({ name: 'a' })).body).toMatchObject({ tenant: 'acme', agents: ['other'] })
    expect((await post({ name: 'b', tenant: 'default' })).body.error).toMatchObject({
      code: 'forbidden',
      message: 'this token makes tokens of tenant "acme" alone',
    })
    expect((await post({ name: 'c', agents: ['default'] })).body.error).toMatchObject({
      code: 'forbidden',
      message: 'this token may not use agent "default", and so gives it to no other',
    })
    const { body } = await ask(theirs, { url: '/v1/catalog' })
    expect(body.error.message).toBe('the catalog is for admins of tenant "default"; this is one of "acme"')
  })

  test('what is no token is refused, with the field at fault', async () => {
    const { ask, admin, gateway } = await gatewayInProcess()
    for (const [body, message] of BAD_REQUESTS) {
      const answer = await ask(admin, { method: 'POST', url: '/v1/tokens', body })
      expect([answer.status, answer.body.error.message]).toEqual([400, message])
    }
    expect(await gateway.store.listTokens()).toHaveLength(2)
  })

  test('a name is given once in a tenant', async () => {
    const { ask, admin, makeToken } = await gatewayInProcess()
    await makeToken({ name: 'chat', tenant: 'acme' })
    const answer = await ask(admin, { method: 'POST', url: '/v1/tokens', body: { name: 'chat' } })
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      'tenant "default" has a token "chat" already; revoke that one first, or choose another name',
    ])
  })
})

describe('an address that sends too many wrong tokens', () => {
  test('gets 429 with the time to wait; good tokens from it, and other addresses, are let through', async () => {
    const { ask, admin } = await gatewayInProcess()
    const wrong = (remoteAddress: string) => ask('db_wrong', { url: '/v1/tools', remoteAddress })
    for (let count = 0; count < FAILURES_AT_ONCE; count += 1) expect((await wrong('198.51.100.7')).status).toBe(401)
    const limited = await wrong('198.51.100.7')
    expect([limited.status, limited.headers['retry-after'], limited.body.error]).toEqual([
      429,
      '3',
      {
        message: 'too many wrong tokens came from this address; try again in 3 s',
        type: 'rate_limit_error',
        code: 'rate_limited',
      },
    ])
    expect((await ask(admin, { url: '/v1/tools', remoteAddress: '198.51.100.7' })).status).toBe(200)
    expect((await wrong('198.51.100.8')).status).toBe(401)
    const without = await ask('', { url: '/v1/tools', remoteAddress: '198.51.100.7' })
    expect(without.body.error.code).toBe('missing_token')
  })

  test('cannot guess a short token of the environment while it waits', async () => {
    const { ask } = await gatewayInProcess({ environmentToken: 'hunter2' })
    const from = (token: string) => ask(token, { url: '/v1/tools', remoteAddress: '198.51.100.7' })
    expect((await from('hunter2')).status).toBe(200)
    for (let count = 0; count < FAILURES_AT_ONCE; count += 1) await from(`hunter${count + 3}`)
    const [right, wrong] = [await from('hunter2'), await from('hunter1')]
    expect([right.status, right.text]).toEqual([429, wrong.text])
    expect((await ask('hunter2', { url: '/v1/tools', remoteAddress: '198.51.100.8' })).status).toBe(200)
  })
})
