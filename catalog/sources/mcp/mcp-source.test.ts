import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ToolUnavailable } from '../../tool.ts'
import { fixture, hostile, isAlive, published, startSource, statusOf, until } from './fixtures/recorded-source.ts'

const node = (...args: readonly string[]) => ({ command: process.execPath, args })

test('start returns at once and reports each server as it becomes ready', async () => {
  await using recorded = startSource({
    servers: { everything: node(published('server-everything'), 'stdio'), missing: { command: 'no-such-command' } },
  })
  expect(recorded.states.map(([owner, state]) => [owner, state.kind])).toEqual([
    ['everything', 'connecting'],
    ['missing', 'connecting'],
  ])
  await recorded.ready('everything')
  expect(statusOf(recorded.source, 'everything')).toMatchObject({
    transport: 'stdio',
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'mcp-servers/everything' },
    toolCount: recorded.tools('everything').length,
  })
})

test('the published "everything" server gives text, structured content, images, links and resources', async () => {
  await using recorded = startSource({ servers: { everything: node(published('server-everything'), 'stdio') } })
  await recorded.ready('everything')
  expect(await recorded.text('everything', 'echo', { message: 'hi' })).toBe('Echo: hi')
  const weather = await recorded.call('everything', 'get-structured-content', { location: 'Chicago' })
  expect(weather.structured).toEqual({ temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 })
  const image = await recorded.call('everything', 'get-tiny-image')
  expect(image.content.map((block) => block.type)).toEqual(['text', 'image', 'text'])
  const links = await recorded.call('everything', 'get-resource-links', { count: 2 })
  expect(links.content.filter((block) => block.type === 'resource_link')).toHaveLength(2)
  const reference = await recorded.call('everything', 'get-resource-reference', { resourceType: 'Text', resourceId: 1 })
  expect(reference.content.find((block) => block.type === 'resource')).toMatchObject({
    resource: { uri: expect.stringContaining('demo://'), text: expect.any(String) },
  })
})

test('the published filesystem server works, and a tool of its own failure is a result, not a throw', async () => {
  await using recorded = startSource({ servers: { files: node(published('server-filesystem'), import.meta.dirname) } })
  await recorded.ready('files')
  expect(recorded.tools('files').find(({ name }) => name === 'read_text_file')?.annotations?.readOnlyHint).toBe(true)
  expect(await recorded.text('files', 'list_directory', { path: import.meta.dirname })).toContain('mcp-source.test.ts')
  const outside = await recorded.call('files', 'read_text_file', { path: '/etc/hostname' })
  expect(outside.isError).toBe(true)
})

test('a server on the first SDK generation gives structured content beside empty content', async () => {
  await using recorded = startSource({ servers: { first: node(fixture('sdk-v1-server.mjs')) } })
  await recorded.ready('first')
  const [add] = recorded.tools('first')
  expect(add).toMatchObject({
    name: 'add',
    title: 'Add',
    outputSchema: { required: ['sum'] },
    annotations: { readOnlyHint: true },
  })
  expect(await recorded.call('first', 'add', { a: 1, b: 2 })).toEqual({ content: [], structured: { sum: 3 } })
})

test('a server on the second SDK generation is spoken to in the current revision, with structured lists', async () => {
  const servers = { second: node(fixture('sdk-v2-server.mjs')) }
  // It may start slowly, and is not asked for its revision twice.
  await using recorded = startSource({ servers, timing: { probeMs: 10_000 } })
  await recorded.ready('second')
  expect(statusOf(recorded.source, 'second')?.protocolVersion).toBe('2026-07-28')
  const listed = await recorded.call('second', 'list')
  expect(listed.structured).toEqual([1, 'two', null])
  expect(await recorded.text('second', 'greet', { name: 'Ada' })).toBe('hello Ada')
  await recorded.call('second', 'grow')
  await until(() => recorded.tools('second').some(({ name }) => name === 'grown'))
  await expect(recorded.call('second', 'asks')).rejects.toMatchObject({ code: 'input-required' })
})

test('servers connect side by side: those that never answer hold up none of the others', async () => {
  const good = Array.from({ length: 5 }, (_, at) => [`good-${at}`, hostile('2')] as const)
  const muteServer = { ...hostile('--mute'), connectTimeoutMs: 3_600_000 }
  const mute = Array.from({ length: 3 }, (_, at) => [`mute-${at}`, muteServer] as const)
  await using recorded = startSource({ servers: Object.fromEntries([...mute, ...good]) })
  await Promise.all(good.map(([server]) => recorded.ready(server)))
  expect(recorded.tools('good-4')).toHaveLength(2)
  expect(mute.map(([server]) => statusOf(recorded.source, server)?.state.kind)).toEqual(Array(3).fill('connecting'))
})

