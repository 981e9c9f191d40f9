import type { AuthInfo, CallToolRequest, CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { ProtocolError, Server } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import { createLegacySessions } from './legacy-sessions.ts'
import type { AnswerStream } from './session-posts.ts'

const AUTH: AuthInfo = { token: '', clientId: 'a', scopes: [] }
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-11-25',
}

function authenticated(token = 'a'): Authenticated {
  return {
    token: { id: token, name: token, tenant: 't', scopes: ['tools'], hash: '', createdMs: 0 },
    caller: { tenant: 't', agent: 'default' },
  }
}

type Handler = (request: CallToolRequest, context: ServerContext) => CallToolResult | Promise<CallToolResult>

/** A session whose tools do what is given, and the two ways of calling one in it. */
async function aSession(handler: Handler, headers: Readonly<Record<string, string>> = HEADERS) {
  const sessions = createLegacySessions({
    createServer() {
      const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } })
      server.setRequestHandler('tools/call', handler)
      return server
    },
    onError: () => {},
    ids: { mint: () => 's1', startOf: () => undefined, openedAgain: () => {} },
    now: () => 0,
  })
  let isOpen = false
  const post = async (body: JsonObject) => {
    const given = { ...headers, ...(isOpen && { 'mcp-session-id': 's1' }) }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: given })
    const sent = Promise.resolve()
    const asked = { request, body: { jsonrpc: '2.0', ...body }, authInfo: AUTH, authenticated: authenticated(), sent }
    const response = await sessions.serve(asked)
    return { headers: [...response.headers], text: await response.text() }
  }
  const take = (body: JsonObject, { more = {}, token = 'a' }: Taking = {}): Taken | undefined => {
    const stream = aStream()
    const isTaken = sessions.take({
      inbound: {
        method: 'POST',
        headers: { ...headers, 'mcp-session-id': 's1', ...more },
        body: { jsonrpc: '2.0', ...body },
      },
      authenticated: authenticated(token),
      sent: stream.ended,
      enter: () => ({ authInfo: AUTH, stream: stream.stream }),
    })
    return isTaken ? stream : undefined
  }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  await post({ id: 0, method: 'initialize', params })
  isOpen = true
  return { sessions, post, take }
}

interface Taking {
  readonly more?: Readonly<Record<string, string>>
  readonly token?: string
}

interface Taken {
  readonly ended: Promise<void>
  readonly written: () => { readonly headers: readonly (readonly [string, string])[]; readonly text: string }
}

function aStream(): Taken & { readonly stream: AnswerStream } {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let [headers, text]: [Readonly<Record<string, string>>, string] = [{}, '']
  let isEnded = false
  const stream: AnswerStream = {
    begin: (given) => void (headers = given),
    flush: () => {},
    write: (more) => void (text += more),
    end(more) {
      text += more
      isEnded = true
      resolve()
    },
    isClosed: () => isEnded,
  }
  return { stream, ended, written: () => ({ headers: Object.entries(headers), text }) }
}

function aCall(params: JsonObject = {}, id: string | number = 7): JsonObject {
  return {
    id,
    method: 'tools/call',
    params: { name: 'act', arguments: { a: 'ü\n' }, _meta: { progressToken: 3 }, ...params },
  }
}

const TEXT = { type: 'text' as const, text: 'hällo\n"x"' }

test.each<[string, Handler]>([
  ['a text', () => ({ content: [TEXT] })],
  ['a structured result', () => ({ content: [], structuredContent: { b: 1, a: [null] }, isError: false })],
  ['a picture', () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] })],
  [
    'a result after progress',
    async (_request, { mcpReq }) => {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 3, progress: 1, message: 'ü' } })
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 3, progress: 2 } })
      return { content: [TEXT] }
    },
  ],
  ['an error', () => Promise.reject(new ProtocolError(-32_602, 'no such thing', { a: 1 }))],
])('%s is answered as the transport of the SDK answers it, once that has let the like in', async (_what, handler) => {
  const { post, take } = await aSession(handler)
  expect(take(aCall())).toBeUndefined()
  const expected = await post(aCall())
  const taken = take(aCall())
  await taken?.ended
  expect(taken?.written()).toEqual(expected)
  for (const id of ['x', '', 0, -1]) {
    const again = take(aCall({}, id))
    await again?.ended
    expect(again?.written()).toEqual(await post(aCall({}, id)))
  }
})

