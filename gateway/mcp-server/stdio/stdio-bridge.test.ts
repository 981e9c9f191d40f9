import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { GatewayLink, LinkRequest } from './gateway-link.ts'
import { GatewayGone } from './gateway-link.ts'
import { createStdioBridge } from './stdio-bridge.ts'

type Answer = (request: LinkRequest, signal: AbortSignal) => Response | Promise<Response>

function aBridge(answer: Answer) {
  const written: unknown[] = []
  const asked: LinkRequest[] = []
  const notes: string[] = []
  const link: GatewayLink = {
    async ask(request, signal) {
      asked.push(request)
      return answer(request, signal)
    },
    untilRunning: async (signal) => {
      await pause(1, undefined, { signal })
    },
  }
  const bridge = createStdioBridge({
    link,
    write: async (message) => void written.push(JSON.parse(message)),
    note: (text) => void notes.push(text),
  })
  const take = (message: object): void => bridge.take(JSON.stringify(message))
  return { bridge, take, written, asked, notes }
}

const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message })
const stream = (...messages: readonly object[]): Response =>
  new Response(messages.map((message) => `event: message\ndata: ${rpc(message)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })
const json = (message: object, init: ResponseInit = {}): Response =>
  new Response(rpc(message), { headers: { 'content-type': 'application/json' }, ...init })
const accepted = (): Response => new Response(null, { status: 202 })
const methodOf = ({ body = '{}' }: LinkRequest): string => JSON.parse(body).method

/** A gateway with sessions `s1`, `s2` …; `forget` ends those that there are. */
function aSessionGateway(tools: Answer = (request) => json({ id: JSON.parse(request.body ?? '').id, result: {} })) {
  let count = 0
  let live = ''
  const isLive = ({ headers }: LinkRequest): boolean => headers['mcp-session-id'] === live
  const answer: Answer = (request, signal) => {
    if (request.method !== 'POST') return new Response(null, { status: request.method === 'GET' ? 405 : 200 })
    if (methodOf(request) === 'initialize') {
      live = `s${(count += 1)}`
      return new Response(`data: ${rpc({ id: 9, result: { protocolVersion: '2025-11-25' } })}\n\n`, {
        headers: { 'content-type': 'text/event-stream', 'mcp-session-id': live },
      })
    }
    if (!isLive(request)) return json({ id: null, error: { code: -32_001 } }, { status: 404 })
    return methodOf(request).startsWith('notifications/') ? accepted() : tools(request, signal)
  }
  return { answer, isLive, forget: () => void (live = '') }
}

const LIST_CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
const written = (list: readonly unknown[], count: number): Promise<void> =>
  expect.poll(() => list.length, { timeout: 5_000 }).toBe(count)

test('the messages of an answer are written out in their order, each in a line', async () => {
  const { take, written: lines } = aBridge(() =>
    stream({ method: 'notifications/progress', params: { progress: 1 } }, { id: 1, result: { ok: true } }),
  )
  take({ id: 1, method: 'tools/call', params: { name: 'x', _meta: META } })
  await written(lines, 2)
  expect(lines).toMatchObject([{ method: 'notifications/progress' }, { id: 1, result: { ok: true } }])
})

test('a client of an older revision gets its session, which goes with every later message', async () => {
  const { take, written: lines, asked } = aBridge(aSessionGateway().answer)
  take({ id: 'init', method: 'initialize', params: {} })
  // Before the answer to the first has come.
  take({ id: 2, method: 'tools/list' })
  await written(lines, 2)
  expect(lines[0]).toMatchObject({ id: 'init', result: { protocolVersion: '2025-11-25' } })
  expect(asked[1]?.headers).toMatchObject({ 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-11-25' })
})

test('a session that the gateway has forgotten is opened again, once for all who found it gone', async () => {
  const gateway = aSessionGateway()
  const { take, written: lines, asked } = aBridge(gateway.answer)
  take({ id: 1, method: 'initialize', params: {} })
  await written(lines, 1)
  gateway.forget()
  for (const id of [2, 3, 4]) take({ id, method: 'tools/list' })
  await written(lines, 5)
  // What it does not know of may have changed its tools.
  expect(lines[1]).toEqual(LIST_CHANGED)
  expect(lines.slice(2)).toEqual([2, 3, 4].map((id) => ({ jsonrpc: '2.0', id, result: {} })))
  expect(asked.filter((request) => request.method === 'POST' && methodOf(request) === 'initialize')).toHaveLength(2)
})

test('a client that asks for nothing hears of changes after its gateway was away, by a session that was opened again', async () => {
  const gateway = aSessionGateway()
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  let isAway = false
  const { take, written: lines } = aBridge((request, signal) => {
    if (isAway) throw new GatewayGone('gone', { mayHaveRun: false })
    if (request.method !== 'GET') return gateway.answer(request, signal)
    if (!gateway.isLive(request)) return json({ id: null, error: { code: -32_001 } }, { status: 404 })
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  take({ id: 1, method: 'initialize', params: {} })
  take({ method: 'notifications/initialized' })
  await expect.poll(() => streams.length).toBe(1)
  isAway = true
  gateway.forget()
  streams[0]?.error(new Error('the connection broke'))
  await pause(20)
  expect(lines).toHaveLength(1)
  isAway = false
  await expect.poll(() => streams.length).toBe(2)
  streams[1]?.enqueue(new TextEncoder().encode(`data: ${rpc({ method: 'notifications/tools/list_changed' })}\n\n`))
  await written(lines, 3)
  expect(lines.slice(1)).toEqual([LIST_CHANGED, LIST_CHANGED])
})

test('a request that found no gateway is sent once more; one that was broken off is not', async () => {
  let times = 0
  const gone =
    (mayHaveRun: boolean): Answer =>
    () => {
      times += 1
      if (times === 1) throw new GatewayGone('gone', { mayHaveRun })
      return json({ id: 1, result: {} })
    }
  const first = aBridge(gone(false))
  first.take({ id: 1, method: 'tools/call', params: { name: 'x', _meta: META } })
  await written(first.written, 1)
  expect(first.written).toMatchObject([{ id: 1, result: {} }])
  times = 0
  const second = aBridge(gone(true))
  second.take({ id: 1, method: 'tools/call', params: { name: 'x', _meta: META } })
  await written(second.written, 1)
  expect(second.written).toMatchObject([{ id: 1, error: { message: 'gone' } }])
  expect(times).toBe(1)
})

test('a stream that ends without the answer is answered as an error', async () => {
  const { take, written: lines } = aBridge(() => stream({ method: 'notifications/progress', params: {} }))
  take({ id: 5, method: 'tools/call', params: { name: 'x', _meta: META } })
  await written(lines, 2)
  expect(lines[1]).toMatchObject({ id: 5, error: { message: expect.stringContaining('is not known') } })
})

test('an error that names no id goes to the request that met it', async () => {
  const { take, written: lines } = aBridge(() =>
    json({ id: null, error: { code: -32_000, message: 'no' } }, { status: 401 }),
  )
  take({ id: 'x', method: 'tools/list', params: { _meta: META } })
  await written(lines, 1)
  expect(lines).toEqual([{ jsonrpc: '2.0', id: 'x', error: { code: -32_000, message: 'no' } }])
})

test('a cancelled request of the stateless revision is let go of, without an answer', async () => {
  const started = Promise.withResolvers<AbortSignal>()
  const {
    take,
    written: lines,
    asked,
  } = aBridge((_request, signal) => {
    started.resolve(signal)
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  })
  take({ id: 1, method: 'tools/call', params: { name: 'x', _meta: META } })
  const signal = await started.promise
  take({ method: 'notifications/cancelled', params: { requestId: 1 } })
  await expect.poll(() => signal.aborted).toBe(true)
  expect([lines, asked.length]).toEqual([[], 1])
})

test('a cancelled request of a session is cancelled by telling the gateway, and has no answer, nor an error', async () => {
  const held = Promise.withResolvers<Response>()
  const { bridge, take, written: lines, asked, notes } = aBridge(aSessionGateway(() => held.promise).answer)
  take({ id: 1, method: 'initialize', params: {} })
  await written(lines, 1)
  take({ id: 2, method: 'tools/call', params: { name: 'x' } })
  take({ method: 'notifications/cancelled', params: { requestId: 2 } })
  await expect.poll(() => asked.map((request) => methodOf(request))).toContain('notifications/cancelled')
  held.resolve(stream())
  await bridge.drained()
  expect([lines.length, notes]).toEqual([1, []])
})

test('what is not JSON is answered, and the next line is not disturbed', async () => {
  const { bridge, take, written: lines } = aBridge(() => json({ id: 1, result: {} }))
  bridge.take('{"jsonrpc"')
  take({ id: 1, method: 'tools/list', params: { _meta: META } })
  await written(lines, 2)
  expect(lines).toMatchObject([{ id: null, error: { code: -32_700 } }, { id: 1 }])
})

test('a request that is too long is answered, by its id where that is known', async () => {
  const { bridge, written: lines, notes } = aBridge(accepted)
  bridge.refuse(7, 'the line is too long')
  bridge.refuse(undefined, 'the line is too long')
  await written(lines, 2)
  expect(lines).toMatchObject(
    [7, null].map((id) => ({ id, error: { code: -32_600, message: 'the line is too long' } })),
  )
  expect(notes).toHaveLength(2)
})

test('a ping is answered before there is a session, and goes to the gateway then', async () => {
  const { take, written: lines, asked } = aBridge(aSessionGateway().answer)
  take({ id: 1, method: 'ping' })
  await written(lines, 1)
  expect([lines, asked]).toEqual([[{ jsonrpc: '2.0', id: 1, result: {} }], []])
  take({ id: 2, method: 'initialize', params: {} })
  take({ id: 3, method: 'ping' })
  await written(lines, 3)
  expect(asked.map((request) => methodOf(request))).toEqual(['initialize', 'ping'])
})

test('at the end the session is ended too', async () => {
  const { bridge, take, written: lines, asked } = aBridge(aSessionGateway().answer)
  take({ id: 1, method: 'initialize', params: {} })
  await written(lines, 1)
  await bridge.close()
  expect(asked.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's1' } })
})
