import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { byHand, serveHttp } from '../../fixtures/http-servers.ts'
import { startSource, statusOf, until } from '../../fixtures/recorded-source.ts'

test('a connection cut in mid-call leaves the effect unknown', async () => {
  await using server = await serveHttp(byHand((_id, request) => request.socket.destroy()))
  await using recorded = startSource({ servers: { cutting: { url: server.url } } })
  await recorded.ready('cutting')
  await expect(recorded.call('cutting', 'act')).rejects.toMatchObject({ name: 'McpCallError', code: 'connection-lost' })
})

test('a call that is given up lets go of its connection', async () => {
  let open = 0
  const hanging = byHand((_id, _request, response) => {
    open += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': nothing yet\n\n')
    response.once('close', () => (open -= 1))
  })
  await using server = await serveHttp(hanging)
  await using recorded = startSource({ servers: { hanging: { url: server.url, timeoutMs: 100 } } })
  await recorded.ready('hanging')
  await expect(recorded.call('hanging', 'act')).rejects.toMatchObject({ code: 'idle-timeout' })
  const left = recorded.callUntil(AbortSignal.timeout(50), 'hanging', 'act')
  await expect(left).rejects.toMatchObject({ name: 'TimeoutError' })
  await until(() => open === 0)
})

test('an event stream that ends before its answer fails the call at once', async () => {
  const ending = byHand((_id, _request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: message\ndata: {"half":\n\n')
  })
  await using server = await serveHttp(ending)
  await using recorded = startSource({ servers: { ending: { url: server.url } } })
  await recorded.ready('ending')
  await expect(recorded.call('ending', 'act')).rejects.toMatchObject({ code: 'connection-lost' })
})

test('a stream that asks to be resumed for ever is given up', async () => {
  let opened = 0
  const endless: RequestListener = (request, response) => {
    const stream = (): void => {
      opened += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\nretry: 1\ndata:\n\n')
    }
    if (request.method === 'GET') stream()
    else byHand(stream)(request, response)
  }
  await using server = await serveHttp(endless)
  await using recorded = startSource({ servers: { endless: { url: server.url, timeoutMs: 10_000 } } })
  await recorded.ready('endless')
  await expect(recorded.call('endless', 'act')).rejects.toMatchObject({ code: 'connection-lost' })
  expect(opened).toBeLessThan(20)
  expect(statusOf(recorded.source, 'endless')?.state.kind).toBe('ready')
})

test('a server, or a proxy, that ends the stream of notifications again and again costs no session', async () => {
  let opened = 0
  const calm = byHand((id, _request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } }))
  })
  await using server = await serveHttp((request, response) => {
    if (request.method !== 'GET') return calm(request, response)
    opened += 1
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 1\ndata:\n\n')
  })
  await using recorded = startSource({ servers: { cut: { url: server.url } }, timing: { streamResumeMs: 5 } })
  await recorded.ready('cut')
  await until(() => opened === 8)
  expect(await recorded.text('cut', 'act')).toBe('done')
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

test('a stream that fails to be resumed at first is resumed, and brings its answer', async () => {
  let answer = ''
  let refusals = 0
  const begun = byHand((id, _request, response) => {
    answer = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'late' }] } })
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 7\nretry: 1\ndata:\n\n')
  })
  await using server = await serveHttp((request, response) => {
    if (request.headers['last-event-id'] !== '7') return begun(request, response)
    refusals += 1
    if (refusals <= 4) return response.writeHead(503).end()
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${answer}\n\n`)
  })
  await using recorded = startSource({ servers: { slow: { url: server.url } } })
  await recorded.ready('slow')
  expect(await recorded.text('slow', 'act')).toBe('late')
})
