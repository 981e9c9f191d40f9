import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { serveHttp } from '../../fixtures/http-servers.ts'
import { until } from '../../fixtures/recorded-source.ts'
import { DEFAULT_TIMING } from '../../limits.ts'
import { rawResultOf } from '../answer-guard.ts'
import { createAddressGuard } from './address-guard.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { HttpTransport } from './http-transport.ts'

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const ENVELOPE = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
const RESULT = { content: [{ type: 'text', text: 'hällo' }] }

function aCall(params: object = { name: 'act', arguments: { a: 'ü' }, _meta: ENVELOPE }): JSONRPCMessage {
  return { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { ...params } }
}

/** Sends one message; says what came of it. */
async function outcomeOf(transport: Transport, message: JSONRPCMessage) {
  const delivered: unknown[] = []
  Object.assign(transport, {
    onmessage: (each: JSONRPCMessage) =>
      delivered.push('result' in each ? (rawResultOf(each.result) ?? each.result) : each),
  })
  await transport.start()
  transport.setProtocolVersion?.('2026-07-28')
  const error = await transport.send(message).then(
    () => undefined,
    (thrown: unknown) => String(thrown),
  )
  // A stream is read after the sending has ended.
  await until(() => error !== undefined || delivered.length > 0)
  await transport.close()
  return { delivered, error }
}

/** The same message by our transport and by the SDK's, to a server that answers so. */
async function byBoth(
  message: JSONRPCMessage,
  answer: RequestListener,
  headers: Readonly<Record<string, string>> = {},
) {
  const seen: Seen[] = []
  const serve = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    const body = await text(request)
    seen.push({ method: request.method, url: request.url, headers: request.headers, body })
    answer(request, response)
  }
  await using server = await serveHttp((request, response) => void serve(request, response))
  const ours = new HttpTransport(
    { url: server.url, headers },
    {
      kind: 'http',
      timing: DEFAULT_TIMING,
      maxMessageBytes: 10_000,
      forbiddenAddresses: [],
      onStrayAnswer: () => {},
      onRefusedNotification: () => {},
    },
  )
  const guard = createAddressGuard({ configuredHost: '127.0.0.1', allowPrivateAddresses: true, forbidden: [] })
  const http = createGuardedFetch({ guard, maxBodyBytes: 10_000, onOversize: () => {} })
  const options = { fetch: http.fetch, requestInit: { headers: { ...headers } } }
  const direct = await outcomeOf(ours, message)
  const sentByUs = seen.splice(0)
  const sdk = await outcomeOf(new StreamableHTTPClientTransport(new URL(server.url), options), message)
  http.close()
  return { direct, sdk, sentByUs, sentBySdk: seen }
}

const json =
  (status: number, body: unknown, type = 'application/json'): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body))

const good = json(200, { jsonrpc: '2.0', id: 3, result: RESULT })

test.each<[string, JSONRPCMessage, Readonly<Record<string, string>>]>([
  ['a call', aCall(), {}],
  ['a call of an older revision', aCall({ name: 'act', arguments: {} }), {}],
  ['a name that its header encodes', aCall({ name: 'grüße', _meta: ENVELOPE }), {}],
  ['configured headers', aCall(), { Authorization: 'Bearer abc', 'X-Own': 'ä', 'Content-Type': 'text/plain' }],
  [
    'configured headers of the protocol',
    aCall(),
    { Accept: 'text/html', 'MCP-Protocol-Version': '1', 'mcp-name': 'x' },
  ],
  ['another request', { jsonrpc: '2.0', id: 3, method: 'prompts/list', params: { _meta: ENVELOPE } }, {}],
])('%s is sent once, as the SDK sends it', async (_what, message, headers) => {
  const { sentByUs, sentBySdk, direct, sdk } = await byBoth(message, good, headers)
  expect(sentByUs).toEqual(sentBySdk)
  expect(sentByUs).toHaveLength(1)
  expect(direct).toEqual(sdk)
  expect(direct.delivered).toEqual([RESULT])
})

const ERROR = { code: -32_602, message: 'no', data: { a: 1 } }