test('a message is one line to any reader, also to one that knows more ends of lines', async () => {
  const { post, take } = await aSession(() => ({ content: [{ type: 'text', text: 'a\u2028b\u0085c' }] }))
  await post(aCall())
  const taken = take(aCall())
  await taken?.ended
  expect(taken?.written().text).toContain('"text":"a\\u2028b\\u0085c"')
})

test('what the transport might have a say in is left to it', async () => {
  const { post, take } = await aSession(() => ({ content: [TEXT] }))
  await post(aCall())
  const left: readonly (readonly [JsonObject, Taking?])[] = [
    [aCall(), { more: { 'mcp-session-id': 's2' } }],
    [aCall(), { more: { accept: 'application/json' } }],
    [aCall(), { more: { 'content-type': 'text/plain' } }],
    [aCall(), { more: { 'mcp-protocol-version': '1999-01-01' } }],
    [aCall(), { token: 'b' }],
    [{ ...aCall(), more: 1 }],
    [{ ...aCall(), id: 1.5 }],
    [{ ...aCall(), id: null }],
    [{ ...aCall(), method: 'tools/list' }],
    [aCall({ name: 1 })],
    [aCall({ arguments: [] })],
    [aCall({ task: {} })],
    [aCall({ _meta: { progressToken: {} } })],
    [aCall({ _meta: { 'io.modelcontextprotocol/related-task': {} } })],
  ]
  for (const [body, taking] of left) expect([body, taking, take(body, taking)]).toEqual([body, taking, undefined])
  const taken = take(aCall({ _meta: { progressToken: 'x', 'claudecode/toolUseId': 'toolu_1' } }))
  await taken?.ended
  expect(taken?.written().text).toContain('hällo')
})

test('calls at a time each get their own answer; a second one of the same id is not taken', async () => {
  const waiting = new Map<unknown, () => void>()
  const { post, take } = await aSession(async ({ params }) => {
    const of = params.arguments?.['of']
    if (of !== undefined) await new Promise<void>((resolve) => waiting.set(of, resolve))
    return { content: [{ type: 'text', text: `done ${String(of)}` }] }
  })
  await post(aCall())
  const first = take(aCall({ arguments: { of: 1 } }, 1))
  const second = take(aCall({ arguments: { of: 2 } }, 2))
  expect(take(aCall({}, 2))).toBeUndefined()
  await new Promise((resolve) => setImmediate(resolve))
  waiting.get(2)?.()
  await second?.ended
  expect(second?.written().text).toContain('done 2')
  expect(first?.written().text).toBe('')
  waiting.get(1)?.()
  await first?.ended
  expect(first?.written().text).toContain('done 1')
})

test('the end of a session ends what is still open in it, and a call that its client cancels gets no answer', async () => {
  const aborted: string[] = []
  const { post, take, sessions } = await aSession(async (_request, { mcpReq }) => {
    if (mcpReq.id === 7) return { content: [] }
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()))
    aborted.push(String(mcpReq.id))
    return { content: [TEXT] }
  })
  await post(aCall())
  const [cancelled, open] = [take(aCall({}, 1)), take(aCall({}, 2))]
  await new Promise((resolve) => setImmediate(resolve))
  await post({ method: 'notifications/cancelled', params: { requestId: 1 } })
  await cancelled?.ended
  expect(aborted).toEqual(['1'])
  await sessions.close()
  await open?.ended
  expect([cancelled?.written().text, open?.written().text]).toEqual(['', ''])
  expect(take(aCall({}, 3))).toBeUndefined()
})
