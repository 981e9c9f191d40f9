import type { RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../json.ts'
import { isJsonObject } from '../../../../json.ts'
import { serveHttp } from '../../fixtures/http-servers.ts'
import type { RecordedSource } from '../../fixtures/recorded-source.ts'
import { startSource, statusOf, until } from '../../fixtures/recorded-source.ts'
import { mendedEvents } from './mended-events.ts'

const TOOL = { name: 'echo', description: 'Echo', inputSchema: { type: 'object' } }
const HANDSHAKE = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'odd', version: '1' },
}

type Send = (response: ServerResponse, answer: object) => void

interface Oddity {
  readonly handshake?: object
  readonly list?: object
  readonly call?: object
  readonly ping?: object
  readonly send?: Send
  readonly heard?: (message: JsonObject) => unknown
  readonly get?: (response: ServerResponse) => void
  readonly notified?: (response: ServerResponse) => void
}

const sendJson = (response: ServerResponse, answer: object): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

/** A server of the older revisions with one oddity. */
function odd({ handshake, list, call, ping, send = sendJson, heard, get, notified }: Oddity): RequestListener {
  const answers = new Map<string, object>([
    ['initialize', { ...HANDSHAKE, ...handshake }],
    ['tools/list', { tools: [TOOL], ...list }],
    ...(ping ? [['ping', ping] as const] : []),
    ['tools/call', { content: [{ type: 'text', text: 'grüße' }], ...call }],
  ])
  return (request, response) => {
    void (async () => {
      if (request.method === 'GET' && get !== undefined) return get(response)
      if (request.method !== 'POST') return response.writeHead(405).end()
      const message: unknown = JSON.parse(await text(request))
      if (!isJsonObject(message)) return response.writeHead(400).end()
      heard?.(message)
      const { id, method } = message
      if (id === undefined) return notified === undefined ? response.writeHead(202).end() : notified(response)
      const result = typeof method === 'string' ? answers.get(method) : undefined
      const error = { code: -32_601, message: 'method not found' }
      return send(response, { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) })
    })()
  }
}

const encoded =
  (encoding: string, encode: (body: string) => Buffer): Send =>
  (response, answer) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
      .end(encode(JSON.stringify(answer)))

const typed =
  (headers: Readonly<Record<string, string>>): Send =>
  (response, answer) =>
    response.writeHead(200, headers).end(JSON.stringify(answer))

const inCharset =
  (type: string, encoding: BufferEncoding): Send =>
  (response, answer) =>
    response.writeHead(200, { 'content-type': type }).end(Buffer.from(JSON.stringify(answer), encoding))

const asEvent: Send = (response, answer) =>
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(`event: message\r\ndata: ${JSON.stringify({ ...answer, ...('result' in answer && { error: null }) })}\r\n\r\n`)

const asText =
  (write: (data: string) => string): Send =>
  (response, answer) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(write(JSON.stringify(answer)))

