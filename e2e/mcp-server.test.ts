import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import path from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import type { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from './testing/api-client.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, ROOT, startGateway } from './testing/gateway-process.ts'
import { connectClient, connectOldClient } from './testing/mcp-clients.ts'
import { waitUntil } from './testing/wait-until.ts'

const PACKAGES = path.join(ROOT, 'node_modules/@modelcontextprotocol')
const EVERYTHING = path.join(PACKAGES, 'server-everything/dist/index.js')

let gateway: GatewayProcess
const clients: (Client | OldClient)[] = []

const configFor = (toolSearch: unknown, tools: object = {}): object => ({
  agents: { reader: { tools: { allow: ['mcp:odd:*'] } } },
  tools: { toolSearch, ...tools },
  plugins: { paths: [path.join(FIXTURES, 'plugins')], entries: { demo: { enabled: false } } },
  mcp: {
    servers: {
      everything: { command: process.execPath, args: [EVERYTHING, 'stdio'] },
      odd: { command: process.execPath, args: [path.join(FIXTURES, 'servers/odd.mjs')] },
    },
  },
})

beforeAll(async () => {
  gateway = await startGateway({ config: configFor(false) })
  await waitUntil('the servers are connected', async () => {
    const { body } = await gateway.api.get('/readyz')
    return body.sources.ready >= 3 && body.sources.connecting === 0
  })
})

afterAll(() => gateway?.remove())

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

const access = (more: object = {}) => ({ url: gateway.url, token: gateway.token, ...more })

async function connect(era: 'stateless' | 'session', more: object = {}): Promise<Client> {
  const client = await connectClient(era, access(more))
  clients.push(client)
  return client
}

async function setMode(toolSearch: unknown, inForce: string): Promise<void> {
  await gateway.writeConfig(configFor(toolSearch))
  await waitUntil(
    `${inForce} is in force`,
    async () => (await gateway.api.get('/readyz')).body.mode.inForce === inForce,
  )
}

async function makeToken(request: object): Promise<string> {
  const { status, body } = await gateway.api.post('/v1/tokens', { name: `t${Math.random()}`, ...request })
  expect(status).toBe(201)
  return body.token
}

/** The safe name that a tool is shown under. */
async function nameOf(client: Client | OldClient, part: string): Promise<string> {
  const { tools } = await client.listTools()
  return tools.find((tool) => tool.name.includes(part))?.name ?? ''
}

describe.each(['stateless', 'session'] as const)('a client of the %s protocol, shown the tools themselves', (era) => {
  test('gets what the server is and how to use it, and every tool with its schemas and hints', async () => {
    const client = await connect(era)
    expect(client.getNegotiatedProtocolVersion()).toBe(era === 'stateless' ? '2026-07-28' : '2025-11-25')
    expect(client.getServerVersion()).toMatchObject({ name: 'drawbridge' })
    expect(client.getInstructions()).toContain('owner__name')
    const { tools } = await client.listTools()
    const names = tools.map((tool) => tool.name)
    expect(names.filter((name) => name.startsWith('everything__')).length).toBeGreaterThan(5)
    expect(new Set(names).size).toBe(names.length)
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(names)
    const structured = tools.find((tool) => tool.name.includes('structured'))
    expect(structured).toMatchObject({ inputSchema: { type: 'object' }, outputSchema: { type: 'object' } })
  })

  test('gets texts, structured results, pictures and resources as the tool gave them', async () => {
    const client = await connect(era)
    const echo = await client.callTool({ name: await nameOf(client, 'echo_'), arguments: { message: 'a → b' } })
    expect(echo).toMatchObject({ content: [{ type: 'text', text: 'Echo: a → b' }] })
    const weather = { name: await nameOf(client, 'structured'), arguments: { location: 'Chicago' } }
    expect((await client.callTool(weather)).structuredContent).toMatchObject({ conditions: expect.any(String) })
    const { content } = await client.callTool({ name: await nameOf(client, 'image'), arguments: {} })
    expect(content).toContainEqual(
      expect.objectContaining({ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) }),
    )
    const links = { name: await nameOf(client, 'resource-links'), arguments: { count: 2 } }
    expect((await client.callTool(links)).content).toContainEqual(
      expect.objectContaining({ type: 'resource_link', description: expect.any(String) }),
    )
    const annotated = { name: await nameOf(client, 'annotated'), arguments: { messageType: 'error' } }
    expect((await client.callTool(annotated)).content).toContainEqual(
      expect.objectContaining({ annotations: { priority: 1, audience: ['user', 'assistant'] } }),
    )
  })

  test('reads in words made for a model what was wrong with a call', async () => {
    const client = await connect(era)
    const missing = await client.callTool({ name: await nameOf(client, 'echo_'), arguments: { mesage: 7 } })
    expect(missing.isError).toBe(true)
    expect(JSON.stringify(missing.content)).toContain('invalid-input')
    const unknown = await client.callTool({ name: 'everything__ecko', arguments: {} })
    expect(unknown.isError).toBe(true)
    // A name that this client can call, and no id.
    const [block] = unknown.content
    const { suggestions } = JSON.parse(block?.type === 'text' ? block.text : '{}')
    expect(suggestions).toContain(await nameOf(client, 'echo_'))
  })

  test('follows the progress of a long call', async () => {
    const client = await connect(era)
    const name = await nameOf(client, 'long-running')
    const steps: number[] = []
    const result = await client.callTool(
      { name, arguments: { duration: 1, steps: 4 } },
      { onprogress: ({ progress }) => void steps.push(progress) },
    )
    expect(JSON.stringify(result.content)).toContain('completed')
    expect(steps.length).toBeGreaterThan(1)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
  })

  test('cancels a call, which ends behind the gateway too', async () => {
    const client = await connect(era)
    const stop = new AbortController()
    const calling = client.callTool({ name: await nameOf(client, 'odd__wait'), arguments: {} }, { signal: stop.signal })
    const before = await cancelledCalls()
    // Once it is under way, so that there is something to cancel.
    setTimeout(() => stop.abort(new Error('enough')), 200)
    await expect(calling).rejects.toThrow('enough')
    await waitUntil('the call has ended', async () => (await cancelledCalls()) === before + 1)
  })

  test('is told when its tools change, and not when they do not', async () => {
    const client = await connect(era)
    let changes = 0
    client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1))
    if (era === 'stateless') await client.listen({ toolsListChanged: true })
    const before = (await client.listTools()).tools.length
    await gateway.writeConfig(configFor(false, { deny: ['mcp:everything:echo'] }))
    await waitUntil('the client is told', async () => changes > 0)
    expect((await client.listTools()).tools).toHaveLength(before - 1)
    await gateway.writeConfig(configFor(false))
    await waitUntil('the client is told again', async () => changes > 1)
    expect((await client.listTools()).tools).toHaveLength(before)
  })

  async function cancelledCalls(): Promise<number> {
    const { body } = await gateway.api.get('/v1/receipts?limit=200')
    return body.receipts.filter(({ receipt }: StoredReceipt) => receipt.outcome === 'cancelled').length
  }
})

