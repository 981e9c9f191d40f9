import type { RequestListener } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ToolUnavailable } from '../../../../tool.ts'
import {
  byHand,
  freePort,
  runEverything,
  serveFirstGeneration,
  serveHttp,
  serveSecondGeneration,
} from '../../fixtures/http-servers.ts'
import { startSource, statusOf, until } from '../../fixtures/recorded-source.ts'

test('the published "everything" server is used over Streamable HTTP and over SSE alike', async () => {
  await using http = await runEverything('streamableHttp')
  await using sse = await runEverything('sse')
  await using recorded = startSource({ servers: { http: { url: http.url }, sse: { url: sse.url } } })
  await Promise.all([recorded.ready('http'), recorded.ready('sse')])
  expect(recorded.source.status().map(({ transport }) => transport)).toEqual(['http', 'sse'])
  expect(await recorded.text('http', 'echo', { message: 'a' })).toBe('Echo: a')
  expect(await recorded.text('sse', 'echo', { message: 'b' })).toBe('Echo: b')
})

test('an SSE server that restarts is found again, at once by SSE', async () => {
  const port = await freePort()
  const first = await runEverything('sse', port)
  await using recorded = startSource({ servers: { sse: { url: first.url } } })
  await recorded.ready('sse')
  await first[Symbol.asyncDispose]()
  await until(() => statusOf(recorded.source, 'sse')?.state.kind === 'down')
  await using second = await runEverything('sse', port)
  expect(second.url).toBe(first.url)
  await recorded.ready('sse')
  expect(await recorded.text('sse', 'echo', { message: 'c' })).toBe('Echo: c')
})

test('a stateful server that restarts while nobody calls is noticed and connected again', async () => {
  const port = await freePort()
  const first = await runEverything('streamableHttp', port)
  await using recorded = startSource({ servers: { everything: { url: first.url } } })
  await recorded.ready('everything')
  await pause(100)
  await first[Symbol.asyncDispose]()
  await until(() => statusOf(recorded.source, 'everything')?.state.kind === 'down')
  await using second = await runEverything('streamableHttp', port)
  expect(second.url).toBe(first.url)
  await recorded.ready('everything')
  expect(await recorded.text('everything', 'echo', { message: 'd' })).toBe('Echo: d')
})

test('a stateless server of the current revision is spoken to in it, with the configured headers', async () => {
  await using server = await serveSecondGeneration()
  const headers = { authorization: 'Bearer tok-12345' }
  await using recorded = startSource({ servers: { modern: { url: server.url, headers } } })
  await recorded.ready('modern')
  expect(statusOf(recorded.source, 'modern')).toMatchObject({ transport: 'http', protocolVersion: '2026-07-28' })
  expect(await recorded.text('modern', 'greet', { name: 'Grace' })).toBe('hello Grace')
  expect((await recorded.call('modern', 'list')).structured).toEqual([1, 'two', null])
  expect(server.seen.every((request) => request.headers.authorization === 'Bearer tok-12345')).toBe(true)
  expect(server.seen.some((request) => request.headers['mcp-name'] === 'greet')).toBe(true)
  expect(await recorded.text('modern', 'regional', { region: 'eu' })).toBe('routed')
  expect(server.seen.some((request) => request.headers['mcp-param-region'] === 'eu')).toBe(true)
})

test('a tool that declares its headers wrongly is left out and named', async () => {
  await using server = await serveSecondGeneration(['misdeclared'])
  await using recorded = startSource({ servers: { modern: { url: server.url } } })
  await recorded.ready('modern')
  expect(recorded.tools('modern').map(({ name }) => name)).not.toContain('misdeclared')
  expect(statusOf(recorded.source, 'modern')?.problems).toEqual([
    'tool "misdeclared": x-mcp-header "Ratio" is not on a string, integer or boolean',
  ])
})

test('a changed list of a stateless server is seen through its subscription', async () => {
  await using server = await serveSecondGeneration()
  await using recorded = startSource({ servers: { modern: { url: server.url } } })
  await recorded.ready('modern')
  await pause(100)
  server.addTool('added')
  await until(() => recorded.setCount('modern') === 2)
  expect(recorded.tools('modern').map(({ name }) => name)).toContain('added')
})

