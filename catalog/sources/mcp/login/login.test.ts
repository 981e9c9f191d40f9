import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ToolUnavailable } from '../../../tool.ts'
import { createServerMemory, serverIdentity } from '../connection/knowledge/server-memory.ts'
import type { AuthorizationFixture, AuthorizationOptions } from '../fixtures/authorization-server.ts'
import { agree, memoryVault, serveWithLogin } from '../fixtures/authorization-server.ts'
import { byHand, freePort, serveHttp } from '../fixtures/http-servers.ts'
import { startSource, statusOf, until } from '../fixtures/recorded-source.ts'
import type { HttpServerConfig } from '../server-config.ts'
import { beginLogin } from './begin-login.ts'
import { createLoginFetch } from './login-fetch.ts'
import { renewLogin } from './renew-login.ts'
import { revokeLogin } from './revoke-login.ts'

const REDIRECT = 'http://127.0.0.1:33418/callback'
const never = new AbortController().signal

const calm = byHand((id, _request, response) => {
  const result = { content: [{ type: 'text', text: 'done' }] }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
})

function begin(config: HttpServerConfig, more: { readonly scope?: string; readonly forbidden?: string[] } = {}) {
  const { forbidden = [], ...request } = more
  const deps = { forbiddenAddresses: forbidden, now: Date.now }
  return beginLogin({ server: 'calendar', config, redirectUrl: REDIRECT, ...request }, deps, never)
}

async function logIn(config: HttpServerConfig) {
  const pending = await begin(config)
  try {
    return await pending.finish(await agree(pending.url))
  } finally {
    pending.close()
  }
}

/** A server with a login, a source that has logged in there, and its vault. */
async function loggedIn(options: AuthorizationOptions = {}, now: () => number = Date.now) {
  const server = await serveWithLogin(calm, options)
  const vault = memoryVault()
  vault.logins.set('calendar', await logIn({ url: server.url }))
  const recorded = startSource({ servers: { calendar: { url: server.url } }, logins: vault, now })
  await recorded.ready('calendar')
  return { server, vault, recorded, [Symbol.asyncDispose]: () => closeAll(server, recorded) }
}

async function closeAll(server: AuthorizationFixture, recorded: AsyncDisposable): Promise<void> {
  await recorded[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
}

function renewals(server: AuthorizationFixture): number {
  return server.grants.filter((grant) => grant.get('grant_type') === 'refresh_token').length
}

test('a server that wants a login says so with the command to run, and is ready as soon as somebody has', async () => {
  await using server = await serveWithLogin(calm)
  const vault = memoryVault()
  const servers = { calendar: { url: server.url } }
  await using recorded = startSource({
    servers,
    logins: vault,
    timing: { backoffFirstMs: 60_000, backoffMaxMs: 60_000 },
  })
  await until(() => statusOf(recorded.source, 'calendar')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'calendar')?.state).toMatchObject({
    reason: 'needs login; run "drawbridge mcp login calendar"',
    needs: 'login',
  })
  const keyed = { url: server.url, headers: { 'x-api-key': 'wrong' } }
  recorded.source.update({ calendar: keyed })
  await until(() => statusOf(recorded.source, 'calendar')?.lastError?.includes('or correct the headers') === true)
  recorded.source.update(servers)
  vault.logins.set('calendar', await logIn({ url: server.url }))
  expect(recorded.source.reconnect('calendar')).toBe(true)
  await recorded.ready('calendar')
  expect(await recorded.text('calendar', 'act')).toBe('done')
})

test('a login proves itself by PKCE, names what it is for, and registers a client where that is all there is', async () => {
  await using server = await serveWithLogin(calm)
  const login = await logIn({ url: server.url })
  expect(login).toMatchObject({ issuer: server.issuer, resource: server.url, scope: 'tools', serverUrl: server.url })
  const [asked] = server.authorizations
  expect(Object.fromEntries(asked ?? [])).toMatchObject({
    client_id: 'client-1',
    code_challenge_method: 'S256',
    redirect_uri: REDIRECT,
    resource: server.url,
    scope: 'tools',
  })
  expect(server.registrations).toMatchObject([{ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }])
  expect(server.grants[0]?.get('resource')).toBe(server.url)
})