test.each<[string, Oddity]>([
  ['ends its list with a cursor that is null', { list: { nextCursor: null } }],
  ['has null where there is nothing', { list: { _meta: null }, call: { _meta: null, isError: null } }],
  ['does not say what it can and who it is', { handshake: { capabilities: undefined, serverInfo: undefined } }],
  ['says "true" for a capability', { handshake: { capabilities: { tools: true, logging: null } } }],
  ['writes an error that is null', { send: (response, answer) => sendJson(response, { error: null, ...answer }) }],
  ['does so in events', { send: asEvent }],
  ['ends its events without a blank line', { send: asText((data) => `data: ${data}`) }],
  ['ends a line and no event', { send: asText((data) => `event: message\ndata: ${data}\n`) }],
  ['ends lines with CR alone', { send: asText((data) => `data: ${data}\r\r`) }],
  ['answers in one list', { send: (response, answer) => sendJson(response, [answer]) }],
  ['compresses by gzip', { send: encoded('gzip', gzipSync) }],
  ['compresses by deflate', { send: encoded('deflate', deflateSync) }],
  ['compresses by brotli', { send: encoded('br', brotliCompressSync) }],
  ['compresses by zstd', { send: encoded('zstd', zstdCompressSync) }],
  ['calls JSON a text', { send: typed({ 'content-type': 'text/plain; charset=utf-8' }) }],
  ['writes Latin-1 and says so', { send: inCharset('application/json;charset=ISO-8859-1', 'latin1') }],
  ['says Latin-1 of UTF-8', { send: inCharset('application/json;charset=ISO-8859-1', 'utf8') }],
  ['writes in what nobody knows', { send: inCharset('application/json; charset=none', 'utf8') }],
  ['gives JSON a type of its own', { send: typed({ 'content-type': 'application/json-rpc' }) }],
  ['gives no type', { send: typed({}) }],
  ['calls JSON a page', { send: typed({ 'content-type': 'text/html; charset=UTF-8' }) }],
  ['calls JSON bytes', { send: typed({ 'content-type': 'application/octet-stream' }) }],
  ['answers with a list in an event', { send: asText((data) => `data: [${data}]\n\n`) }],
  [
    'has a page where others have a stream',
    { get: (response) => response.setHeader('content-type', 'text/html').end('<p>Hi') },
  ],
])('a server that %s is used like any other', async (_what, oddity) => {
  await using server = await serveHttp(odd(oddity))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await recorded.ready('odd')
  expect(await recorded.text('odd', 'echo')).toBe('grüße')
  expect(recorded.states.map(([, state]) => state.kind)).toEqual(['connecting', 'ready'])
})

test.each<[string, (response: ServerResponse) => void, string]>([
  ['HTTP 400', (response) => response.writeHead(400).end('{"error":"Invalid request"}'), 'HTTP status 400'],
  ['HTTP 404', (response) => response.writeHead(404).end(), 'HTTP status 404'],
  ['HTTP 405', (response) => response.writeHead(405).end(), 'HTTP status 405'],
  ['HTTP 501', (response) => response.writeHead(501).end(), 'HTTP status 501'],
  ['the end of the connection', (response) => response.destroy(), 'the connection broke'],
  ['silence', () => {}, 'no answer'],
])('a server that answers a notification with %s is used like any other, and told of', async (_what, notified, how) => {
  await using server = await serveHttp(odd({ notified }))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await recorded.ready('odd')
  expect(await recorded.text('odd', 'echo')).toBe('grüße')
  expect(recorded.states.map(([, state]) => state.kind)).toEqual(['connecting', 'ready'])
  expect(recorded.log.map(({ message }) => message)).toContain(
    `the server does not take notifications/initialized (${how}); it is gone on without`,
  )
})

test.each([200, 204, 404])('the stream of a server that answers notifications with %i is opened', async (status) => {
  const opened = Promise.withResolvers<string>()
  const notified = (response: ServerResponse): void => void response.writeHead(status).end()
  const get = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    opened.resolve('opened')
  }
  await using server = await serveHttp(odd({ notified, get }))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await recorded.ready('odd')
  expect(await opened.promise).toBe('opened')
})

test('a body that is small only while it is compressed is refused by what it becomes', async () => {
  const bomb: Send = (response, answer) => {
    const isCall = JSON.stringify(answer).includes('content')
    const body = JSON.stringify(answer) + ' '.repeat(isCall ? 4_000_000 : 0)
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(body))
  }
  await using server = await serveHttp(odd({ send: bomb }))
  await using recorded = startSource({ servers: { bomb: { url: server.url } }, maxMessageBytes: 100_000 })
  await recorded.ready('bomb')
  await expect(recorded.call('bomb', 'echo')).rejects.toMatchObject({ code: 'answer-too-large' })
})