test('a command that cannot be started is down with a reason, is tried again, and delays nobody', async () => {
  await using recorded = startSource({ servers: { missing: { command: 'no-such-command' }, good: hostile() } })
  await recorded.ready('good')
  await until(() => statusOf(recorded.source, 'missing')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'missing')?.lastError).toContain('"no-such-command" (ENOENT)')
})

test('a working directory that is not there is named, and not the command', async () => {
  const servers = { lost: { ...hostile(), cwd: '/no-such-folder' }, file: { ...hostile(), cwd: import.meta.filename } }
  await using recorded = startSource({ servers })
  const reasonOf = (server: string) => statusOf(recorded.source, server)?.lastError
  await until(() => reasonOf('lost') !== undefined && reasonOf('file') !== undefined)
  expect(reasonOf('lost')).toContain('its cwd "/no-such-folder" is no folder that is there')
  expect(reasonOf('file')).toContain(`its cwd "${import.meta.filename}" is no folder`)
})

test('a command whose environment is more than the system takes, or no environment, cannot be started', async () => {
  const servers = {
    long: { ...hostile(), env: { KEY: 'k'.repeat(3_000_000) } },
    odd: { ...hostile(), env: { KEY: 'a\0b' } },
  }
  await using recorded = startSource({ servers })
  const reasonOf = (server: string) => statusOf(recorded.source, server)?.lastError
  await until(() => reasonOf('long') !== undefined && reasonOf('odd') !== undefined)
  expect(reasonOf('long')).toMatch(/^cannot start command .* \(E2BIG\)/)
  expect(reasonOf('odd')).toMatch(/^cannot start command .* \(ERR_INVALID_ARG_VALUE\)/)
})

test('a server that ends at its start is down with its exit code and its last words, without the secret', async () => {
  const failing = { ...hostile('--fail-at-start'), env: { LICENCE_KEY: 's3cret-value' } }
  await using recorded = startSource({ servers: { failing } })
  await until(() => statusOf(recorded.source, 'failing')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'failing')?.lastError).toBe(
    'the server exited with code 3 before it was ready; it last wrote: cannot start: the licence has expired, key was [secret]',
  )
  expect(JSON.stringify([recorded.log, recorded.states])).not.toContain('s3cret')
})

test('of what a process wrote before it ended, the line that names the fault is told', async () => {
  const crash = `console.error('Error: cannot find module "x"\\n    at load (a.js:1)\\n\\nNode.js v20.20.2'); process.exit(1)`
  await using recorded = startSource({ servers: { crashing: node('-e', crash) } })
  await until(() => statusOf(recorded.source, 'crashing')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'crashing')?.lastError).toMatch(/last wrote: Error: cannot find module "x"$/)
})

test.each([
  [
    'writes usage to stdout and ends',
    `console.log('Usage: server KEY'); process.exit(1)`,
    /last wrote: Usage: server KEY$/,
  ],
  [
    'writes what is no message',
    `console.log('Content-Length: 2'); setInterval(() => {}, 1e4)`,
    /no messages, the last: Content-/,
  ],
])('of a server that %s that is told', async (_what, script, reason) => {
  await using recorded = startSource({ servers: { odd: { ...node('-e', script), connectTimeoutMs: 1_500 } } })
  await until(() => statusOf(recorded.source, 'odd')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'odd')?.lastError).toMatch(reason)
})

test('a server whose configuration cannot be used as it is stands as down with the reason, and is never started', async () => {
  const fault = 'environment variable KEY is not set; write $${KEY} to mean the text'
  const servers = { broken: { ...hostile(), env: { KEY: '${KEY}' }, fault }, good: hostile() }
  await using recorded = startSource({ servers })
  await recorded.ready('good')
  expect(statusOf(recorded.source, 'broken')?.state).toMatchObject({ kind: 'down', reason: fault })
  expect([recorded.source.wayTo('broken'), recorded.tools('broken')]).toEqual([undefined, []])
  recorded.source.update({ ...servers, broken: hostile() })
  await recorded.ready('broken')
})

test('an old server that ends at the version probe is started again without one, and not probed a second time', async () => {
  await using recorded = startSource({ servers: { old: hostile('--exit-on-probe') } })
  await recorded.ready('old')
  await expect(recorded.call('old', 'crash')).rejects.toThrow('the server exited with code 7 before it answered')
  await until(() => recorded.states.filter(([, state]) => state.kind === 'ready').length === 2)
  expect(recorded.states.map(([, state]) => state.kind)).toEqual(['connecting', 'ready', 'down', 'ready'])
})