test('a client of the first SDK generation lists and calls', async () => {
  const client = await connectOldClient(access())
  clients.push(client)
  const echo = await client.callTool({ name: await nameOf(client, 'echo_'), arguments: { message: 'old' } })
  expect(echo.content).toEqual([{ type: 'text', text: 'Echo: old' }])
})

test('the inspector lists and calls over HTTP', async () => {
  const target = [`${gateway.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${gateway.token}`]
  const { tools } = await inspect([...target, '--method', 'tools/list'])
  const name: string = tools.find((tool: { readonly name: string }) => tool.name.includes('echo_')).name
  const called = await inspect([...target, '--method', 'tools/call', '--tool-name', name, '--tool-arg', 'message=hi'])
  expect(called.content).toEqual([{ type: 'text', text: 'Echo: hi' }])
})

async function inspect(args: readonly string[]): Promise<ReturnType<typeof JSON.parse>> {
  const cli = path.join(PACKAGES, 'inspector/clients/launcher/build/index.js')
  const env = { PATH: process.env['PATH'] ?? '', HOME: gateway.folder }
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [cli, '--cli', ...args], { env, timeout: 60_000 }, (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(`the inspector failed: ${err}\n${out}`)),
    )
  })
  return JSON.parse(stdout)
}

describe('who asks', () => {
  test('sees the tools of its agent alone, and calls no other', async () => {
    const client = await connect('stateless', { headers: { 'x-drawbridge-agent': 'reader' } })
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(0)
    expect(tools.every((tool) => tool.name.startsWith('odd__'))).toBe(true)
    const hidden = await client.callTool({ name: 'mcp:everything:echo', arguments: { message: 'x' } })
    expect(JSON.stringify(hidden.content)).toContain('unknown-tool')
  })

  test('is the agent of its token where it names none', async () => {
    const client = await connect('session', { token: await makeToken({ scopes: ['tools'], agents: ['reader'] }) })
    expect((await client.listTools()).tools.every((tool) => tool.name.startsWith('odd__'))).toBe(true)
  })

  test('leaves receipts in the tenant of its token', async () => {
    const tenant = 'acme'
    const token = await makeToken({ scopes: ['tools'], tenant })
    const admin = await makeToken({ scopes: ['admin'], tenant })
    const client = await connect('stateless', { token })
    await client.callTool({ name: await nameOf(client, 'echo_'), arguments: { message: 'for acme' } })
    const { body } = await createApiClient(gateway.url, admin).get('/v1/receipts')
    expect(body.receipts.map(({ receipt }: StoredReceipt) => [receipt.toolId, receipt.outcome])).toEqual([
      ['mcp:everything:echo', 'ok'],
    ])
  })

  test('needs a token, a known one, and one with the scope', async () => {
    const ask = (headers: Readonly<Record<string, string>>) =>
      fetch(`${gateway.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      })
    const none = await ask({})
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="drawbridge"'])
    const wrong = await ask({ authorization: 'Bearer db_nobody_knows_this_one' })
    expect(wrong.status).toBe(401)
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
    const chatOnly = await ask({ authorization: `Bearer ${await makeToken({ scopes: ['chat'] })}` })
    expect(chatOnly.status).toBe(403)
    expect(chatOnly.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="tools"')
    expect(await chatOnly.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'forbidden' } } })
  })

  test('is cut off when its token is revoked, streams that are open among it', async () => {
    const { body: made } = await gateway.api.post('/v1/tokens', { name: 'short-lived', scopes: ['tools'] })
    const { session } = await initialize(made.token)
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${made.token}`,
      'mcp-session-id': session,
    }
    const stream = await fetch(`${gateway.url}/mcp`, { headers })
    expect(stream.status).toBe(200)
    const reading = stream.text().then(
      () => 'ended',
      () => 'cut off',
    )
    expect((await gateway.api.post(`/v1/tokens/${made.id}/revoke`, {})).status).toBe(200)
    expect(await reading).toBe('cut off')
    expect((await post({ method: 'tools/list', id: 1 }, { token: made.token, session })).status).toBe(401)
  })

  test('cannot use the session of another token', async () => {
    const mine = await initialize(await makeToken({ scopes: ['tools'] }))
    const other = await makeToken({ scopes: ['tools'] })
    expect((await post({ method: 'tools/list', id: 1 }, { token: other, session: mine.session })).status).toBe(404)
    expect((await post({ method: 'tools/list', id: 1 }, mine)).status).toBe(200)
  })
})