test.each<[number, unknown, string]>([
  [400, { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'the city is unknown' } }, 'the city is unknown'],
  [500, { detail: 'the disk is full' }, 'status 500: the disk is full'],
  [502, '<h1>Bad gateway</h1>', 'status 502'],
  [422, { detail: [{ loc: ['body'], msg: 'field required' }, { msg: 'too long' }] }, ': field required; too long'],
  [400, { title: 'Bad Request', errors: { City: ['is required'] } }, ': is required'],
  [500, { error: { code: -32_603, message: 'Internal error', data: 'KeyError' } }, ': Internal error: KeyError'],
  [200, { jsonrpc: '2.0', id: 'of-another', result: {} }, 'what the server sent is no answer to this request'],
  [200, [], 'what the server sent is no answer to this request'],
  [
    200,
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_603, message: 'Internal error', data: { detail: 'the disk is full' } },
    },
    'the server refused: Internal error: the disk is full (code -32603)',
  ],
  [
    200,
    'Warning: city undefined {"jsonrpc":"2.0"}',
    `no message of the protocol: Unexpected token 'W', "Warning: c"... is not valid JSON`,
  ],
  [429, { error: 'slow down' }, 'no more requests for now (HTTP 429): slow down; nothing was run'],
])(
  'what a server says of a call that it refuses or cannot answer, with HTTP %i, is told',
  async (status, body, told) => {
    const refuse: Send = (response, answer) => {
      if (!JSON.stringify(answer).includes('content')) return sendJson(response, answer)
      const head = { 'content-type': 'application/json' }
      return response.writeHead(status, head).end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    await using server = await serveHttp(odd({ send: refuse }))
    await using recorded = startSource({ servers: { odd: { url: server.url } } })
    await recorded.ready('odd')
    const refusal: unknown = await recorded.call('odd', 'echo').catch((error: unknown) => error)
    expect(refusal instanceof Error && refusal.message.endsWith(told) ? 'told' : refusal).toBe('told')
  },
)

test('HTTP 404 with an answer to the call is that answer, not a forgotten session', async () => {
  const refuse: Send = (response, answer) => {
    response.setHeader('mcp-session-id', 'one')
    if (!JSON.stringify(answer).includes('content')) return sendJson(response, answer)
    const error = { code: -32_602, message: 'the city is unknown' }
    return response.writeHead(404).end(JSON.stringify({ ...answer, result: undefined, error }))
  }
  await using server = await serveHttp(odd({ send: refuse, ping: {} }))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await recorded.ready('odd')
  await expect(recorded.call('odd', 'echo')).rejects.toThrow('the city is unknown')
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

test.each<[string, RequestListener, string]>([
  [
    'a page',
    (_request, response) => response.setHeader('content-type', 'text/html').end('<p>Hi'),
    'the server answered with text/html, which is no message of MCP',
  ],
  [
    'a move for good',
    (_request, response) => response.writeHead(301, { location: '/mcp/?key=s3cret' }).end(),
    '/mcp/ (HTTP status 301); redirects are not followed there',
  ],
])('of %s in the place of a server it is said what to do', async (_what, listener, reason) => {
  await using server = await serveHttp(listener)
  await using recorded = startSource({ servers: { wrong: { url: server.url } } })
  await until(() => statusOf(recorded.source, 'wrong')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'wrong')?.lastError).toContain(reason)
  expect(statusOf(recorded.source, 'wrong')?.lastError).not.toContain('s3cret')
})

test('of a revision that nobody knows it is said which it is, and what to do', async () => {
  await using server = await serveHttp(odd({ handshake: { protocolVersion: '2031-01-01' } }))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await until(() => statusOf(recorded.source, 'odd')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'odd')?.lastError).toMatch(
    /speaks revision "2031-01-01" of the protocol, .* \(known are 2025-11-25, .*\); use another version of the server/,
  )
})

test('a server that refuses the newest revision is spoken to in the newest that it says it takes', async () => {
  const offered: unknown[] = []
  const data = { supported: ['2024-10-07', '2024-11-05', '1999-01-01'] }
  const refusing: Oddity = {
    handshake: { protocolVersion: '2024-11-05' },
    heard: ({ method, params }) =>
      method === 'initialize' && offered.push(isJsonObject(params) ? params['protocolVersion'] : undefined),
    send(response, answer) {
      if (!JSON.stringify(answer).includes('serverInfo') || offered.length > 1) return sendJson(response, answer)
      const error = { code: -32_602, message: 'Unsupported protocol version', data }
      return sendJson(response, { ...answer, result: undefined, error })
    },
  }
  await using server = await serveHttp(odd(refusing))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await recorded.ready('odd')
  expect(offered).toEqual(['2025-11-25', '2024-11-05'])
  expect(statusOf(recorded.source, 'odd')?.protocolVersion).toBe('2024-11-05')
})

test('a proxy that lets the probe not through costs nothing but the probe', async () => {
  const calm = odd({})
  await using server = await serveHttp((request, response) =>
    request.headers['mcp-method'] === 'server/discover' ? response.writeHead(403).end() : calm(request, response),
  )
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await recorded.ready('odd')
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

test('what is wrong with a handshake is told in a line', async () => {
  await using server = await serveHttp(odd({ handshake: { protocolVersion: undefined } }))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await until(() => statusOf(recorded.source, 'odd')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'odd')?.lastError).toBe(
    'Invalid result for initialize: protocolVersion: Invalid input: expected string, received undefined',
  )
})

test('tools of a server that tells of no change are looked for once in a while, and when one is gone', async () => {
  let names = ['old']
  const send: Send = (response, answer) => {
    const said = JSON.stringify(answer)
    const result = { tools: names.map((name) => ({ ...TOOL, name })) }
    if (said.includes('"tools"')) return sendJson(response, { ...answer, result })
    const error = { code: -32_602, message: 'Unknown tool: old' }
    return sendJson(response, said.includes('content') ? { ...answer, result: undefined, error } : answer)
  }
  await using server = await serveHttp(odd({ send, handshake: { capabilities: {} } }))
  const found = (source: RecordedSource) => source.tools('odd').map(({ name }) => name)
  await using rarely = startSource({ servers: { odd: { url: server.url } } })
  await rarely.ready('odd')
  names = ['new']
  await expect(rarely.call('odd', 'old')).rejects.toThrow('Unknown tool: old')
  await until(() => found(rarely)[0] === 'new')
  await using often = startSource({ servers: { odd: { url: server.url } }, timing: { relistMs: 50 } })
  await often.ready('odd')
  names = ['newer']
  await until(() => found(often)[0] === 'newer')
  expect(found(rarely)).toEqual(['new'])
})

test('a list that could not be read when it changed is read later', async () => {
  let lists = 0
  const send: Send = (response, answer) => {
    if (!JSON.stringify(answer).includes('tools')) return sendJson(response, answer)
    lists += 1
    if (lists === 2) return response.writeHead(500).end()
    return sendJson(response, { ...answer, result: { tools: lists === 1 ? [TOOL] : [TOOL, { ...TOOL, name: 'new' }] } })
  }
  const get = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
  }
  await using server = await serveHttp(odd({ send, get, handshake: { capabilities: {} } }))
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await until(() => recorded.tools('odd').length === 2)
  expect(lists).toBe(3)
})

test('of a server that ends the connection without an answer it is said so', async () => {
  await using server = await serveHttp((request) => request.socket.destroy())
  await using recorded = startSource({ servers: { odd: { url: server.url } } })
  await until(() => statusOf(recorded.source, 'odd')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'odd')?.lastError).toMatch(
    /^the connection broke before an answer came \(\w+\); it may want https/,
  )
})

