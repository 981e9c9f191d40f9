import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../catalog/json.ts'
import { readRpcMessage } from '../judging/rpc-message.ts'
import type { PipeListener } from './pipe.ts'
import type { PipeUpstreamDeps } from './pipe-upstream.ts'
import { createPipeUpstream } from './pipe-upstream.ts'
import { readEvents } from './read-events.ts'
import type { Upstream } from './upstream.ts'

interface Fake {
  readonly upstream: Upstream
  readonly sent: readonly JsonObject[]
  readonly say: (message: JsonObject) => void
  readonly die: () => void
  readonly opened: () => number
  readonly closed: () => boolean
}

function aPipe(deps: Partial<PipeUpstreamDeps> = {}): Fake {
  const sent: JsonObject[] = []
  let listener: PipeListener | undefined
  let opened = 0
  let isClosed = false
  const upstream = createPipeUpstream({
    use: 'session',
    idleMs: 0,
    ...deps,
    open: async (given) => {
      opened += 1
      listener = given
      const close = async (): Promise<void> => {
        isClosed = true
        given.onClosed()
      }
      return { send: async (message) => void sent.push(message), close }
    },
  })
  return {
    upstream,
    sent,
    opened: () => opened,
    closed: () => isClosed,
    die: () => listener?.onClosed(),
    say(message) {
      const read = readRpcMessage(message)
      if (read === undefined) throw new Error('the test says something that is no message')
      listener?.onMessage(read)
    },
  }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'x' }
const signal = new AbortController().signal
const post = (
  upstream: Upstream,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = HEADERS,
): Promise<Response> => upstream.exchange({ method: 'POST', headers, body }, signal)
const call = (id: number | string, meta: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'x', _meta: { ...META, ...meta } },
})
/** Says `initialize`, and is welcomed. */
async function begin({ upstream, sent, say }: Fake): Promise<void> {
  const answer = post(upstream, { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }, {})
  await turn()
  say({ jsonrpc: '2.0', id: sent[0]?.['id'] ?? null, result: {} })
  await answer
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function eventsOf(response: Response): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = []
  if (response.body !== null) for await (const { data } of readEvents(response.body)) found.push(JSON.parse(data))
  return found
}

test('two clients that use the same ids and progress tokens hear each their own', async () => {
  const { upstream, sent, say } = aPipe({ use: 'requests' })
  const answers = [post(upstream, call(1, { progressToken: 'p' })), post(upstream, call(1, { progressToken: 'p' }))]
  await turn()
  const [first, second] = sent
  expect(first?.['id']).not.toBe(second?.['id'])
  const token = Object(second)['params']['_meta']['progressToken']
  say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 1 } })
  say({ jsonrpc: '2.0', id: first?.['id'] ?? null, result: { of: 'first' } })
  say({ jsonrpc: '2.0', id: second?.['id'] ?? null, result: { of: 'second' } })
  const [one, two] = await Promise.all(answers)
  expect(await one?.json()).toEqual({ jsonrpc: '2.0', id: 1, result: { of: 'first' } })
  expect(await eventsOf(two ?? new Response())).toEqual([
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
    { jsonrpc: '2.0', id: 1, result: { of: 'second' } },
  ])
})

test('what belongs to nobody is told to no one where several clients share the pipe', async () => {
  const { upstream, sent, say } = aPipe({ use: 'requests' })
  const answer = post(upstream, call(1))
  await turn()
  say({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'of another' } })
  say({ jsonrpc: '2.0', id: 5, method: 'sampling/createMessage', params: {} })
  say({ jsonrpc: '2.0', id: sent[0]?.['id'] ?? null, result: {} })
  expect(await (await answer).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
})

test('a message that would pin the pipe to the wrong generation never reaches it', async () => {
  const { upstream, opened } = aPipe({ use: 'requests' })
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
  expect((await post(upstream, initialize, {})).status).toBe(400)
  expect((await post(upstream, { ...initialize, method: 'tools/list' })).status).toBe(400)
  expect(opened()).toBe(0)
})

test('in a session the server asks on the stream of the request that began last, else on that of GET', async () => {
  const pipe = aPipe()
  await begin(pipe)
  const { upstream, sent, say } = pipe
  const answer = post(upstream, call('a'))
  await turn()
  say({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: {} })
  say({ jsonrpc: '2.0', id: sent.at(-1)?.['id'] ?? null, result: {} })
  expect((await eventsOf(await answer)).map((message) => message['method'] ?? 'answer')).toEqual([
    'elicitation/create',
    'answer',
  ])
  say({ jsonrpc: '2.0', id: 2, method: 'roots/list' })
  const listening = await upstream.exchange({ method: 'GET', headers: {} }, signal)
  await upstream.close()
  expect(await eventsOf(listening)).toEqual([{ jsonrpc: '2.0', id: 2, method: 'roots/list' }])
})

