import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { childrenOf, isAlive } from './testing/child-processes.ts'
import type { Body, FileServer, SeenRequest } from './testing/file-server.ts'
import { startFileServer } from './testing/file-server.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { ROOT, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let files: FileServer
let gateway: GatewayProcess
let since = 0

beforeAll(async () => {
  files = await startFileServer()
  gateway = await startGateway({
    config: {
      mcp: {
        passthrough: ['resources', 'prompts'],
        servers: {
          files: { url: files.url, headers: { 'x-own-key': 'k-1234567' } },
          everything: {
            command: process.execPath,
            args: [`${ROOT}/node_modules/@modelcontextprotocol/server-everything/dist/index.js`, 'stdio'],
          },
        },
      },
      agents: { other: { tools: { deny: ['mcp:files:*'] } } },
      tools: {
        rules: [{ tool: 'mcp:files:guarded', effect: 'ask' }],
        deny: ['mcp:files:wipe', 'resources/mem://secret/*', 'mcp:files:prompts/hidden'],
      },
    },
  })
  await waitUntil('the tools of both servers are there', async () => {
    const { body } = await gateway.api.get('/v1/tools?limit=200')
    const owners = new Set(body.tools.map(({ owner }: { readonly owner: string }) => owner))
    return owners.has('files') && owners.has('everything')
  })
}, 60_000)
afterAll(async () => {
  await gateway.remove()
  await files.close()
})
beforeEach(() => {
  since = files.seen.length
})

const seenNow = (): readonly SeenRequest[] => files.seen.slice(since)
const whatNow = (): readonly string[] => seenNow().map(({ what }) => what)

interface Answer {
  readonly status: number
  readonly session: string | undefined
  readonly body: Body
  readonly messages: readonly Body[]
  readonly type: string | null
}

