import { Server } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import { createLegacySessions } from './legacy-sessions.ts'
import { createSessionIds } from './session-ids.ts'

/** Sealing is not what is tested here, but that no two seals are the same. */
let sealed = 0
const seal = {
  seal: (bytes: Uint8Array) => Buffer.from(`${Buffer.from(bytes).toString()}${' '.repeat((sealed += 1))}`),
  open: (bytes: Uint8Array) => bytes,
}

interface Asked {
  readonly id?: string
  readonly token?: string
  readonly method?: 'POST' | 'GET' | 'DELETE'
  readonly accept?: string
}

/** The sessions of one process. */
function aProcess(bounds = { all: 4, perToken: 2, idleMs: 1_000 }) {
  const servers: Server[] = []
  const sessions = createLegacySessions({
    createServer() {
      const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: { listChanged: true } } })
      servers.push(server)
      return server
    },
    onError: () => {},
    ids: createSessionIds(seal),
    now: () => 0,
    bounds,
  })
  const ask = (body: JsonObject | undefined, { id, token = 'a', method = 'POST', accept = BOTH }: Asked = {}) =>
    sessions.serve({
      request: new Request('http://localhost/mcp', {
        method,
        headers: {
          accept,
          'content-type': 'application/json',
          // As clients do once a revision is agreed on.
          ...(id !== undefined && { 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' }),
        },
      }),
      body: body && { jsonrpc: '2.0', ...body },
      authInfo: { token: '', clientId: token, scopes: [] },
      authenticated: {
        token: { id: token, name: token, tenant: 't', scopes: ['tools'], hash: '', createdMs: 0 },
        caller: { tenant: 't', agent: 'default' },
      },
      sent: method === 'GET' ? new Promise(() => {}) : Promise.resolve(),
    })
  const open = async (asked: Asked = {}): Promise<string> => {
    const response = await ask(INITIALIZE, asked)
    await response.text()
    return response.headers.get('mcp-session-id') ?? `refused with ${response.status}`
  }
  return { sessions, servers, ask, open }
}

const BOTH = 'application/json, text/event-stream'
const PING = { id: 1, method: 'ping' }
const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: {}, sampling: {} },
    clientInfo: { name: 'c', version: '1' },
  },
}

test('the session of a client that knows nothing of a restart goes on with its next requests, as it began', async () => {
  const id = await aProcess().open()
  const { sessions, servers, ask } = aProcess()
  const answers = await Promise.all([
    ask(PING, { id }),
    ask({ ...PING, id: 2 }, { id }),
    ask({ ...PING, id: 3 }, { id }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(answers[0]?.headers.get('mcp-session-id')).toBe(id)
  expect(await answers[1]?.text()).toContain('{"result":{},"jsonrpc":"2.0","id":2}')
  expect([sessions.count(), servers.length]).toEqual([1, 1])
  expect(servers[0]?.getClientCapabilities()).toMatchObject({ elicitation: {}, sampling: {} })
  expect(servers[0]?.getClientVersion()).toMatchObject({ name: 'c' })
})

test('its stream begins with word that the tools may have changed meanwhile', async () => {
  const id = await aProcess().open()
  const stream = await aProcess().ask(undefined, { id, method: 'GET', accept: 'text/event-stream' })
  const { value } = (await stream.body?.getReader().read()) ?? {}
  expect(new TextDecoder().decode(value)).toContain('tools/list_changed')
})

test('a client that reads no streams is given none then either', async () => {
  const accept = 'application/json'
  const id = await aProcess().open({ accept })
  const { ask, servers } = aProcess()
  expect(await (await ask(PING, { id, accept })).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  expect(servers[0]?.getClientCapabilities()).toBeUndefined()
})

test('it is opened for the token that it began with alone, within the bounds, and not once it has ended here', async () => {
  const before = aProcess()
  const [id, second, third] = [
    await before.open(),
    await before.open({ token: 'b' }),
    await before.open({ token: 'c' }),
  ]
  const { ask, sessions } = aProcess({ all: 2, perToken: 1, idleMs: 1_000 })
  expect((await ask(PING, { id, token: 'b' })).status).toBe(404)
  expect(sessions.count()).toBe(0)
  expect((await ask(PING, { id })).status).toBe(200)
  expect((await ask(PING, { id: second, token: 'b' })).status).toBe(200)
  expect((await ask(PING, { id: third, token: 'c' })).status).toBe(200)
  expect(sessions.count()).toBe(2)
  // In use until its stream ends: one more is refused, and may come again.
  const full = aProcess({ all: 9, perToken: 1, idleMs: 1_000 })
  await full.ask(undefined, { id, method: 'GET', accept: 'text/event-stream' })
  const other = await before.open()
  expect((await full.ask(PING, { id: other })).status).toBe(503)
  const own = aProcess()
  const ended = await own.open()
  expect((await own.ask(undefined, { id: ended, method: 'DELETE' })).status).toBe(200)
  expect((await own.ask(PING, { id: ended })).status).toBe(404)
})

test('it stays ended once it has ended here, also where it was opened again for that alone', async () => {
  const before = aProcess()
  const [used, unused] = [await before.open(), await before.open()]
  const { ask, sessions } = aProcess()
  expect((await ask(PING, { id: used })).status).toBe(200)
  for (const id of [used, unused]) {
    expect((await ask(undefined, { id, method: 'DELETE' })).status).toBe(200)
    expect((await ask(PING, { id })).status).toBe(404)
  }
  expect(sessions.count()).toBe(0)
})