test.each([404, 400])(
  'a session that the server forgot (HTTP %i) is opened again; a read-only call is repeated, another is not',
  async (status) => {
    await using server = await serveFirstGeneration(status)
    await using recorded = startSource({ servers: { stateful: { url: server.url } } })
    await recorded.ready('stateful')
    expect(await recorded.text('stateful', 'create')).toBe('create 1')

    server.forgetSessions()
    const both = await Promise.all([recorded.text('stateful', 'lookup'), recorded.text('stateful', 'lookup')])
    expect(both.toSorted()).toEqual(['lookup 2', 'lookup 3'])

    server.forgetSessions()
    await expect(recorded.call('stateful', 'create')).rejects.toMatchObject({ code: 'session-forgotten' })
    expect(server.calls).toEqual(['create', 'lookup', 'lookup'])
    await until(() => server.sessionCount() === 1)
    await recorded.ready('stateful')
    expect(await recorded.text('stateful', 'create')).toBe('create 4')
  },
)

test('a call made while a forgotten session is being opened again waits for it, whatever it does', async () => {
  await using server = await serveFirstGeneration()
  await using recorded = startSource({ servers: { stateful: { url: server.url } }, timing: { backoffFirstMs: 200 } })
  await recorded.ready('stateful')
  server.forgetSessions()
  await expect(recorded.call('stateful', 'create')).rejects.toMatchObject({ code: 'session-forgotten' })
  const late = [recorded.text('stateful', 'create'), recorded.text('stateful', 'lookup')]
  expect((await Promise.all(late)).toSorted()).toEqual(['create 1', 'lookup 2'])
  expect(server.calls).toEqual(['create', 'lookup'])
})

test('a call under way in a session that another call found forgotten still gets its own answer', async () => {
  await using server = await serveFirstGeneration()
  await using recorded = startSource({ servers: { stateful: { url: server.url } } })
  await recorded.ready('stateful')
  const waiting = recorded.text('stateful', 'wait')
  await until(() => server.calls.length === 1)
  server.forgetSessions()
  expect(await recorded.text('stateful', 'lookup')).toBe('lookup 2')
  server.release()
  expect(await waiting).toBe('wait 2')
})

test('a changed list is seen over HTTP, and a session is given back at the end', async () => {
  await using server = await serveFirstGeneration()
  const recorded = startSource({ servers: { stateful: { url: server.url } } })
  await recorded.ready('stateful')
  await until(() => server.streamCount() === 1)
  await server.changeTools()
  await until(() => recorded.tools('stateful').length === 4)
  await recorded.source.close()
  expect(server.sessionCount()).toBe(0)
})

