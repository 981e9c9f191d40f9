import type { RequestListener, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { ToolUnavailable } from '../../../../tool.ts'
import { byHand, serveHttp } from '../../fixtures/http-servers.ts'
import { startSource, statusOf, until } from '../../fixtures/recorded-source.ts'
import { retryAfter } from './server-busy.ts'

const done = (id: unknown, response: ServerResponse): void => {
  const result = { content: [{ type: 'text', text: 'done' }] }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

const refuse = (response: ServerResponse, status: number, after?: string): void =>
  void response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end('{"error":"slow down"}')

/** Refuses so many calls, then takes them. */
function busy(times: number, status: number, after: string) {
  let calls = 0
  const listener = byHand((id, _request, response) => {
    calls += 1
    if (calls <= times) refuse(response, status, after)
    else done(id, response)
  })
  return { listener, calls: () => calls }
}

test('a call that a server has no time for is made when it said that it will have', async () => {
  const { listener, calls } = busy(2, 429, '0')
  await using server = await serveHttp(listener)
  await using recorded = startSource({ servers: { busy: { url: server.url } } })
  await recorded.ready('busy')
  expect(await recorded.text('busy', 'act')).toBe('done')
  expect(calls()).toBe(3)
})

test('a call that would have to wait for longer than it may ends at once, with how long that is', async () => {
  const { listener, calls } = busy(9, 429, '7')
  await using server = await serveHttp(listener)
  await using recorded = startSource({ servers: { busy: { url: server.url, timeoutMs: 6_000 } } })
  await recorded.ready('busy')
  const call = recorded.call('busy', 'act')
  await expect(call).rejects.toBeInstanceOf(ToolUnavailable)
  await expect(call).rejects.toThrow('(HTTP 429): slow down; it asks to wait for 7 s; nothing was run')
  expect(calls()).toBe(1)
})

test('a server that never has time is not asked for ever', async () => {
  const { listener, calls } = busy(99, 429, '0')
  await using server = await serveHttp(listener)
  await using recorded = startSource({ servers: { busy: { url: server.url } } })
  await recorded.ready('busy')
  await expect(recorded.call('busy', 'act')).rejects.toThrow('nothing was run')
  expect(calls()).toBe(4)
})

test('a call that may have been begun is not made twice', async () => {
  const { listener, calls } = busy(9, 503, '0')
  await using server = await serveHttp(listener)
  await using recorded = startSource({ servers: { busy: { url: server.url } } })
  await recorded.ready('busy')
  await expect(recorded.call('busy', 'act')).rejects.toMatchObject({ name: 'McpCallError', code: 'protocol-error' })
  expect(calls()).toBe(1)
})

test.each([429, 503])(
  'a server that refuses connections with HTTP %i is left alone for as long as it says',
  async (status) => {
    let requests = 0
    await using server = await serveHttp((_request, response) => {
      requests += 1
      refuse(response, status, '3600')
    })
    await using recorded = startSource({ servers: { busy: { url: server.url } } })
    await until(() => statusOf(recorded.source, 'busy')?.state.kind === 'down')
    expect(statusOf(recorded.source, 'busy')?.lastError).toContain('slow down; it asks to wait for 3600 s')
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(requests).toBe(1)
    recorded.source.reconnect('busy')
    await until(() => requests === 2)
  },
)

test('how long to wait is read in seconds, and by the clock of the server', () => {
  const said = (status: number, headers: Record<string, string>) => retryAfter(new Response('', { status, headers }))
  const date = 'Mon, 30 Nov 2026 10:00:00 GMT'
  expect(said(429, { 'retry-after': '2' })).toBe(2_000)
  expect(said(503, { 'retry-after': 'Mon, 30 Nov 2026 10:00:05 GMT', date })).toBe(5_000)
  expect(said(503, { 'retry-after': 'Mon, 30 Nov 2026 09:00:00 GMT', date })).toBe(0)
  expect(said(429, { 'retry-after': '-3' })).toBe(0)
  for (const other of ['soon', '', 'Infinity', 'Mon, 30 Nov 2026 10:00:05 GMT']) {
    expect(said(429, { 'retry-after': other })).toBeUndefined()
  }
  expect(said(500, { 'retry-after': '2' })).toBeUndefined()
})

/** A server whose stream is opened by `onGet`. */
function streaming(onGet: (times: number, response: ServerResponse) => void): RequestListener {
  let gets = 0
  const rest = byHand((id, _request, response) => done(id, response))
  return (request, response) => {
    if (request.method !== 'GET') return rest(request, response)
    gets += 1
    return onGet(gets, response)
  }
}

test.each([
  ['no connection', (response: ServerResponse) => void response.destroy()],
  ['HTTP 503', (response: ServerResponse) => refuse(response, 503, '0')],
  ['HTTP 429', (response: ServerResponse) => refuse(response, 429)],
])('the stream of a server that answers %s at first is asked for until it is there', async (_how, fail) => {
  let isOpen = false
  const listener = streaming((times, response) => {
    if (times <= 2) return fail(response)
    isOpen = true
    return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
  })
  await using server = await serveHttp(listener)
  await using recorded = startSource({ servers: { late: { url: server.url } } })
  await until(() => isOpen)
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

test.each([405, 404, 400, 501])('a server that says HTTP %i has no stream, and is asked once', async (status) => {
  let gets = 0
  const listener = streaming((times, response) => {
    gets = times
    refuse(response, status)
  })
  await using server = await serveHttp(listener)
  await using recorded = startSource({ servers: { none: { url: server.url } }, timing: { streamResumeMs: 1 } })
  await recorded.ready('none')
  await until(() => gets === 1)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(gets).toBe(1)
})