test('a client-id metadata document is used where such are taken, and nothing is registered', async () => {
  await using server = await serveWithLogin(calm, { clients: 'document' })
  const clientMetadataUrl = 'https://tools.example.com/drawbridge.json'
  const login = await logIn({ url: server.url, oauth: { clientMetadataUrl } })
  expect(login.client.clientId).toBe(clientMetadataUrl)
  expect(server.registrations).toEqual([])
})

test('a client that the operator registered is used; without one the way to register it is named', async () => {
  await using server = await serveWithLogin(calm, { clients: 'by-hand' })
  const login = await logIn({ url: server.url, oauth: { clientId: 'mine', scope: 'read' } })
  expect([login.client.clientId, login.scope]).toEqual(['mine', 'read'])
  await expect(begin({ url: server.url })).rejects.toMatchObject({
    code: 'no-client',
    message: expect.stringContaining(`redirect address "${REDIRECT}" and set mcp.servers.calendar.oauth.clientId`),
  })
})

test('an answer of another login is not taken, a refusal is told by its code, a forged issuer is refused', async () => {
  await using server = await serveWithLogin(calm)
  const pending = await begin({ url: server.url })
  const answer = await agree(pending.url)
  expect(pending.isAnswer(answer)).toBe(true)
  expect(pending.isAnswer(new URLSearchParams({ code: 'x', state: 'y' }))).toBe(false)
  const refusal = new URLSearchParams({ error: 'access_denied', error_description: '<b>evil</b>' })
  await expect(pending.finish(refusal)).rejects.toThrow('the authorization server refused (access_denied)')
  await expect(pending.finish(new URLSearchParams({ error: 'Evil Text' }))).rejects.not.toThrow('Evil')
  answer.set('iss', 'https://evil.example.com')
  await expect(pending.finish(answer)).rejects.toThrow('names another authorization server')
  expect(server.grants).toEqual([])
  pending.close()
})

test('a token is renewed before it expires, once for many calls that wait', async () => {
  let ahead = 0
  const { promise: renewal, resolve: answerRenewal } = Promise.withResolvers<void>()
  await using parts = await loggedIn({ accessLifetimeS: 600, renewal }, () => Date.now() + ahead)
  const { server, recorded, vault } = parts
  const before = vault.logins.get('calendar')
  ahead = 550_000
  const calls = Promise.all(Array.from({ length: 20 }, () => recorded.text('calendar', 'act')))
  await until(() => renewals(server) === 1)
  answerRenewal()
  expect(new Set(await calls)).toEqual(new Set(['done']))
  expect(renewals(server)).toBe(1)
  const after = vault.logins.get('calendar')
  expect(after?.id).toBe(before?.id)
  expect(after?.refreshToken).not.toBe(before?.refreshToken)
  ahead = 1_100_000
  expect(await recorded.text('calendar', 'act')).toBe('done')
  expect(renewals(server)).toBe(2)
})

test('a token that the server no longer takes is renewed once for all calls, and each call is sent once more', async () => {
  await using parts = await loggedIn()
  const { server, recorded } = parts
  server.expireAccess()
  const texts = await Promise.all(Array.from({ length: 10 }, () => recorded.text('calendar', 'act')))
  expect(new Set(texts)).toEqual(new Set(['done']))
  expect(renewals(server)).toBe(1)
})

