import { expect, test } from 'vitest'
import { aPassedSession, aPassing } from '../../testing/a-passed-session.ts'
import type { RpcId, RpcRequest } from '../judging/rpc-message.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { UpstreamFault } from '../upstream/upstream-fault.ts'
import { relayRequest } from './relay-request.ts'

function aRequest(id: RpcId): RpcRequest {
  return {
    kind: 'request',
    id,
    method: 'prompts/list',
    params: {},
    whole: { jsonrpc: '2.0', id, method: 'prompts/list' },
  }
}

/** A client in a session with a server that answers what it is told to, or waits for ever. */
function aClient(answer: (signal: AbortSignal) => Promise<Response>) {
  const upstream: Upstream = { exchange: (_request, signal) => answer(signal), close: async () => {} }
  const session = aPassedSession(upstream)
  const client = new AbortController()
  const passing = aPassing({ upstream, session, signal: client.signal })
  const ask = (id: RpcId): Promise<Response> => relayRequest(aRequest(id), passing, () => ({}))
  return { ask, session, leave: () => client.abort(new Error('left')) }
}

const never = (signal: AbortSignal): Promise<Response> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const listed = async (): Promise<Response> => Response.json({ jsonrpc: '2.0', id: 7, result: { prompts: [] } })
/** A stream of which nothing comes. */
const silent = async (signal: AbortSignal): Promise<Response> => {
  const body = new ReadableStream({
    start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

test('a request with the id of another that is under way in its session is refused', async () => {
  const { ask, session } = aClient(never)
  void ask(7)
  await expect.poll(() => session.requests.has(7)).toBe(true)
  expect(await (await ask(7)).json()).toMatchObject({ id: 7, error: { code: -32_600 } })
})

test('an id is free once its request is answered', async () => {
  const { ask, session } = aClient(listed)
  for (const response of [await ask(7), await ask(7)])
    expect(await response.json()).toMatchObject({ id: 7, result: {} })
  expect(session.requests.size).toBe(0)
})

test.each([
  ['before the server said anything', never],
  ['while its stream is silent', silent],
])('a request that its client cancels %s ends without an answer', async (_when, answer) => {
  const { ask, session } = aClient(answer)
  const asking = ask(7)
  await expect.poll(() => session.requests.has(7)).toBe(true)
  // As the stream begins, where it does.
  await new Promise((resolve) => setImmediate(resolve))
  session.requests.get(7)?.abort(new Error('cancelled by the client'))
  const response = await asking
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/event-stream',
    '',
  ])
  await expect.poll(() => session.requests.size).toBe(0)
})

test('the end of its session is the answer to a request that waits, in its response or in its stream', async () => {
  const ended = new UpstreamFault('session-forgotten', 'the session has ended')
  const waiting = aClient(never)
  const asking = waiting.ask(7)
  await expect.poll(() => waiting.session.requests.has(7)).toBe(true)
  waiting.session.requests.get(7)?.abort(ended)
  await expect(asking).rejects.toBe(ended)

  const streaming = aClient(silent)
  const response = await streaming.ask(8)
  streaming.session.requests.get(8)?.abort(ended)
  expect(await response.text()).toMatch(/^data: \{.*"id":8,.*"the session has ended"/)
})

test('one whose client has left is over', async () => {
  const { ask, session, leave } = aClient(never)
  const asking = ask(7)
  await expect.poll(() => session.requests.has(7)).toBe(true)
  leave()
  await expect(asking).rejects.toThrow('left')
  expect(session.requests.size).toBe(0)
})