interface StoredReceipt {
  readonly receipt: { readonly outcome: string; readonly toolId?: string }
}

interface Posting {
  readonly token?: string
  readonly session?: string
  readonly headers?: Readonly<Record<string, string>>
}

function post(body: object | string, { token = gateway.token, session, headers }: Posting = {}): Promise<Response> {
  return fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body }),
  })
}

async function initialize(token: string): Promise<{ readonly token: string; readonly session: string }> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  const response = await post({ id: 0, method: 'initialize', params }, { token })
  await response.text()
  return { token, session: response.headers.get('mcp-session-id') ?? '' }
}

describe('what is sent wrongly', () => {
  test.each([
    ['half a message', '{"jsonrpc":', 400],
    ['an empty body', '', 400],
    ['a list of nothing', '[]', 400],
    ['something else', '"tools/list"', 400],
    ['keys that reach a prototype', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}', 400],
    ['nothing but brackets', '['.repeat(100_000), 400],
  ])('%s is answered as an error', async (_what, body, status) => {
    const response = await post(body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } })
  })

  test('more than 4 MB is refused by its length, before it is sent', async () => {
    const headers = {
      authorization: `Bearer ${gateway.token}`,
      'content-type': 'application/json',
      'content-length': 5e6,
    }
    const status = await new Promise((resolve, reject) => {
      const sending = request(`${gateway.url}/mcp`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode)
        sending.destroy()
      })
      sending.on('error', reject)
      sending.flushHeaders()
    })
    expect(status).toBe(413)
  })

  test('a request without a session, of one that there is not, and of another revision', async () => {
    expect((await post({ method: 'tools/list', id: 1 })).status).toBe(400)
    expect((await post({ method: 'tools/list', id: 1 }, { session: 'mcp_nobody' })).status).toBe(404)
    const mine = await initialize(gateway.token)
    const future = { headers: { 'mcp-protocol-version': '1999-01-01' } }
    expect((await post({ method: 'tools/list', id: 1 }, { ...mine, ...future })).status).toBe(400)
    const noMethod = await post({ method: 'no/such', id: 1 }, mine)
    expect(await noMethod.text()).toContain('-32601')
  })

  test('headers of the stateless revision that say something else than the body', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const call = { id: 1, method: 'tools/call', params: { name: 'x', arguments: {}, _meta: meta } }
    const named = (name: string) => ({
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
    })
    expect((await post(call, named('x'))).status).toBe(200)
    const other = await post(call, named('y'))
    expect(other.status).toBe(400)
    expect(await other.json()).toMatchObject({ id: 1, error: { code: -32_020 } })
    const unknown = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }
    const late = await post(
      { ...call, params: { ...call.params, _meta: unknown } },
      {
        headers: { ...named('x').headers, 'mcp-protocol-version': '2031-01-01' },
      },
    )
    expect(await late.json()).toMatchObject({ error: { data: { supported: ['2026-07-28'] } } })
  })

  test('GET without a session has no stream, in the words by which clients go on to "initialize"', async () => {
    const headers = { authorization: `Bearer ${gateway.token}`, accept: 'text/event-stream' }
    const answer = await fetch(`${gateway.url}/mcp`, { headers })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, DELETE'])
    expect(await answer.text()).toContain('send \\"initialize\\" by POST first')
  })

  test('a page of another site, and other methods', async () => {
    const foreign = await post({ id: 1, method: 'ping' }, { headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
    const put = await fetch(`${gateway.url}/mcp`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${gateway.token}` },
    })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
    for (const place of ['/mcp', '/mcp/servers/odd']) {
      const headers = { authorization: `Bearer ${gateway.token}` }
      expect((await fetch(`${gateway.url}${place}`, { method: 'HEAD', headers })).status).toBe(405)
    }
  })

  test('a page of an allowed site asks first, and may read what it is answered', async () => {
    const origin = 'http://localhost:6274'
    const asked = await fetch(`${gateway.url}/mcp`, { method: 'OPTIONS', headers: { origin } })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin])
    expect(asked.headers.get('access-control-allow-headers')).toContain('mcp-session-id')
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'page', version: '1' } }
    const answered = await post({ id: 0, method: 'initialize', params }, { headers: { origin } })
    expect(answered.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answered.headers.get('access-control-expose-headers')).toContain('mcp-session-id')
    expect((await post({ id: 0, method: 'initialize', params })).headers.has('access-control-allow-origin')).toBe(false)
  })

  test('a client that goes away in the middle of its call, or of its answer, hurts nobody', async () => {
    const mine = await initialize(gateway.token)
    const { port } = new URL(gateway.url)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const head = [`POST /mcp HTTP/1.1`, 'host: localhost', `authorization: Bearer ${mine.token}`]
    const more = [`mcp-session-id: ${mine.session}`, 'content-type: application/json', `content-length: ${body.length}`]
    const text = [...head, ...more, 'accept: application/json, text/event-stream', '', body].join('\r\n')
    for (let count = 0; count < 30; count += 1) {
      const socket = connectSocket(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(text)
      setTimeout(() => socket.destroy(), count)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await post({ method: 'ping', id: 2 }, mine)).status).toBe(200)
  })

  test('a client that wants its connection closed after an answer sees it closed', async () => {
    const mine = await initialize(gateway.token)
    const { port } = new URL(gateway.url)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'none' } })
    const head = [`POST /mcp HTTP/1.1`, 'host: localhost', `authorization: Bearer ${mine.token}`, 'connection: close']
    const more = [`mcp-session-id: ${mine.session}`, 'content-type: application/json', `content-length: ${body.length}`]
    const text = [...head, ...more, 'accept: application/json, text/event-stream', '', body].join('\r\n')
    // The second time as a call like one that was served before.
    for (let count = 0; count < 2; count += 1) {
      const answer = await new Promise<string>((resolve, reject) => {
        let said = ''
        const socket = connectSocket(Number(port), '127.0.0.1', () => socket.write(text))
        socket.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
        socket.once('error', reject)
        socket.once('close', () => resolve(said))
      })
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*there is no tool/s)
    }
  })

  test('a session that was ended is not there any more', async () => {
    const mine = await initialize(gateway.token)
    const ended = await fetch(`${gateway.url}/mcp`, {
      method: 'DELETE',
      headers: {
        // As clients do that send the same headers with every request.
        'content-type': 'application/json',
        authorization: `Bearer ${mine.token}`,
        'mcp-session-id': mine.session,
      },
    })
    expect(ended.status).toBe(200)
    expect((await post({ method: 'ping', id: 1 }, mine)).status).toBe(404)
  })

  test('a client that opens session after session takes the room of its own alone', async () => {
    const greedy = await makeToken({ scopes: ['tools'] })
    const first = await initialize(greedy)
    const modest = await initialize(await makeToken({ scopes: ['tools'] }))
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 21 }, () => initialize(greedy)))
    expect((await post({ method: 'ping', id: 1 }, first)).status).toBe(404)
    expect((await post({ method: 'ping', id: 1 }, modest)).status).toBe(200)
  })

  test('a client that never reads what it asked for holds nobody else up', async () => {
    const { port } = new URL(gateway.url)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const { session } = await initialize(gateway.token)
    const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${gateway.token}\r\nmcp-session-id: ${session}\r\n`
    const types = 'content-type: application/json\r\naccept: application/json, text/event-stream\r\n'
    const deaf = connectSocket(Number(port), '127.0.0.1')
    deaf.pause()
    // Many answers in one connection, none of them taken.
    for (let count = 0; count < 200; count += 1)
      deaf.write(`${head}${types}content-length: ${body.length}\r\n\r\n${body}`)
    const answered = await post({ method: 'ping', id: 1 }, { session })
    expect(answered.status).toBe(200)
    deaf.destroy()
  })

  test('none of this has left the gateway unable to serve', async () => {
    const client = await connect('stateless')
    const echo = await client.callTool({ name: await nameOf(client, 'echo_'), arguments: { message: 'still here' } })
    expect(echo.content).toEqual([{ type: 'text', text: 'Echo: still here' }])
  })
})

describe('a client that is shown one function', () => {
  beforeAll(() => setMode({ mode: 'code' }, 'code'))

  test.each(['stateless', 'session'] as const)('runs programs that find and call the tools (%s)', async (era) => {
    const client = await connect(era)
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(['tool_search_code'])
    expect(client.getInstructions()).toContain('tool_search_code')
    const code = `const [hit] = await tools.search('echo a message', { filter: { owner: 'everything' } })
      return await hit.call({ message: 'from a program' })`
    const result = await client.callTool({ name: 'tool_search_code', arguments: { code } })
    expect(result.isError).toBe(false)
    expect(result.structuredContent).toMatchObject({ status: 'completed', value: 'Echo: from a program' })
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent)
  })

  test('reads how a program failed', async () => {
    const client = await connect('session')
    const result = await client.callTool({ name: 'tool_search_code', arguments: { code: 'return missing' } })
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toMatchObject({ status: 'failed', error: { code: 'program-error' } })
  })

  test('follows the progress of what a program calls', async () => {
    const client = await connect('stateless')
    const messages: (string | undefined)[] = []
    const code = `return await tools.call('mcp:everything:trigger-long-running-operation', { duration: 1, steps: 4 })`
    await client.callTool(
      { name: 'tool_search_code', arguments: { code } },
      { onprogress: ({ message }) => void messages.push(message) },
    )
    expect(messages[0]).toContain('mcp:everything:trigger-long-running-operation')
  })
})

