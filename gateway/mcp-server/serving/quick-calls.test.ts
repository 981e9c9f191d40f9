import { ProtocolError } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import type { OnProgress } from '../../../bridge/dispatching/call-request.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import type { ToolResult } from '../../../catalog/tool.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import { callTool } from '../answering/call-tool.ts'
import { AUTHENTICATED, ENVELOPE, serverDeps } from '../testing/a-server.ts'
import { createCallerBook } from './caller-book.ts'
import { createAgentServer, serverInfoOf } from './create-agent-server.ts'
import { createModernHandlers } from './modern-handlers.ts'
import type { OnLeft } from './quick-calls.ts'
import { createQuickCalls } from './quick-calls.ts'

/** The endpoint's two ways over the same call; `make` is what the call comes to. */
function aWorld(make: (signal: AbortSignal, onProgress?: OnProgress) => Promise<ModelResult>) {
  const book = createCallerBook()
  let made = 0
  const defects: unknown[] = []
  const deps = serverDeps(
    ({ onProgress }, signal) => {
      made += 1
      return make(signal, onProgress)
    },
    { entryOf: book.entryOf, onDefect: (error) => void defects.push(error) },
  )
  const createServer = ({ caller }: Authenticated) => createAgentServer(deps, caller)
  const modern = createModernHandlers({
    createServer: (info) => createServer(book.read(info).authenticated),
    onError: () => {},
  })
  const quick = createQuickCalls({
    callTool: (params, asking) => callTool(params, asking, deps),
    serverInfo: serverInfoOf('1.2.3'),
  })
  const slow = async (body: JsonObject, call?: Parameters<typeof book.enter>[0]['call']) => {
    const authInfo = book.enter({ authenticated: AUTHENTICATED, requestId: 'req_1', ...(call && { call }) })
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: headersFor() })
    const response = await modern.of('default').fetch(request, { authInfo, parsedBody: body })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }
  return {
    slow,
    defects,
    made: () => made,
    close: () => quick.close(),
    /** As the endpoint serves it. */
    both: async (body: JsonObject, onLeft: OnLeft = () => {}) => {
      const answer = await quick.serve({ method: 'POST', headers: headersFor(), body }, AUTHENTICATED, onLeft)
      const way = answer.kind
      if (answer.kind === 'for-sdk') return { way, ...(await slow(body, answer.call)) }
      return { way, status: 200, type: 'application/json', text: answer.json }
    },
  }
}

function headersFor(): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'default__echo',
  }
}

function aCall(envelope: JsonObject = ENVELOPE, id: string | number = 7): JsonObject {
  const params = { name: 'default__echo', arguments: { a: [1, { b: null }] }, _meta: envelope }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

function ended(result: ToolResult): ModelResult {
  const outcome = { kind: 'ok' as const, value: '', result, effect: 'done' as const }
  const settled = { callId: 'c', requested: 'echo', outcome, notices: [], ms: 1, receiptId: 'rc_1' }
  return { kind: 'result', text: 'text', isError: false, searches: 0, describes: 0, calls: [], settled }
}

const WORDS: ModelResult = {
  kind: 'result',
  text: 'there is no such tool',
  isError: true,
  searches: 0,
  describes: 0,
  calls: [],
}
const TEXT = { type: 'text', text: 'hällo\n"x"' } as const

test.each<[string, 'answer' | 'for-sdk', () => Promise<ModelResult>]>([
  ['texts', 'answer', async () => ended({ content: [TEXT, TEXT] })],
  ['nothing', 'answer', async () => ended({ content: [] })],
  ['a structured result', 'answer', async () => ended({ content: [TEXT], structured: { a: 1, b: [null] } })],
  ['a structured result that is a list', 'for-sdk', async () => ended({ content: [], structured: [1, 2] })],
  ['a structured result that is a text', 'for-sdk', async () => ended({ content: [TEXT], structured: 'x' })],
  ['a picture', 'for-sdk', async () => ended({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] })],
  ['a picture that is none', 'for-sdk', async () => ended({ content: [{ type: 'image', data: '%', mimeType: 'a' }] })],
  ['words for a model', 'answer', async () => WORDS],
  [
    "an error of the protocol's",
    'for-sdk',
    () => Promise.reject(new ProtocolError(-32_602, 'no such thing', { a: 1 })),
  ],
  ['a defect', 'for-sdk', () => Promise.reject(new TypeError('secret inside'))],
])('%s comes to the client as the SDK gives it', async (_what, way, make) => {
  const { both, slow, made, defects } = aWorld(make)
  // The first of a client goes through the SDK, which judges what the client says of itself.
  const first = await both(aCall())
  expect(first.way).toBe('for-sdk')
  const expected = await slow(aCall())
  expect(first).toEqual({ way: 'for-sdk', ...expected })
  expect(made()).toBe(2)
  const again = await both(aCall())
  expect(again).toEqual({ way, ...expected })
  expect(made()).toBe(3)
  expect(defects.length % 3).toBe(0)
})

