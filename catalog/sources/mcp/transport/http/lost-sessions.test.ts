import { request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ToolUnavailable } from '../../../../tool.ts'
import {
  byHand,
  freePort,
  serveFirstGeneration,
  serveHttp,
  serveSecondGeneration,
} from '../../fixtures/http-servers.ts'
import { startSource, statusOf, until } from '../../fixtures/recorded-source.ts'

test.each([404, 400, 410, 500, 200])(
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

test('a server of the newest revision that is put back to an older one is greeted anew at the first call that it refuses', async () => {
  await using newest = await serveSecondGeneration()
  await using older = await serveFirstGeneration()
  let behind: string = newest.url
  await using server = await serveHttp((request, response) => {
    const passed = httpRequest(behind, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await using recorded = startSource({ servers: { back: { url: server.url } } })
  await recorded.ready('back')
  expect(await recorded.text('back', 'greet', { name: 'Ada' })).toContain('Ada')
  behind = older.url
  // It says of itself that twice does no harm.
  expect(await recorded.text('back', 'greet', { name: 'Ada' })).toBe('greet 1')
  await until(() => recorded.tools('back').some(({ name }) => name === 'lookup'))
  expect(await recorded.text('back', 'lookup')).toBe('lookup 2')
})

test.each([401, 403, 500])(
  'a tool of the newest revision that alone is refused with HTTP %i costs no connection',
  async (status) => {
    await using behind = await serveSecondGeneration()
    await using server = await serveHttp((request, response) => {
      if (request.headers['mcp-name'] === 'flaky') return response.writeHead(status).end()
      const passed = httpRequest(behind.url, { method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      // At the end of the test the server behind drops what is still open.
      passed.on('error', () => response.destroy())
      return request.pipe(passed)
    })
    behind.addTool('flaky')
    await using recorded = startSource({ servers: { strict: { url: server.url } } })
    await until(() => recorded.tools('strict').some(({ name }) => name === 'flaky'))
    await expect(recorded.call('strict', 'flaky')).rejects.toThrow(`HTTP ${status === 500 ? 'status ' : ''}${status}`)
    expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
  },
)

test('a server that knows no ping, and answers so, has not forgotten its session', async () => {
  const plain = byHand((_id, _request, response) => response.writeHead(500).end(), ['ping'])
  await using server = await serveHttp((request, response) => {
    response.setHeader('mcp-session-id', 's1')
    plain(request, response)
  })
  await using recorded = startSource({ servers: { plain: { url: server.url } } })
  await recorded.ready('plain')
  await expect(recorded.call('plain', 'act')).rejects.toMatchObject({ code: 'protocol-error' })
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

test.each([401, 403])('a tool that alone is refused with HTTP %i costs its call and no session', async (status) => {
  await using server = await serveHttp(byHand((_id, _request, response) => response.writeHead(status).end()))
  await using recorded = startSource({ servers: { strict: { url: server.url } } })
  await recorded.ready('strict')
  await expect(recorded.call('strict', 'act')).rejects.toBeInstanceOf(ToolUnavailable)
  await expect(recorded.call('strict', 'act')).rejects.toThrow(`(HTTP ${status})`)
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

test.each([302, 303, 304, 999])(
  'a call that is answered with HTTP %i was sent all the same: it is not repeated, and its effect is not known',
  async (status) => {
    let calls = 0
    await using server = await serveHttp(
      byHand((_id, _request, response) => {
        calls += 1
        response.writeHead(status, { ...(status < 304 && { location: '/done' }) }).end()
      }),
    )
    await using recorded = startSource({ servers: { moving: { url: server.url } } })
    await recorded.ready('moving')
    const said =
      status < 304 ? `redirects to ${new URL('/done', server.url).href} (HTTP status ${status})` : `${status}`
    await expect(recorded.call('moving', 'act')).rejects.toMatchObject({
      name: 'McpCallError',
      message: expect.stringContaining(said),
    })
    expect(calls).toBe(1)
    expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
  },
)
