import { Server } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { LegacySessionsDeps } from './legacy-sessions.ts'
import { createLegacySessions } from './legacy-sessions.ts'

function someSessions(bounds: Partial<NonNullable<LegacySessionsDeps['bounds']>> = {}) {
  let count = 0
  const clock = { nowMs: 0 }
  const sessions = createLegacySessions({
    createServer: () => new Server({ name: 's', version: '1' }, { capabilities: { tools: { listChanged: true } } }),
    onError: () => {},
    ids: { mint: () => `s${(count += 1)}`, startOf: () => undefined, openedAgain: () => {} },
    now: () => clock.nowMs,
    bounds: { all: 4, perToken: 2, idleMs: 1_000, ...bounds },
  })
  const post = (body: JsonObject, asked: Asked = {}) => {
    const { id, token = 'a', agent = 'default', sent = Promise.resolve(), accept = BOTH, version } = asked
    return sessions.serve({
      request: new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          ...(accept !== '' && { accept }),
          'content-type': 'application/json',
          ...(id !== undefined && { 'mcp-session-id': id }),
          ...(version !== undefined && { 'mcp-protocol-version': version }),
        },
      }),
      body: { jsonrpc: '2.0', ...body },
      authInfo: { token: '', clientId: token, scopes: [] },
      authenticated: authenticatedOf(token, agent),
      sent,
    })
  }
  const get = (id: string | undefined, accept = 'text/event-stream') =>
    sessions.serve({
      request: new Request('http://localhost/mcp', {
        headers: { ...(accept !== '' && { accept }), ...(id !== undefined && { 'mcp-session-id': id }) },
      }),
      body: undefined,
      authInfo: { token: '', clientId: 'a', scopes: [] },
      authenticated: authenticatedOf('a', 'default'),
      sent: new Promise(() => {}),
    })
  const open = async (asked: Asked = {}): Promise<string> => {
    const response = await post(INITIALIZE, asked)
    await response.text()
    clock.nowMs += 1
    return response.headers.get('mcp-session-id') ?? `refused with ${response.status}`
  }
  const ping = async (id: string, asked: Asked = {}): Promise<number> =>
    (await post({ id: 1, method: 'ping' }, { ...asked, id })).status
  return { sessions, clock, post, get, open, ping }
}

function authenticatedOf(token: string, agent: string): Authenticated {
  return {
    token: { id: token, name: token, tenant: 't', scopes: ['tools'], hash: '', createdMs: 0 },
    caller: { tenant: 't', agent },
  }
}

interface Asked {
  readonly id?: string
  readonly token?: string
  readonly agent?: string
  readonly sent?: Promise<void>
  readonly accept?: string
  readonly version?: string
}

const BOTH = 'application/json, text/event-stream'

const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
}

test.each(['application/json', '*/*', ''])(
  'a client that takes %j gets each answer as one JSON text',
  async (accept) => {
    const { post, open } = someSessions()
    const response = await post(INITIALIZE, { accept })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    const id = response.headers.get('mcp-session-id') ?? ''
    expect(await (await post({ id: 1, method: 'ping' }, { accept, id })).json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {},
    })
    const streaming = await open()
    const pinged = await post({ id: 1, method: 'ping' }, { id: streaming })
    expect(pinged.headers.get('content-type')).toBe('text/event-stream')
  },
)

test('a request of a session that is to be answered in JSON alone is, whatever the session began with', async () => {
  const { post, open } = someSessions()
  const id = await open()
  const asked = (accept: string) => post({ id: 1, method: 'ping' }, { id, accept })
  const answer = await asked('application/json')
  expect([answer.headers.get('content-type'), await answer.json()]).toEqual([
    'application/json',
    { jsonrpc: '2.0', id: 1, result: {} },
  ])
  for (const accept of [BOTH, 'application/json, */*', '']) {
    expect((await asked(accept)).headers.get('content-type')).toBe('text/event-stream')
  }
})

test('who begins anew with the id of a session that has ended begins anew, and no other request does', async () => {
  const { post, open, ping } = someSessions()
  const foreign = await open({ token: 'b' })
  for (const id of ['gone', foreign]) {
    const response = await post(INITIALIZE, { id })
    expect(response.status).toBe(200)
    expect(response.headers.get('mcp-session-id')).not.toBe(id)
  }
  expect(await ping('gone')).toBe(404)
  expect(await ping(foreign, { token: 'b' })).toBe(200)
})

test('an "initialize" that cannot be read is told from a request without a session', async () => {
  const { post } = someSessions()
  const told = async (body: JsonObject) => JSON.stringify(await (await post(body)).json())
  expect(await told({ id: 1, method: 'initialize', params: {} })).toContain('needs an id, and the protocolVersion')
  expect(await told({ id: 1, method: 'tools/list' })).toContain('send \\"initialize\\" first')
})