test('a client cancels by its own id', async () => {
  const { upstream, sent } = aPipe()
  void post(upstream, call('mine'))
  await turn()
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } }
  await post(upstream, cancelled)
  expect(Object(sent.at(-1))['params']).toEqual({ requestId: sent[0]?.['id'] })
})

test('who cancels late, or by a guess, cancels nothing: ids on the pipe are none of a client', async () => {
  const { upstream, sent, say } = aPipe()
  void post(upstream, call('over'))
  void post(upstream, call('mine'))
  await turn()
  const [first, second] = sent
  say({ jsonrpc: '2.0', id: first?.['id'] ?? null, result: {} })
  for (const requestId of ['over', second?.['id'] ?? null, first?.['id'] ?? null, '2', null]) {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
    expect((await post(upstream, cancelled)).status).toBe(202)
  }
  expect(sent).toHaveLength(2)
})

test('of several clients on one pipe none reaches the request of another', async () => {
  const { upstream, sent } = aPipe({ use: 'requests' })
  void post(upstream, call(1))
  await turn()
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const answer = { jsonrpc: '2.0', id: 1, result: {} }
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }
  for (const body of [cancelled, answer, progress]) expect((await post(upstream, body)).status).toBe(400)
  expect(sent).toHaveLength(1)
})

test('a session is over with its pipe; requests open another one', async () => {
  const session = aPipe()
  const waiting = post(session.upstream, call(1))
  await turn()
  session.die()
  expect(await eventsOf(await waiting)).toEqual([])
  expect((await post(session.upstream, call(2))).status).toBe(404)
  const requests = aPipe({ use: 'requests' })
  void post(requests.upstream, call(1))
  await turn()
  requests.die()
  void post(requests.upstream, call(2))
  await turn()
  expect(requests.opened()).toBe(2)
})

test('a session that does not begin is over, so that no process stays behind', async () => {
  for (const end of [{ error: { code: -32_602, message: 'no' } }, undefined]) {
    const { upstream, sent, say, closed } = aPipe()
    const leaving = new AbortController()
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
    const answer = upstream.exchange({ method: 'POST', headers: {}, body: initialize }, leaving.signal)
    await turn()
    if (end === undefined) leaving.abort()
    else say({ jsonrpc: '2.0', id: sent[0]?.['id'] ?? null, ...end })
    await answer
    await turn()
    expect(closed()).toBe(true)
  }
})

test('a session begins with a good answer to "initialize" alone', async () => {
  const answerWith = async (end: JsonObject): Promise<string | null> => {
    const { upstream, sent, say } = aPipe()
    const answer = post(upstream, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }, {})
    await turn()
    say({ jsonrpc: '2.0', id: sent[0]?.['id'] ?? null, ...end })
    return (await answer).headers.get('mcp-session-id')
  }
  expect(await answerWith({ result: {} })).toBe('pipe')
  expect(await answerWith({ error: { code: -32_602, message: 'no' } })).toBeNull()
})

test('the stream of GET that is opened last is that of the session, and one whose reader has left is none', async () => {
  const fake = aPipe()
  await begin(fake)
  const listen = (leaves: AbortSignal): Promise<Response> =>
    fake.upstream.exchange({ method: 'GET', headers: {} }, leaves)
  const lost = await listen(signal)
  const leaving = new AbortController()
  const left = await listen(leaving.signal)
  expect(await lost.text()).toBe('')
  leaving.abort()
  expect(await left.text()).toBe('')
  // Held for whoever listens next.
  fake.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  const { body } = await listen(signal)
  const { value } = (await body?.getReader().read()) ?? {}
  expect(new TextDecoder().decode(value)).toContain('tools/list_changed')
})

test('an error of a client about what it could not read names no message, and is none to a server', async () => {
  const pipe = aPipe()
  await begin(pipe)
  const before = pipe.sent.length
  for (const id of [{}, { id: null }]) {
    const error = { jsonrpc: '2.0', ...id, error: { code: -32_700, message: 'Parse error' } }
    expect((await post(pipe.upstream, error, {})).status).toBe(202)
  }
  expect(pipe.sent.length).toBe(before)
})

test('progress of a request that was cancelled comes to no other one', async () => {
  const fake = aPipe()
  await begin(fake)
  const { upstream, sent, say } = fake
  const leaving = new AbortController()
  const given = { method: 'POST', headers: HEADERS, body: call('a', { progressToken: 'p' }) } as const
  const cancelled = upstream.exchange(given, leaving.signal)
  await turn()
  const token = Object(sent.at(-1))['params']['_meta']['progressToken']
  leaving.abort()
  await cancelled
  // To its client the token of this one is what the other's was on the pipe.
  const other = post(upstream, call('b', { progressToken: token }))
  await turn()
  const id = sent.at(-1)?.['id'] ?? null
  say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 1 } })
  say({ jsonrpc: '2.0', id, result: { content: [] } })
  expect(await (await other).json()).toEqual({ jsonrpc: '2.0', id: 'b', result: { content: [] } })
})