test.each<[string, RequestListener]>([
  ['an error', json(200, { jsonrpc: '2.0', id: 3, error: ERROR })],
  ['a list of messages', json(200, [{ jsonrpc: '2.0', id: 3, result: RESULT }])],
  ['another version of JSON-RPC', json(200, { jsonrpc: '1.0', id: 3, result: RESULT })],
  ['result and error at once', json(200, { jsonrpc: '2.0', id: 3, result: RESULT, error: ERROR })],
  ['a byte order mark', json(200, `\uFEFF${JSON.stringify({ jsonrpc: '2.0', id: 3, result: RESULT })}`)],
  ['no JSON', json(200, '<html>')],
  ['nothing', json(200, '')],
  ['a text', json(200, 'fine', 'text/plain')],
  ['more than the limit', json(200, { jsonrpc: '2.0', id: 3, result: { content: ['x'.repeat(20_000)] } })],
  [
    'an event stream',
    json(200, `data: {"jsonrpc":"2.0","id":3,"result":${JSON.stringify(RESULT)}}\n\n`, 'text/event-stream'),
  ],
  [
    'a parameter of the media type',
    json(200, { jsonrpc: '2.0', id: 3, result: RESULT }, 'Application/JSON; charset=utf-8'),
  ],
  ['a refusal with an error', json(400, { jsonrpc: '2.0', id: 3, error: ERROR })],
  ['a session that is not known', json(404, { jsonrpc: '2.0', id: null, error: ERROR })],
  ['a defect', json(500, 'sorry', 'text/plain')],
  [
    'a redirect',
    (request, response) => {
      if (request.url === '/mcp/') good(request, response)
      else response.writeHead(307, { location: '/mcp/' }).end()
    },
  ],
  ['a cut connection', (request) => request.socket.destroy()],
  [
    'a connection that is cut in the middle of its body',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"jsonrpc"')
      setTimeout(() => response.destroy(), 5)
    },
  ],
])('%s for an answer is read as the SDK reads it', async (_what, answer) => {
  const { direct, sdk, sentByUs, sentBySdk } = await byBoth(aCall(), answer)
  expect(direct).toEqual(sdk)
  expect(direct.error !== undefined || direct.delivered.length > 0).toBe(true)
  expect(sentByUs).toEqual(sentBySdk)
})

test.each<[string, RequestListener, object]>([
  [
    'an error whose code is none',
    json(200, { jsonrpc: '2.0', id: 3, error: { code: 'x', message: 'no' } }),
    { error: { code: -32_603, message: 'no' } },
  ],
  ['an error that is about nothing by its id', json(200, { jsonrpc: '2.0', id: null, error: ERROR }), { error: ERROR }],
  ['a result beside no error', json(200, { jsonrpc: '2.0', id: 3, result: RESULT, error: null }), RESULT],
])('%s for an answer is mended, and so at once', async (_what, answer, expected) => {
  const { direct, sentByUs } = await byBoth(aCall(), answer)
  expect(direct.delivered).toEqual([expect.objectContaining(expected)])
  expect(sentByUs).toHaveLength(1)
})

test('a redirect elsewhere is told of, with the address that it leads to', async () => {
  const elsewhere: RequestListener = (_request, response) =>
    response.writeHead(307, { location: 'http://127.0.0.9/there?key=s3cret' }).end()
  const { direct } = await byBoth(aCall(), elsewhere)
  expect(direct.error).toContain('the server redirects to http://127.0.0.9/there (HTTP status 307)')
})

test('a token that was refused is renewed for a direct call too', async () => {
  const tokens: unknown[] = []
  await using server = await serveHttp((request, response) => {
    tokens.push(request.headers.authorization)
    if (request.headers.authorization === 'Bearer new') good(request, response)
    else response.writeHead(401).end()
  })
  const transport = new HttpTransport(
    { url: server.url },
    {
      kind: 'http',
      timing: DEFAULT_TIMING,
      maxMessageBytes: 10_000,
      forbiddenAddresses: [],
      onStrayAnswer: () => {},
      onRefusedNotification: () => {},
      authorize: (fetch) => async (input, init) => {
        const first = await fetch(input, { ...init, headers: { ...plain(init?.headers), authorization: 'Bearer old' } })
        if (first.status !== 401) return first
        return fetch(input, { ...init, headers: { ...plain(init?.headers), authorization: 'Bearer new' } })
      },
    },
  )
  expect(await outcomeOf(transport, aCall())).toEqual({ delivered: [RESULT], error: undefined })
  expect(tokens).toEqual(['Bearer old', 'Bearer new'])
})

test('a forbidden address is not connected to by a direct call', async () => {
  let reached = 0
  await using server = await serveHttp((_request, response) => {
    reached += 1
    response.end()
  })
  const transport = new HttpTransport(
    { url: server.url },
    {
      kind: 'http',
      timing: DEFAULT_TIMING,
      maxMessageBytes: 10_000,
      forbiddenAddresses: ['127.0.0.0/8'],
      onStrayAnswer: () => {},
      onRefusedNotification: () => {},
    },
  )
  expect((await outcomeOf(transport, aCall())).error).toContain('address 127.0.0.1 is forbidden')
  expect(reached).toBe(0)
})

function plain(headers: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries(new Headers(headers))
}