test('a refused request is answered by its id: its client may wait for that alone', async () => {
  const { post } = someSessions()
  const idOf = async (body: JsonObject, id?: string) => {
    const response = await post(body, id === undefined ? {} : { id })
    return [response.status, /"id":([^,]+),/.exec(await response.text())?.[1]]
  }
  expect(await idOf({ id: 'a', method: 'tools/list' })).toEqual([400, '"a"'])
  expect(await idOf({ id: 0, method: 'tools/list' }, 'gone')).toEqual([404, '0'])
  expect(await idOf({ id: 7, method: 'initialize', params: {} })).toEqual([400, '7'])
  expect(await idOf({ method: 'notifications/initialized' })).toEqual([400, 'null'])
  expect(await idOf({ id: 7, result: {} })).toEqual([400, 'null'])
})

test('before a session begins a client may ask whether somebody is there, and no more', async () => {
  const { post, sessions } = someSessions()
  const response = await post({ id: 4, method: 'ping' })
  expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 4, result: {} }])
  expect([(await post({ method: 'ping' })).status, sessions.count()]).toEqual([400, 0])
})

test('a session begins whatever revision the headers of its "initialize" name: that is agreed upon in it', async () => {
  const { post } = someSessions()
  for (const version of ['2031-01-01', '2026-07-28', '1999-01-01', 'x']) {
    const begun = { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: version } }
    const response = await post(begun, { version })
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"2025-11-25"')])
    const id = response.headers.get('mcp-session-id') ?? ''
    expect((await post({ id: 1, method: 'ping' }, { id, version: '1999-01-01' })).status).toBe(400)
  }
})

test('types that a client takes may be written in capitals, or be any', async () => {
  const { open, get, ping } = someSessions()
  const capitals = { accept: BOTH.toUpperCase() }
  const id = await open(capitals)
  expect(await ping(id, capitals)).toBe(200)
  for (const accept of ['Text/Event-Stream', 'text/*', '*/*', '']) expect((await get(id, accept)).status).toBe(200)
  expect((await get(id, 'application/json')).status).toBe(406)
})

test('a session is its token and agent alone', async () => {
  const { open, ping } = someSessions()
  const id = await open()
  expect(await ping(id)).toBe(200)
  expect(await ping(id, { token: 'b' })).toBe(404)
  expect(await ping(id, { agent: 'other' })).toBe(404)
  expect(await ping('s99')).toBe(404)
})

test('without a session only "initialize" is answered', async () => {
  const { post, sessions } = someSessions()
  expect((await post({ id: 1, method: 'tools/list' })).status).toBe(400)
  expect(sessions.count()).toBe(0)
})

test('the stream that a client opens last is its stream, so that a lost connection keeps it from none', async () => {
  const { sessions, open, get } = someSessions()
  const id = await open()
  const [lost, alone] = [await get(id), await get(undefined)]
  expect([lost.status, alone.status, alone.headers.get('allow')]).toEqual([200, 405, 'POST, DELETE'])
  const stream = await get(id)
  expect(stream.status).toBe(200)
  expect(await lost.text()).toBe('')
  sessions.toolsChanged('default')
  const { value } = (await stream.body?.getReader().read()) ?? {}
  expect(new TextDecoder().decode(value)).toContain('tools/list_changed')
})

test('the session of a token that was idle longest makes room for its next one', async () => {
  const { open, ping } = someSessions()
  const [first, second] = [await open(), await open()]
  expect(await ping(first)).toBe(200)
  const third = await open()
  expect(await Promise.all([first, second, third].map((id) => ping(id)))).toEqual([200, 404, 200])
})

test('sessions that are in use are never ended for another', async () => {
  const { open } = someSessions()
  const forEver = new Promise<void>(() => {})
  await open({ sent: forEver })
  await open({ sent: forEver })
  expect(await open()).toBe('refused with 503')
  expect(await open({ token: 'b' })).toBe('s3')
})

test('there are never more than the bound in all', async () => {
  const { open, sessions } = someSessions()
  for (const token of ['a', 'b', 'c', 'd', 'e', 'f']) await open({ token })
  expect(sessions.count()).toBe(4)
})

test('a session that nobody has used for long is ended, one with an open stream is not', async () => {
  const { sessions, clock, open, ping } = someSessions()
  const idle = await open()
  const streaming = await open({ sent: new Promise<void>(() => {}) })
  clock.nowMs += 2_000
  sessions.sweep()
  expect(await ping(idle)).toBe(404)
  expect(await ping(streaming)).toBe(200)
})

test('what is no proper "initialize" begins no session', async () => {
  const { post, sessions } = someSessions()
  expect((await post({ id: 0, method: 'initialize', params: { protocolVersion: 7 } })).status).toBe(400)
  expect(sessions.count()).toBe(0)
})

test('after the end no session is left', async () => {
  const { open, ping, sessions } = someSessions()
  const id = await open()
  await sessions.close()
  expect([sessions.count(), await ping(id)]).toEqual([0, 404])
})