test('an old server that never answers the probe is connected after the probe times out', async () => {
  await using recorded = startSource({ servers: { old: hostile('--silent-on-probe') }, timing: { probeMs: 200 } })
  await recorded.ready('old')
  expect(await recorded.text('old', 'echo', { a: 1 })).toBe('{"a":1}')
})

test('a server that never answers anything is down, with that said, after its own deadline', async () => {
  const mute = { ...hostile('--mute'), connectTimeoutMs: 400 }
  await using recorded = startSource({ servers: { mute }, timing: { probeMs: 100 } })
  await until(() => statusOf(recorded.source, 'mute')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'mute')?.lastError).toBe('the server did not answer in time')
})

test('tools of a server that went away stay registered and say so when they are called', async () => {
  const timing = { backoffFirstMs: 60_000, backoffMaxMs: 60_000 }
  await using recorded = startSource({ servers: { hostile: hostile() }, timing })
  await recorded.ready('hostile')
  await expect(recorded.call('hostile', 'crash')).rejects.toMatchObject({ code: 'connection-lost' })
  await until(() => statusOf(recorded.source, 'hostile')?.state.kind === 'down')
  expect(recorded.tools('hostile').length).toBeGreaterThan(0)
  const call = recorded.call('hostile', 'echo')
  await expect(call).rejects.toBeInstanceOf(ToolUnavailable)
  await expect(call).rejects.toThrow('MCP server "hostile" is down: the server exited with code 7; nothing was run')
})

test('a server gets its configured environment and nothing else of ours but what programs need to start', async () => {
  process.env['DRAWBRIDGE_TEST_KEY'] = 'must-not-leak'
  onTestFinished(() => void delete process.env['DRAWBRIDGE_TEST_KEY'])
  await using recorded = startSource({ servers: { hostile: { ...hostile(), env: { COLOUR: 'blue' } } } })
  await recorded.ready('hostile')
  const environment: unknown = JSON.parse(await recorded.text('hostile', 'environment'))
  expect(environment).toMatchObject({ COLOUR: 'blue', PATH: process.env['PATH'] })
  expect(environment).not.toHaveProperty('DRAWBRIDGE_TEST_KEY')
})

test('noise on stdout is skipped and reported once', async () => {
  await using recorded = startSource({ servers: { loud: hostile('--banner') } })
  await recorded.ready('loud')
  expect(recorded.log.filter(({ message }) => message.includes('stdout carries lines'))).toHaveLength(1)
  expect(recorded.log.find(({ level }) => level === 'warn')?.message).toContain('Welcome to the hostile server!')
})

test('every page is read, and a flood of tools is cut at the limit with that said', async () => {
  const servers = { all: hostile('10000'), capped: { ...hostile('2500'), maxTools: 1_200 } }
  await using recorded = startSource({ servers })
  await Promise.all([recorded.ready('all'), recorded.ready('capped')])
  expect(recorded.tools('all')).toHaveLength(10_000)
  expect(recorded.tools('capped')).toHaveLength(1_200)
  expect(statusOf(recorded.source, 'capped')?.problems).toEqual([
    'more than 1200 tools; the rest is left out, raise maxTools to take them',
  ])
})

test('a list that repeats its cursor ends there', async () => {
  await using recorded = startSource({ servers: { endless: hostile('--repeat-cursor') } })
  await recorded.ready('endless')
  expect(recorded.tools('endless')).toHaveLength(2)
  expect(statusOf(recorded.source, 'endless')?.problems).toEqual([
    'tools/list repeats a cursor; the list was cut there',
  ])
})

test('a bad tool is withheld alone, with the reason; app-only tools are hidden; odd schemas are for the catalog to judge', async () => {
  await using recorded = startSource({ servers: { bad: hostile('--bad-tools') } })
  await recorded.ready('bad')
  expect(recorded.tools('bad').map(({ name, withheld }) => [name, withheld?.reason])).toEqual([
    ['good', undefined],
    ['odd', undefined],
    ['app-too', undefined],
    ['schemaless', 'tool "schemaless" has no input schema'],
    ['deep', 'a schema of tool "deep" nests deeper than 500 levels'],
  ])
  expect(recorded.tools('bad')[0]).toMatchObject({
    title: 'Good',
    outputSchema: { type: 'array' },
    annotations: { readOnlyHint: true },
  })
  expect(statusOf(recorded.source, 'bad')).toMatchObject({
    toolCount: 3,
    hiddenToolCount: 1,
    problems: [
      'tool "good" is listed twice; the first is taken',
      'a tool has no name',
      'an entry of tools/list is no object',
      'tool "schemaless" has no input schema',
      'a schema of tool "deep" nests deeper than 500 levels',
    ],
  })
})