test('each id comes back as it was sent', async () => {
  const { both, slow } = aWorld(async () => ended({ content: [TEXT] }))
  await both(aCall())
  for (const id of ['x', '', '7', 0, -1, Number.MAX_SAFE_INTEGER]) {
    expect(await both(aCall(ENVELOPE, id))).toEqual({ way: 'answer', ...(await slow(aCall(ENVELOPE, id))) })
  }
})

test('what a client says of itself is never let through where the SDK refuses it', async () => {
  const { both, slow, made } = aWorld(async () => ended({ content: [TEXT] }))
  await both(aCall())
  const wrong: readonly JsonObject[] = [
    { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': 'all' },
    { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': { name: 1 } },
    { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
  ]
  for (const envelope of wrong) {
    for (let time = 0; time < 3; time += 1) {
      const answer = await both(aCall(envelope))
      expect(answer).toEqual({ way: 'for-sdk', ...(await slow(aCall(envelope))) })
      expect(answer.text).toContain('-32602')
    }
  }
  expect(made()).toBe(1)
})

test('a call whose client goes away, or that the stop of the gateway meets, is cancelled', async () => {
  const reasons: unknown[] = []
  const underWay = Promise.withResolvers<void>()
  let isFirst = true
  const { both, close } = aWorld(async (signal) => {
    if (isFirst) {
      isFirst = false
      return ended({ content: [] })
    }
    underWay.resolve()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    reasons.push(String(signal.reason))
    return ended({ content: [TEXT] })
  })
  await both(aCall())
  let leave: (() => void) | undefined
  const left = both(aCall(), (tell) => {
    leave = tell
  })
  const stopped = both(aCall())
  await underWay.promise
  leave?.()
  await left
  close()
  await stopped
  expect(reasons).toEqual(['Error: the client went away', 'Error: the gateway stops'])
})

test('what clients add of their own, another with each call, costs no call its way', async () => {
  const { both, slow } = aWorld(async () => ended({ content: [TEXT] }))
  await both(aCall())
  for (const own of [
    { traceparent: '00-1' },
    { 'claudecode/toolUseId': 'toolu_1' },
    { progressToken: 1 },
    { progressToken: 'x' },
  ]) {
    const call = aCall({ ...ENVELOPE, ...own })
    expect(await both(call)).toEqual({ way: 'answer', ...(await slow(call)) })
  }
  for (const progressToken of [1.5, null, {}]) {
    const call = aCall({ ...ENVELOPE, progressToken })
    expect(await both(call)).toEqual({ way: 'for-sdk', ...(await slow(call)) })
  }
})

test.each([
  [1, []],
  [2, [0]],
  [3, [0, 60]],
])(
  'progress that is told %i times comes to the client as by the SDK, each before the answer',
  async (count, pausesMs) => {
    const { both, slow, made } = aWorld(async (_signal, onProgress) => {
      for (let step = 1; step <= count; step += 1) {
        onProgress?.({ progress: step, message: 'ü' }, 'mcp:a:b')
        const pauseMs = pausesMs[step - 1]
        if (pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      return ended({ content: [TEXT] })
    })
    const call = aCall({ ...ENVELOPE, progressToken: 7 })
    await both(call)
    const expected = await slow(call)
    expect(expected.type).toBe('text/event-stream')
    expect(await both(call)).toEqual({ way: 'for-sdk', ...expected })
    expect(made()).toBe(3)
  },
)
