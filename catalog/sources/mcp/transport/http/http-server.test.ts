import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
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

test('a tool that declares its headers wrongly is withheld and named', async () => {
  await using server = await serveSecondGeneration(['misdeclared'])
  await using recorded = startSource({ servers: { modern: { url: server.url } } })
  await recorded.ready('modern')
  const offered = recorded.tools('modern').filter(({ withheld }) => withheld === undefined)
  expect(offered.map(({ name }) => name)).not.toContain('misdeclared')
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
  const { state } = statusOf(recorded.source, 'closed') ?? {}
  expect(state?.kind === 'down' && state.needs).toBe(status === 401 ? 'credentials' : undefined)
  expect(statusOf(recorded.source, 'closed')?.address).toBe(server.url)
  expect(JSON.stringify([recorded.log, recorded.states, recorded.source.status()])).not.toContain('s3cret')
})

test('a url that is none is named as such', async () => {
  await using recorded = startSource({ servers: { wrong: { url: 'ftp://x.test' } } })
  await until(() => statusOf(recorded.source, 'wrong')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'wrong')?.lastError).toContain('is not an http or https url')
})