test('a login that has run out makes the server wait for a new one, without a loop of requests', async () => {
  await using parts = await loggedIn()
  const { server, recorded } = parts
  server.expireAccess()
  server.expireRefresh()
  const call = recorded.call('calendar', 'act')
  await expect(call).rejects.toBeInstanceOf(ToolUnavailable)
  await expect(call).rejects.toThrow('needs login; run "drawbridge mcp login calendar"; nothing was run')
  await until(() => statusOf(recorded.source, 'calendar')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'calendar')?.state).toMatchObject({ needs: 'login' })
  await pause(300)
  expect(renewals(server)).toBe(1)
})

test('a server that refuses even the fresh token is not asked to renew again and again', async () => {
  await using parts = await loggedIn()
  const { server, recorded } = parts
  server.refuseAccess()
  await expect(recorded.call('calendar', 'act')).rejects.toThrow('needs login')
  await pause(300)
  expect(renewals(server)).toBeLessThanOrEqual(2)
})

test('while the authorization server is out of reach a token that still holds is used', async () => {
  let ahead = 0
  await using server = await serveWithLogin(calm, { accessLifetimeS: 600 })
  const login = await logIn({ url: server.url })
  await using broken = await serveHttp((request) => request.socket.destroy())
  const vault = memoryVault()
  vault.logins.set('calendar', { ...login, tokenEndpoint: `http://127.0.0.1:${broken.port}/token` })
  const servers = { calendar: { url: server.url } }
  await using recorded = startSource({ servers, logins: vault, now: () => Date.now() + ahead })
  await recorded.ready('calendar')
  ahead = 570_000
  expect(await recorded.text('calendar', 'act')).toBe('done')
  ahead = 601_000
  await expect(recorded.call('calendar', 'act')).rejects.toThrow('renewing the login')
})

test('a login that is not renewed any more is used for as long as its token holds', async () => {
  let ahead = 0
  await using parts = await loggedIn({ accessLifetimeS: 600 }, () => Date.now() + ahead)
  const { server, recorded } = parts
  server.expireRefresh()
  ahead = 570_000
  expect([await recorded.text('calendar', 'act'), await recorded.text('calendar', 'act')]).toEqual(['done', 'done'])
  expect([renewals(server), statusOf(recorded.source, 'calendar')?.state.kind]).toEqual([1, 'ready'])
  ahead = 601_000
  await expect(recorded.call('calendar', 'act')).rejects.toThrow('run "drawbridge mcp login calendar"')
})

test.each([
  ['{"access_token":"new","expires_in":"60"}', 'refresh'],
  ['access_token=new&expires_in=60', 'refresh'],
  ['{"access_token":"new","refresh_token":null,"expires_in":60}', 'refresh'],
  ['{"access_token":"new","refresh_token":"next","token_type":"BEARER","expires_in":60}', 'next'],
])('a renewal that answers %s leaves a login that can be renewed again', async (answer, refreshToken) => {
  await using server = await serveHttp((_request, response) => response.end(answer))
  const tokens = { accessToken: 'old', refreshToken: 'refresh', obtainedMs: 0 }
  const login = {
    id: '1',
    serverUrl: server.url,
    issuer: server.url,
    tokenEndpoint: server.url,
    client: { clientId: 'c' },
  }
  const renewal = await renewLogin({ ...login, ...tokens }, { fetch, now: () => 1_000 })
  expect(renewal).toMatchObject({
    kind: 'renewed',
    login: { accessToken: 'new', refreshToken, expiresMs: 61_000 },
  })
})

test('one tool that wants more than the login allows says so, and the server stays connected', async () => {
  await using parts = await loggedIn()
  const { server, recorded } = parts
  server.demandScope('files:write')
  const call = recorded.call('calendar', 'act')
  await expect(call).rejects.toBeInstanceOf(ToolUnavailable)
  await expect(call).rejects.toThrow('run "drawbridge mcp login calendar" with --scope "tools files:write"')
  expect(statusOf(recorded.source, 'calendar')?.state.kind).toBe('ready')
})

