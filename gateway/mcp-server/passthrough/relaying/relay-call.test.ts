import { expect, test } from 'vitest'
import { aPassedSession, aPassing } from '../../testing/a-passed-session.ts'
import { ToolUnavailable } from '../../../../catalog/tool.ts'
import type { RpcRequest } from '../judging/rpc-message.ts'
import { PASSED_CALLS_PER_SESSION_MAX } from '../limits.ts'
import type { PassedSession } from '../session-book.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { CancelledByClient } from './passing.ts'
import { relayCall } from './relay-call.ts'

const caller = { tenant: 't', agent: 'default' }
const upstream: Upstream = {
  exchange: () => Promise.reject(new Error('no call comes so far')),
  close: async () => {},
}

function aCall(id: number): RpcRequest {
  const params = { name: 'read' }
  return {
    kind: 'request',
    id,
    method: 'tools/call',
    params,
    whole: { jsonrpc: '2.0', id, method: 'tools/call', params },
  }
}

/** Passes calls that never end; `signals` of those that were begun. */
function aClient(session: PassedSession | undefined) {
  const signals: AbortSignal[] = []
  const leaving = new AbortController()
  const passing = aPassing({ upstream, session, signal: leaving.signal })
  const call = (id: number): Promise<Response> =>
    relayCall(aCall(id), passing, {
      dispatch(_request, signal) {
        signals.push(signal)
        return new Promise(() => {})
      },
      newId: () => `call_${id}`,
      onDefect: () => undefined,
      closing: new AbortController().signal,
    })
  return { signals, call, leave: () => leaving.abort() }
}

test('a client that leaves its calls behind cannot pile them up in a session', async () => {
  const { signals, call, leave } = aClient(aPassedSession(upstream))
  for (let id = 0; id < PASSED_CALLS_PER_SESSION_MAX; id += 1) void call(id)
  leave()
  const refused = { error: { message: expect.stringContaining('too many calls') } }
  expect(await (await call(-1)).json()).toMatchObject(refused)
  expect(signals).toHaveLength(PASSED_CALLS_PER_SESSION_MAX)
  expect(signals.some((signal) => signal.aborted)).toBe(false)
})

test('without a session nobody comes back for a call: it ends with its client', async () => {
  const { signals, call, leave } = aClient(undefined)
  void call(1)
  leave()
  expect(signals.map((signal) => signal.aborted)).toEqual([true])
})

test('that a server does not know the session any more is told as that, and not as the result of a tool', async () => {
  const gone: Upstream = { exchange: async () => new Response(null, { status: 404 }), close: async () => {} }
  const headers = { 'mcp-session-id': 'theirs' }
  const passing = aPassing({ upstream: gone, session: aPassedSession(gone), headers })
  const untried: unknown[] = []
  const answering = relayCall(aCall(1), passing, {
    async dispatch({ execute }, signal) {
      const run = execute?.({}, { signal, callId: 'call_1', caller })
      await Promise.resolve(run).catch((error: unknown) => untried.push(error))
      const outcome = { kind: 'unavailable', message: 'not there', effect: 'none' } as const
      return { callId: 'call_1', requested: 'read', outcome, notices: [], ms: 1, receiptId: 'r' }
    },
    newId: () => 'call_1',
    onDefect: () => undefined,
    closing: new AbortController().signal,
  })
  await expect(answering).rejects.toMatchObject({ name: 'UpstreamFault', code: 'session-forgotten' })
  expect(untried).toEqual([expect.any(ToolUnavailable)])
})

const silent = (): Response => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })

test.each([
  ['before the server said anything', () => new Promise<Response>(() => {})],
  ['while its stream is silent', async () => silent()],
])(
  'a call that its client cancels %s ends without an answer; one whose session ends has one',
  async (_when, exchange) => {
    const told = async (reason: Error): Promise<string> => {
      const server: Upstream = { exchange, close: async () => {} }
      const session = aPassedSession(server)
      const answering = relayCall(aCall(1), aPassing({ upstream: server, session }), {
        async dispatch({ execute }, signal) {
          void Promise.resolve(execute?.({}, { signal, callId: 'call_1', caller })).catch(() => undefined)
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          const outcome = { kind: 'cancelled', message: 'it was cancelled', effect: 'unknown' } as const
          return { callId: 'call_1', requested: 'read', outcome, notices: [], ms: 1, receiptId: 'r' }
        },
        newId: () => 'call_1',
        onDefect: () => undefined,
        closing: new AbortController().signal,
      })
      // As its stream begins, where it does.
      await new Promise((resolve) => setImmediate(resolve))
      session.calls.get(1)?.abort(reason)
      return (await answering).text()
    }
    expect(await told(new CancelledByClient())).toBe('')
    expect(await told(new Error('the session has ended'))).toContain('it was cancelled')
  },
)