describe('a client that is shown three functions', () => {
  beforeAll(() => setMode({ mode: 'tools' }, 'tools'))

  test('searches, describes and calls', async () => {
    const client = await connect('stateless')
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(['tool_search', 'tool_describe', 'tool_call'])
    const found = await client.callTool({ name: 'tool_search', arguments: { query: 'tiny image' } })
    const { id } = JSON.parse(textOf(found)).hits[0]
    expect(id).toBe('mcp:everything:get-tiny-image')
    const described = await client.callTool({ name: 'tool_describe', arguments: { id } })
    expect(textOf(described)).toContain('"inputSchema"')
    const image = await client.callTool({ name: 'tool_call', arguments: { id, args: {} } })
    expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }))
    const wrong = await client.callTool({ name: 'tool_call', arguments: { id: 'mcp:everything:nothing', args: {} } })
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('unknown-tool')])
  })

  test('is told when it is shown another one, in either generation', async () => {
    const told = new Set<string>()
    const both = await Promise.all(
      (['stateless', 'session'] as const).map(async (era) => {
        const client = await connect(era)
        client.setNotificationHandler('notifications/tools/list_changed', () => void told.add(era))
        if (era === 'stateless') await client.listen({ toolsListChanged: true })
        return client
      }),
    )
    await setMode({ mode: 'code' }, 'code')
    await waitUntil('both are told', () => told.size === 2)
    for (const client of both) {
      const { tools } = await client.listTools({}, { cacheMode: 'refresh' })
      expect(tools.map((tool) => tool.name)).toEqual(['tool_search_code'])
    }
  })
})

function textOf(result: { readonly content?: unknown }): string {
  const [first] = Array.isArray(result.content) ? result.content : []
  return first?.type === 'text' ? first.text : ''
}