test('a list in an event becomes an event for each of its messages', async () => {
  const list = [{ jsonrpc: '2.0', method: 'a' }, { id: 1, result: {} }, 'none']
  const source = (async function* () {
    yield Buffer.from(`id: 1\ndata: ${JSON.stringify(list)}\n\ndata: []\n\n`)
  })()
  expect(await text(ReadableStream.from(mendedEvents(source)))).toBe(
    'id: 1\ndata: {"jsonrpc":"2.0","method":"a"}\n\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\ndata: "none"\n\ndata: []\n\n',
  )
})

test('events are mended however they are cut, and all else of a stream stays', async () => {
  const stream =
    ': hi null\r\nid: 1\r\ndata: {"id":1,"result":{"a":"ü"},"error":null}\r\n\r\ndata: {"half":\ndata: null}\n\ndata: ü'
  const mended = stream.replace(
    '{"id":1,"result":{"a":"ü"},"error":null}',
    '{"jsonrpc":"2.0","id":1,"result":{"a":"ü"}}',
  )
  for (const size of [1, 2, 7, 1_000]) {
    const bytes = Buffer.from(stream)
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const source = (async function* () {
      yield* parts
    })()
    expect(await text(ReadableStream.from(mendedEvents(source)))).toBe(mended)
  }
})