test('tokens go to the server alone, and are in no log and no status', async () => {
  await using parts = await loggedIn()
  const { server, vault, recorded } = parts
  const { accessToken = '', refreshToken = '' } = vault.logins.get('calendar') ?? {}
  server.expireAccess()
  server.expireRefresh()
  await expect(recorded.call('calendar', 'act')).rejects.toThrow('needs login')
  const shown = JSON.stringify([recorded.log, recorded.states, recorded.source.status()])
  expect(server.presented).toContain(`Bearer ${accessToken}`)
  expect(shown).not.toContain(accessToken)
  expect(shown).not.toContain(refreshToken)
})

test('a server of the older transport that wants a login says so too', async () => {
  await using server = await serveWithLogin(calm)
  const config = { url: server.url }
  const memory = createServerMemory()
  const verdict = { transport: 'sse' as const, untilMs: Number.MAX_SAFE_INTEGER }
  memory.write('calendar', { identity: serverIdentity(config), verdict })
  await using recorded = startSource({ servers: { calendar: config }, logins: memoryVault(), memory })
  await until(() => statusOf(recorded.source, 'calendar')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'calendar')?.state).toMatchObject({
    reason: 'needs login; run "drawbridge mcp login calendar"',
    needs: 'login',
  })
})

test('nobody logs in at a server over plain http, but on this machine or in a network of the operator', async () => {
  const url = 'http://calendar.example.com/mcp'
  await expect(begin({ url })).rejects.toMatchObject({
    code: 'bad-server',
    message: expect.stringContaining('not https'),
  })
  const own = { url: 'http://calendar.invalid/mcp', allowPrivateAddresses: true }
  await expect(begin(own)).rejects.toMatchObject({ code: 'unreachable' })
})

test('a login that cannot be read is told of, and a new one heals it', async () => {
  await using server = await serveWithLogin(calm)
  const vault = memoryVault()
  let isBroken = true
  const broken = {
    ...vault,
    read: (name: string) => (isBroken ? Promise.reject(new Error('changed')) : vault.read(name)),
  }
  const timing = { backoffFirstMs: 60_000, backoffMaxMs: 60_000 }
  await using recorded = startSource({ servers: { calendar: { url: server.url } }, logins: broken, timing })
  await until(() => statusOf(recorded.source, 'calendar')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'calendar')?.state).toMatchObject({ needs: 'login' })
  expect(JSON.stringify(recorded.log)).toContain('the login cannot be read: changed')
  vault.logins.set('calendar', await logIn({ url: server.url }))
  isBroken = false
  recorded.source.reconnect('calendar')
  await recorded.ready('calendar')
})

test('a login that comes while a connection is being tried is not slept through', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await using server = await serveWithLogin(calm)
  const vault = memoryVault()
  let reads = 0
  const slow = {
    ...vault,
    read: async (name: string) => {
      reads += 1
      if (reads > 1) return vault.read(name)
      await held
      return undefined
    },
  }
  const timing = { backoffFirstMs: 60_000, backoffMaxMs: 60_000 }
  await using recorded = startSource({ servers: { calendar: { url: server.url } }, logins: slow, timing })
  await until(() => reads === 1)
  vault.logins.set('calendar', await logIn({ url: server.url }))
  recorded.source.reconnect('calendar')
  release()
  await recorded.ready('calendar')
})

test('a login for another address is none', async () => {
  await using server = await serveWithLogin(calm)
  await using other = await serveWithLogin(calm)
  const vault = memoryVault()
  vault.logins.set('calendar', await logIn({ url: server.url }))
  await using recorded = startSource({ servers: { calendar: { url: other.url } }, logins: vault })
  await until(() => statusOf(recorded.source, 'calendar')?.state.kind === 'down')
  expect(other.presented.every((header) => header === '')).toBe(true)
})

test('a login is ended at the authorization server, with all that came of it', async () => {
  await using server = await serveWithLogin(calm)
  const config = { url: server.url }
  const login = await logIn(config)
  const http = createLoginFetch({ config, forbiddenAddresses: [] })
  expect(await revokeLogin(login, http.fetch)).toEqual({ kind: 'revoked' })
  http.close()
  expect(server.revoked).toEqual([login.refreshToken])
})