test('200 notifications of a changed list cost at most two more reads of it', async () => {
  await using recorded = startSource({ servers: { hostile: hostile() } })
  await recorded.ready('hostile')
  await recorded.call('hostile', 'storm')
  await pause(400)
  expect(Number(await recorded.text('hostile', 'list-count'))).toBeLessThanOrEqual(3)
})

test('a server that notifies from its own list handler is read ever more slowly, and its tools are set once', async () => {
  await using recorded = startSource({ servers: { loop: hostile('--storm-from-list') } })
  await recorded.ready('loop')
  await pause(1_000)
  // 50, 100, 200, 400 … ms apart: without the slowing down there would be twenty.
  expect(Number(await recorded.text('loop', 'list-count'))).toBeLessThanOrEqual(6)
  expect(recorded.setCount('loop')).toBe(1)
})

test('tools that change all the time are read at a bounded pace and do arrive', async () => {
  await using recorded = startSource({ servers: { hostile: hostile() } })
  await recorded.ready('hostile')
  await recorded.call('hostile', 'endless-storm')
  await until(() => recorded.setCount('hostile') >= 3)
  expect(recorded.tools('hostile').some(({ name }) => name.startsWith('new-'))).toBe(true)
  expect(await recorded.text('hostile', 'echo', { still: 'here' })).toBe('{"still":"here"}')
})

test('a new configuration adds, removes and changes servers and leaves the others connected', async () => {
  const kept = hostile()
  await using recorded = startSource({ servers: { kept, gone: hostile(), changed: hostile() } })
  await Promise.all(['kept', 'gone', 'changed'].map((server) => recorded.ready(server)))
  const [keptPid] = JSON.parse(await recorded.text('kept', 'grandchild'))
  const underWay = recorded.call('changed', 'never').catch((error: unknown) => error)
  recorded.source.update({ kept: hostile(), changed: hostile('3'), added: hostile('2') })
  expect(String(await underWay)).toContain('ended before the server answered: its configuration was changed')
  await until(() => recorded.tools('changed').length === 3 && recorded.tools('added').length === 2)
  expect(recorded.removed).toEqual(['gone'])
  expect(recorded.source.status().map(({ server }) => server)).toEqual(['kept', 'changed', 'added'])
  const [samePid] = JSON.parse(await recorded.text('kept', 'grandchild'))
  expect(samePid).toBe(keptPid)
  expect(recorded.states.filter(([owner]) => owner === 'kept').map(([, state]) => state.kind)).toEqual([
    'connecting',
    'ready',
  ])
})

test('other waits hold from the next call on, and neither the process nor a call under way hears of them', async () => {
  await using recorded = startSource({ servers: { kept: hostile() } })
  await recorded.ready('kept')
  const [pid] = JSON.parse(await recorded.text('kept', 'grandchild'))
  const underWay = recorded.text('kept', 'progress', { steps: 5, everyMs: 100 })
  recorded.source.update({ kept: { ...hostile(), timeoutMs: 60, tools: { grandchild: { timeoutMs: 5_000 } } } })
  expect(await underWay).toBe('done after 5')
  await expect(recorded.call('kept', 'never')).rejects.toThrow('for 60 ms')
  expect(JSON.parse(await recorded.text('kept', 'grandchild'))[0]).toBe(pid)
  expect(recorded.source.wayTo('kept')?.config).toMatchObject({ timeoutMs: 60 })
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

test('close ends every process, also grandchildren that ignore SIGTERM, and may be called twice', async () => {
  const recorded = startSource({ servers: { stubborn: hostile('--stubborn') } })
  await recorded.ready('stubborn')
  const pids: readonly number[] = JSON.parse(await recorded.text('stubborn', 'grandchild'))
  expect(pids.every(isAlive)).toBe(true)
  await recorded.source.close()
  await recorded.source.close()
  expect(pids.some(isAlive)).toBe(false)
})

test('a call cut off by its signal rejects with the reason, the server is told, and stays usable', async () => {
  await using recorded = startSource({ servers: { hostile: hostile() } })
  await recorded.ready('hostile')
  const stop = new AbortController()
  const call = recorded.callUntil(stop.signal, 'hostile', 'never')
  await pause(50)
  stop.abort(new Error('the caller left'))
  await expect(call).rejects.toThrow('the caller left')
  expect(await recorded.text('hostile', 'list-cancelled')).toBe('["Error: the caller left"]')
})