interface Sending {
  /** `/mcp` itself where it is undefined. */
  readonly server?: string | undefined
  readonly token?: string
  readonly session?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

async function send(body: unknown, options: Sending = {}): Promise<Answer> {
  const { token = gateway.token, session, method = 'POST', headers, signal } = options
  const server = 'server' in options ? options.server : 'files'
  const response = await fetch(`${gateway.url}${server === undefined ? '/mcp' : `/mcp/servers/${server}`}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const text = await response.text()
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const lines = text.split('\n').filter((line) => line.startsWith('data: '))
  const messages: readonly Body[] = isStream
    ? lines.map((line) => JSON.parse(line.slice(6)))
    : text === ''
      ? []
      : [JSON.parse(text)]
  return {
    status: response.status,
    session: response.headers.get('mcp-session-id') ?? undefined,
    body: messages.at(-1),
    messages,
    type: response.headers.get('content-type'),
  }
}

let lastId = 0
function ask(method: string, params: object = {}, options: Sending = {}): Promise<Answer> {
  return send({ jsonrpc: '2.0', id: (lastId += 1), method, params }, options)
}

async function openSession(options: Sending = {}): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { session, body } = await ask('initialize', params, options)
  if (session === undefined) throw new Error(`no session: ${JSON.stringify(body)}`)
  await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, { ...options, session })
  return session
}

async function makeToken(tenant: string, more: object = {}): Promise<string> {
  const { body } = await gateway.api.post('/v1/tokens', {
    name: `t${(lastId += 1)}`,
    tenant,
    scopes: ['tools'],
    ...more,
  })
  return body.token
}

describe('policy', () => {
  test('what is denied is absent from every list', async () => {
    const [tools, resources, templates, prompts] = await Promise.all([
      ask('tools/list'),
      ask('resources/list'),
      ask('resources/templates/list'),
      ask('prompts/list'),
    ])
    expect(tools.body.result.tools.map(({ name }: Body) => name)).toEqual(['echo', 'guarded'])
    expect(resources.body.result.resources.map(({ uri }: Body) => uri)).toEqual(['mem://open'])
    expect(templates.body.result.resourceTemplates.map(({ name }: Body) => name)).toEqual(['mem://open/{id}'])
    expect(prompts.body.result.prompts.map(({ name }: Body) => name)).toEqual(['greet'])
  })

  test.each([
    ['tools/call', { name: 'wipe', arguments: {} }],
    ['tools/call', { name: 'app_only', arguments: {} }],
    ['tools/call', { name: 'nowhere', arguments: {} }],
    ['resources/read', { uri: 'mem://secret/one' }],
    ['resources/read', { uri: ['mem://secret/one'] }],
    ['resources/subscribe', { uri: 'mem://secret/one' }],
    ['prompts/get', { name: 'hidden' }],
    ['prompts/get', { name: { toString: 'hidden' } }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'hidden' }, argument: { name: 'a', value: '' } }],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: 'mem://secret/{id}' }, argument: { name: 'id', value: '' } },
    ],
    ['subscriptions/listen', { notifications: { resourceSubscriptions: ['mem://secret/one'] } }],
    ['tools/call_all', { names: ['wipe'] }],
    ['tasks/list', {}],
  ])('%s %j is refused, and the server never hears of it', async (method, params) => {
    const { body } = await ask(method, params)
    expect(body.error.code).toBeLessThan(-32_000)
    expect(whatNow()).toEqual([])
  })

  test.each([undefined, null])('a call without an id to answer (%j) is no way around policy', async (id) => {
    const call = {
      jsonrpc: '2.0',
      ...(id === null && { id }),
      method: 'tools/call',
      params: { name: 'wipe', arguments: {} },
    }
    for (const body of [call, { ...call, method: 'resources/read', params: { uri: 'mem://secret/one' } }]) {
      const { status } = await send(body)
      expect(status).toBe(400)
    }
    expect(whatNow()).toEqual([])
  })

  test('a server whose tools are all denied to an agent is not there for it, like one that is not configured', async () => {
    const headers = { 'x-drawbridge-agent': 'other' }
    const [denied, unknown] = await Promise.all([
      ask('tools/list', {}, { headers }),
      ask('tools/list', {}, { headers, server: 'nowhere' }),
    ])
    expect([denied.status, unknown.status]).toEqual([404, 404])
    expect(denied.body.error.message.replace('files', '?')).toBe(unknown.body.error.message.replace('nowhere', '?'))
    expect(whatNow()).toEqual([])
  })

  test('a client that asks for nothing that passes is not told of it', async () => {
    const { body } = await ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    })
    expect(body.result.capabilities.tasks).toBeUndefined()
    expect(body.result.capabilities.resources).toEqual({ subscribe: true })
  })
})

describe('a call', () => {
  test('takes the one path of every call and comes back as the server gave it', async () => {
    const { body } = await ask('tools/call', {
      name: 'echo',
      arguments: { text: 'hello' },
      _meta: { progressToken: 7 },
    })
    expect(body.result).toEqual({
      content: [
        { type: 'text', text: 'hello' },
        { type: 'novel', kept: 1 },
      ],
      _meta: { own: 1 },
    })
    expect(seenNow().map(({ body: sent }) => sent.params)).toEqual([
      { name: 'echo', arguments: { text: 'hello' }, _meta: { progressToken: 7 } },
    ])
    const receipts = await gateway.api.get('/v1/receipts')
    expect(receipts.body.receipts.map(({ receipt }: Body) => [receipt.toolId, receipt.outcome])).toContainEqual([
      'mcp:files:echo',
      'ok',
    ])
  })

  test('with arguments that the schema forbids ends before the server, in words for a model', async () => {
    const { body } = await ask('tools/call', { name: 'echo', arguments: { text: 'a', other: 1 } })
    expect(body.result.isError).toBe(true)
    expect(body.result.content[0].text).toContain('other')
    expect(whatNow()).toEqual([])
  })

  test('carries the key of the operator to the server and never the token of the client', async () => {
    await ask('tools/call', { name: 'echo', arguments: {} }, { headers: { 'x-own-key': 'forged', cookie: 'a=1' } })
    const [call] = seenNow()
    expect(call?.headers['x-own-key']).toBe('k-1234567')
    expect(call?.headers.authorization).toBeUndefined()
    expect(call?.headers.cookie).toBeUndefined()
  })

  test.each(['application/json', '*/*', 'text/event-stream'])(
    'of a client that accepts %j reaches a server that wants both accepted, and comes back as that client reads it',
    async (accept) => {
      files.misbehave((response, { id }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} })}\n\n`)
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n\n`)
      })
      const options = { headers: { accept }, session: await openSession({ headers: { accept } }) }
      const streamed = await ask('tools/call', { name: 'echo', arguments: {} }, options)
      const plain = await ask('tools/call', { name: 'echo', arguments: { text: 'plain' } }, options)
      expect([streamed.body.result.content, plain.body.result.content[0].text]).toEqual([[], 'plain'])
      const isStream = accept === 'text/event-stream'
      expect([streamed.messages.length, plain.type]).toEqual(
        isStream ? [2, 'text/event-stream'] : [1, 'application/json'],
      )
    },
  )

  test('that somebody has to allow waits for that, and reaches the server only then', async () => {
    const call = ask('tools/call', { name: 'guarded', arguments: { text: 'please' } })
    const pending = await waitUntil('it is asked about', async () => {
      const { body } = await gateway.api.get('/v1/approvals?state=pending')
      return body.approvals.find(({ toolId }: Body) => toolId === 'mcp:files:guarded')
    })
    expect(whatNow()).toEqual([])
    await gateway.api.post(`/v1/approvals/${pending.id}/decision`, { decision: 'allow-once' })
    expect((await call).body.result.content[0].text).toBe('please')
  })

  test('whose headers name another tool than its body is refused', async () => {
    const { status, body } = await ask(
      'tools/call',
      { name: 'echo', arguments: {} },
      { headers: { 'mcp-name': 'wipe' } },
    )
    expect([status, body.error.code]).toEqual([400, -32_020])
    expect(whatNow()).toEqual([])
  })

  test('cannot be touched from outside of its session by an id that somebody guesses', async () => {
    const token = await makeToken('default')
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: lastId } }
    const answer = { jsonrpc: '2.0', id: lastId, result: { action: 'accept', content: {} } }
    const others = [await send(cancelled, { token }), await send(answer, { token })]
    expect(others.map(({ status }) => status)).toEqual([202, 400])
    const resumed = await send(undefined, { token, method: 'GET', headers: { 'last-event-id': '1' } })
    expect(resumed.status).toBe(405)
    expect(seenNow().map(({ what, headers }) => [what, headers['last-event-id']])).toEqual([['GET', undefined]])
  })

  test('that its client cancels in a session is cancelled at the server', async () => {
    const session = await openSession()
    files.misbehave(() => {
      // Never answers.
    })
    const id = (lastId += 1)
    const call = send(
      { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: {} } },
      { session },
    )
    await waitUntil('the server has the call', () => whatNow().includes('POST tools/call'))
    await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }, { session })
    // By the protocol it has no answer, and some clients take one for a fault of the server.
    expect((await call).body).toBeUndefined()
    const cancelled = await waitUntil('it is told', () => seenNow().find(({ what }) => what.endsWith('/cancelled')))
    expect(cancelled.body.params.requestId).toBe(id)
    const asked = seenNow().find(({ what }) => what === 'POST tools/call')
    await waitUntil('its connection is let go', () => asked?.isAborted())
  })
})

describe('at /mcp, among all servers', () => {
  const all = { server: undefined }

  test('resources and prompts have the names of their server, and lead back to it', async () => {
    const session = await openSession(all)
    const here = { ...all, session }
    const listed = await Promise.all([
      ask('resources/list', {}, here),
      ask('resources/templates/list', {}, here),
      ask('prompts/list', {}, here),
    ])
    const [resources, templates, prompts] = listed.map(({ body }) => body.result)
    const uris: readonly string[] = resources.resources.map(({ uri }: Body) => uri)
    expect(uris.filter((uri) => uri.startsWith('drawbridge:files:'))).toEqual(['drawbridge:files:mem://open'])
    expect(uris.some((uri) => uri.startsWith('drawbridge:everything:'))).toBe(true)
    expect(templates.resourceTemplates[0].uriTemplate).toBe('drawbridge:files:mem://open/{id}')
    const names: readonly string[] = prompts.prompts.map(({ name }: Body) => name)
    expect(names.filter((name) => name.startsWith('files__'))).toEqual(['files__greet'])
    const read = await ask('resources/read', { uri: 'drawbridge:files:mem://open/7' }, here)
    expect(read.body.result.contents).toEqual([{ uri: 'drawbridge:files:mem://open/7', text: 'read' }])
    expect(seenNow().at(-1)?.body.params).toMatchObject({ uri: 'mem://open/7' })
    expect((await ask('prompts/get', { name: 'files__greet' }, here)).body.result.messages).toEqual([])
  })

  test.each([
    ['resources/read', { uri: 'drawbridge:files:mem://secret/one' }],
    ['resources/read', { uri: 'drawbridge:nowhere:mem://open' }],
    ['resources/read', { uri: 'mem://open' }],
    ['prompts/get', { name: 'files__hidden' }],
    ['prompts/get', { name: 'greet' }],
  ])('%s %j is not there', async (method, params) => {
    const session = await openSession(all)
    const { body } = await ask(method, params, { ...all, session })
    expect(body.error.message).toMatch(/not found/)
    expect(whatNow()).toEqual([])
  })

  test('an agent sees none of a server that it is denied', async () => {
    const headers = { 'x-drawbridge-agent': 'other' }
    const session = await openSession({ ...all, headers })
    const { body } = await ask('resources/list', {}, { ...all, headers, session })
    expect(body.result.resources.filter(({ uri }: Body) => uri.startsWith('drawbridge:files:'))).toEqual([])
    expect(whatNow()).toEqual([])
  })
})

describe('sessions', () => {
  test("have ids of the gateway; the server's own is never shown", async () => {
    const session = await openSession()
    expect(session).not.toContain('upstream')
    await ask('ping', {}, { session })
    expect(seenNow().at(-1)?.headers['mcp-session-id']).toMatch(/^upstream-\d+$/)
  })

  test('of another token, tenant or server are not found', async () => {
    const [mine, theirs] = await Promise.all([makeToken('acme'), makeToken('rival')])
    const session = await openSession({ token: mine })
    expect((await ask('ping', {}, { session, token: mine })).status).toBe(200)
    expect((await ask('ping', {}, { session, token: theirs })).status).toBe(404)
    expect((await ask('ping', {}, { session })).status).toBe(404)
    expect((await ask('ping', {}, { session, token: mine, server: 'everything' })).status).toBe(404)
    expect((await send(undefined, { session, token: theirs, method: 'DELETE' })).status).toBe(404)
    expect((await ask('ping', {}, { session, token: mine })).status).toBe(200)
  })

  test('begin anew for a client that still names one that has ended', async () => {
    const session = await openSession({ session: 'pass_gone' })
    expect(session).not.toBe('pass_gone')
    const { status, body } = await ask('ping', {}, { session: 'pass_gone' })
    // Its client may wait for that id alone.
    expect([status, body.id]).toEqual([404, lastId])
    const listed = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: null }, { session })
    expect([listed.status, Array.isArray(listed.body.result.tools)]).toEqual([200, true])
  })

  test('end at the server too when the client ends them', async () => {
    const session = await openSession()
    expect((await send(undefined, { session, method: 'DELETE' })).status).toBe(204)
    expect(whatNow().at(-1)).toBe('DELETE')
    expect((await ask('ping', {}, { session })).status).toBe(404)
  })

  test('with a server on stdio have a process each, which ends with them', async () => {
    const before = new Set((await childrenOf(gateway.pid)).map(({ pid }) => pid))
    const [first, second] = await Promise.all([
      openSession({ server: 'everything' }),
      openSession({ server: 'everything' }),
    ])
    const own = (await childrenOf(gateway.pid)).filter(
      ({ pid, command }) => !before.has(pid) && command.includes('everything'),
    )
    expect(own).toHaveLength(2)
    const answer = await ask(
      'tools/call',
      { name: 'echo', arguments: { message: 'hi' } },
      { server: 'everything', session: first },
    )
    expect(answer.body.result.content[0].text).toContain('hi')
    for (const session of [first, second]) await send(undefined, { server: 'everything', session, method: 'DELETE' })
    for (const child of own) await waitUntil(`${child.pid} has ended`, async () => !(await isAlive(child)))
  })
})

describe('clients of both SDK generations', () => {
  const address = (): URL => new URL(`${gateway.url}/mcp/servers/everything`)
  const withToken = (): { readonly requestInit: RequestInit } => ({
    requestInit: { headers: { authorization: `Bearer ${gateway.token}` } },
  })
  const echo = { name: 'echo', arguments: { message: 'hi' } }
  const echoed = [expect.objectContaining({ text: expect.stringContaining('hi') })]

  test('1.x lists, reads and calls', async () => {
    const client = new OldClient({ name: 'old', version: '1' })
    await client.connect(new OldTransport(address(), withToken()))
    expect((await client.listResources()).resources.length).toBeGreaterThan(0)
    expect((await client.callTool(echo)).content).toEqual(echoed)
    await client.close()
  })

  test('2.x asks for the newest revision, and falls back to what the server on stdio speaks', async () => {
    const client = new Client({ name: 'new', version: '2' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(address(), withToken()))
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25')
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0)
    expect((await client.callTool(echo)).content).toEqual(echoed)
    await client.close()
  })
})

describe('a hostile server', () => {
  const calling = (): Promise<Answer> => ask('tools/call', { name: 'echo', arguments: { text: 'x' } })
  const answering =
    (text: string, { type = 'application/json', status = 200 } = {}): Parameters<FileServer['misbehave']>[0] =>
    (response) =>
      void response.writeHead(status, { 'content-type': type }).end(text)

  test.each([
    ['is no JSON', answering('{"jsonrpc":"2.0"')],
    ['is no message', answering('[1,2]')],
    ['is to another request', answering('{"jsonrpc":"2.0","id":"other","result":{"content":[]}}')],
    [
      'nests a thousand levels deep',
      answering(`{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}}`),
    ],
    ['ends its stream without a word', answering(': nothing\n\n', { type: 'text/event-stream' })],
    ['is a failure of the server', answering('boom', { status: 500 })],
    ['wants a login', answering('{"error":"login"}', { status: 401 })],
  ])("that %s is an error for the client, and nothing of the gateway's", async (_what, misbehaviour) => {
    files.misbehave(misbehaviour)
    const { status, body } = await calling()
    expect(status).toBe(200)
    expect(body.result.isError).toBe(true)
    expect((await calling()).body.result.content[0].text).toBe('x')
  })

  test('has the client wait that it has no time for', async () => {
    files.misbehave((response) => void response.writeHead(429, { 'retry-after': '7' }).end())
    const { text } = (await calling()).body.result.content[0]
    expect(text).toContain('it asks to wait for 7 s')
  })

  test('sends no client anywhere else', async () => {
    files.misbehave((response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end())
    expect((await calling()).body.result.content[0].text).toContain('307')
  })

  test('cannot fill the memory: an answer over the limit is cut', { timeout: 60_000 }, async () => {
    files.misbehave((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const chunk = Buffer.alloc(1024 * 1024, 'a')
      const pour = (): void => {
        while (!response.destroyed) if (!response.write(chunk)) return void response.once('drain', pour)
      }
      pour()
    })
    const { body } = await calling()
    expect(body.result.content[0].text).toContain('bytes')
  })

  test('may put noise, foreign answers and second answers on a stream: the first that fits counts', async () => {
    files.misbehave((response, body) => {
      const events = [
        'not json',
        '{"jsonrpc":"2.0","id":"foreign","result":{}}',
        '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"mem://secret/one"}}',
        '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"told"}}',
        JSON.stringify({ jsonrpc: '2.0', id: body.id, result: { content: [{ type: 'text', text: 'first' }] } }),
        JSON.stringify({ jsonrpc: '2.0', id: body.id, result: { content: [{ type: 'text', text: 'second' }] } }),
      ]
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events.map((event) => `data: ${event}\r\n\r\n`).join(''))
    })
    const { messages } = await calling()
    expect(messages.map(({ method, result }) => method ?? result.content[0].text)).toEqual([
      'notifications/message',
      'first',
    ])
  })

  test('that cuts its stream is asked for the rest where it offers that', async () => {
    files.misbehave((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('id: e1\nretry: 1\ndata:\n\n')
    })
    const { body } = await calling()
    // This one has no such stream after all.
    expect(body.result.isError).toBe(true)
    expect(seenNow().find(({ what }) => what === 'GET')?.headers['last-event-id']).toBe('e1')
  })
})

describe('a hostile client', () => {
  test.each([
    [[{ jsonrpc: '2.0', id: 1, method: 'tools/list' }]],
    [{ id: 1, method: 'tools/list' }],
    [{ jsonrpc: '2.0', id: { a: 1 }, method: 'tools/list' }],
    [{ jsonrpc: '2.0', id: 1, method: 5 }],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: [1] }],
    ['text'],
  ])('that sends %j is told so, and no server', async (body) => {
    expect((await send(body)).status).toBe(400)
    expect(whatNow()).toEqual([])
  })

  test('needs a token with scope "tools"', async () => {
    const chatOnly = await makeToken('acme', { scopes: ['chat'] })
    expect((await ask('ping', {}, { token: 'wrong' })).status).toBe(401)
    expect((await ask('ping', {}, { token: chatOnly })).status).toBe(403)
  })

  test('cannot ask from another web page', async () => {
    expect((await ask('ping', {}, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  })
})