test('a server that cannot be reached is down, and a call says that nothing was run', async () => {
  const port = await freePort()
  const calm = byHand((id, _request, response) => {
    const result = { content: [{ type: 'text', text: 'done' }] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  const server = await serveHttp(calm, port)
  await using recorded = startSource({ servers: { calm: { url: server.url } } })
  await recorded.ready('calm')
  await server[Symbol.asyncDispose]()
  // The idle connection hears of the end; a call in that very moment could not know whether it was read.
  await pause(50)
  const call = recorded.call('calm', 'act')
  await expect(call).rejects.toBeInstanceOf(ToolUnavailable)
  await expect(call).rejects.toThrow(`cannot connect to 127.0.0.1:${port} (ECONNREFUSED); nothing was run`)
  await until(() => statusOf(recorded.source, 'calm')?.state.kind === 'down')
  await using again = await serveHttp(calm, port)
  expect(again.url).toBe(server.url)
  await recorded.ready('calm')
  expect(await recorded.text('calm', 'act')).toBe('done')
})

test('a call that finds its server gone, with nothing sent, goes out when it is there again', async () => {
  const port = await freePort()
  const calm = byHand((id, _request, response) => {
    const result = { content: [{ type: 'text', text: 'done' }] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  const server = await serveHttp(calm, port)
  await using recorded = startSource({ servers: { calm: { url: server.url } }, timing: { backoffFirstMs: 600 } })
  await recorded.ready('calm')
  await server[Symbol.asyncDispose]()
  await pause(50)
  const call = recorded.text('calm', 'act')
  await until(() => statusOf(recorded.source, 'calm')?.state.kind === 'down')
  await using again = await serveHttp(calm, port)
  expect(again.url).toBe(server.url)
  expect(await call).toBe('done')
})

test.each([401, 403])('a tool that alone is refused with HTTP %i costs its call and no session', async (status) => {
  await using server = await serveHttp(byHand((_id, _request, response) => response.writeHead(status).end()))
  await using recorded = startSource({ servers: { strict: { url: server.url } } })
  await recorded.ready('strict')
  await expect(recorded.call('strict', 'act')).rejects.toBeInstanceOf(ToolUnavailable)
  await expect(recorded.call('strict', 'act')).rejects.toThrow(`(HTTP ${status})`)
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

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

test.each(['application/json', 'text/event-stream'])('a flood as %s is cut off at the limit', async (type) => {
  const flood = 'x'.repeat(64 * 1024)
  const flooding = byHand((_id, _request, response) => {
    response.writeHead(200, { 'content-type': type })
    response.write('data: "')
    const timer = setInterval(() => {
      for (let sent = 0; sent < 16; sent += 1) response.write(flood)
    }, 1)
    response.once('close', () => clearInterval(timer))
  })
  await using server = await serveHttp(flooding)
  const servers = { flooding: { url: server.url } }
  await using recorded = startSource({ servers, maxMessageBytes: 1024 * 1024 })
  await recorded.ready('flooding')
  await expect(recorded.call('flooding', 'act')).rejects.toMatchObject({ code: 'answer-too-large' })
  expect(statusOf(recorded.source, 'flooding')?.state.kind).toBe('ready')
})

test('a redirect within the origin is followed with the body', async () => {
  const target = byHand((id, _request, response) => {
    const result = { content: [{ type: 'text', text: 'moved' }] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await using server = await serveHttp((request, response) => {
    if (request.url === '/mcp/') target(request, response)
    else response.writeHead(307, { location: '/mcp/' }).end()
  })
  await using recorded = startSource({ servers: { slash: { url: server.url } } })
  await recorded.ready('slash')
  expect(await recorded.text('slash', 'act')).toBe('moved')
})

test('a redirect to another origin is not followed, neither for a forbidden address nor for any other', async () => {
  let reached = 0
  await using target = await serveHttp((_request, response) => {
    reached += 1
    response.end()
  })
  await using server = await serveHttp((_request, response) => {
    response.writeHead(307, { location: target.url.replace('127.0.0.1', '127.0.0.2') }).end()
  })
  await using recorded = startSource({ servers: { moved: { url: server.url } }, forbiddenAddresses: ['127.0.0.2'] })
  await until(() => statusOf(recorded.source, 'moved')?.state.kind === 'down')
  expect(reached).toBe(0)
})

test('a forbidden address is named and never connected to', async () => {
  let reached = 0
  await using server = await serveHttp((_request, response) => {
    reached += 1
    response.end()
  })
  const servers = { forbidden: { url: server.url }, metadata: { url: 'http://169.254.169.254/latest' } }
  await using recorded = startSource({ servers, forbiddenAddresses: ['127.0.0.0/8'] })
  await until(() => recorded.source.status().every(({ state }) => state.kind === 'down'))
  expect(recorded.source.status().map(({ lastError }) => lastError)).toEqual([
    'address 127.0.0.1 is forbidden',
    'address 169.254.169.254 is forbidden',
  ])
  expect(reached).toBe(0)
})

test.each([
  [401, 'requires authorization (HTTP 401); check the headers'],
  [403, 'denied access (HTTP 403); check the headers'],
  [500, 'answered with HTTP status 500'],
  [404, 'answered with HTTP status 404'],
])('a server that answers HTTP %i is down, "%s", and its secret is not shown', async (status, reason) => {
  await using server = await serveHttp((request, response) => {
    response.writeHead(status).end(`no: ${String(request.headers['x-api-key'])}`)
  })
  const closed = { url: `${server.url}?key=query-s3cret`, headers: { 'x-api-key': 'header-s3cret' } }
  await using recorded = startSource({ servers: { closed } })
  await until(() => statusOf(recorded.source, 'closed')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'closed')?.lastError).toContain(reason)
  expect(statusOf(recorded.source, 'closed')?.address).toBe(server.url)
  expect(JSON.stringify([recorded.log, recorded.states, recorded.source.status()])).not.toContain('s3cret')
})

test('a url that is none is named as such', async () => {
  await using recorded = startSource({ servers: { wrong: { url: 'ftp://x.test' } } })
  await until(() => statusOf(recorded.source, 'wrong')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'wrong')?.lastError).toContain('is not an http or https url')
})