test.each([
  ['has no PKCE', { hasPkce: false }, 'does not offer PKCE'],
  ['is somebody else', { metadata: { issuer: 'https://evil.example.com' } }, 'names another authorization server'],
  ['wants the code over plain http', { metadata: { token_endpoint: 'http://evil.example.com/t' } }, 'is not https'],
  ['opens a script', { metadata: { authorization_endpoint: 'file:///etc/passwd' } }, 'is not https'],
  ['speaks for another server', { resource: 'https://bank.example.com/mcp' }, 'which is not its address'],
] as const)('an authorization server that %s is refused', async (_what, options, reason) => {
  await using server = await serveWithLogin(calm, options)
  await expect(begin({ url: server.url })).rejects.toMatchObject({
    name: 'LoginError',
    message: expect.stringContaining(reason),
  })
})

test('an authorization server elsewhere that says nothing of itself is not trusted, as a server’s own is', async () => {
  const base = (): string => new URL(server.url).origin
  const named = { there: '' }
  const absent = (_request: unknown, response: ServerResponse): void => void response.writeHead(404).end()
  await using server: AuthorizationFixture = await serveWithLogin(calm, {
    override: {
      '/.well-known/oauth-protected-resource/mcp': (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ resource: server.url, authorization_servers: [named.there] }))
      },
      '/.well-known/oauth-authorization-server': absent,
    },
  })
  named.there = base().replace('127.0.0.1', 'localhost')
  await expect(begin({ url: server.url })).rejects.toMatchObject({
    code: 'bad-server',
    message: expect.stringContaining('has no metadata'),
  })
  expect(server.registrations).toEqual([])
  named.there = base()
  const pending = await begin({ url: server.url })
  expect(pending.url).toContain(`${base()}/authorize`)
  pending.close()
})

test('an authorization server with an endless body, or none, costs bounded memory and time', async () => {
  const flood = 'x'.repeat(64 * 1024)
  const override: AuthorizationOptions['override'] = {
    '/.well-known/oauth-authorization-server': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"issuer":"')
      const timer = setInterval(() => response.write(flood), 1)
      response.once('close', () => clearInterval(timer))
    },
  }
  await using server = await serveWithLogin(calm, { override })
  await expect(begin({ url: server.url })).rejects.toThrow('more than 262144 bytes')
  const config = { url: server.url }
  await using mute = await serveHttp((_request, response) => void response.writeHead(200).write('{'))
  const http = createLoginFetch({ config, forbiddenAddresses: [], stepMs: 100 })
  const answer = await http.fetch(mute.url)
  await expect(answer.text()).rejects.toThrow('aborted')
  http.close()
})

test('an authorization server at a forbidden address is never connected to', async () => {
  let reached = 0
  await using secret = await serveHttp((_request, response) => {
    reached += 1
    response.end()
  })
  const inside = `http://127.0.0.2:${secret.port}`
  const override: AuthorizationOptions['override'] = {
    '/.well-known/oauth-protected-resource/mcp': (request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ resource: `http://${request.headers.host}/mcp`, authorization_servers: [inside] })),
  }
  await using server = await serveWithLogin(calm, { override })
  await expect(begin({ url: server.url }, { forbidden: ['127.0.0.2'] })).rejects.toThrow('127.0.0.2 is forbidden')
  expect(reached).toBe(0)
})

test('a server that asks nobody to log in is told apart from one that cannot be reached', async () => {
  await using open = await serveHttp((_request, response) => void response.writeHead(404).end())
  await expect(begin({ url: open.url })).rejects.toMatchObject({ code: 'not-wanted' })
  const nobody = `http://127.0.0.1:${await freePort()}/mcp`
  await expect(begin({ url: nobody })).rejects.toMatchObject({ code: 'unreachable' })
})
