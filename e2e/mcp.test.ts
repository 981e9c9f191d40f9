import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childrenOf, isAlive } from './testing/child-processes.ts'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import { freePort } from './testing/free-port.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, ROOT, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

const SERVERS = path.join(ROOT, 'node_modules/@modelcontextprotocol')
const EVERYTHING = path.join(SERVERS, 'server-everything/dist/index.js')
const FILESYSTEM = path.join(SERVERS, 'server-filesystem/dist/index.js')

let gateway: GatewayProcess
let upstream: FakeUpstream
let overHttp: ChildProcess
let folder = ''
/** Of the server that never answers, as soon as the gateway did. */
let muteAtStart: string | undefined

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-files-'))
  await writeFile(path.join(folder, 'note.txt'), 'the ferry leaves at nine\n')
  upstream = await startFakeUpstream()
  const [port, nobody] = [await freePort(), await freePort()]
  overHttp = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  await waitUntil('the HTTP server listens', () =>
    fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    ),
  )
  const local = (...args: readonly string[]) => ({ command: process.execPath, args })
  gateway = await startGateway({
    config: {
      models: { default: 'fake/m', providers: { fake: { api: 'openai-chat', baseUrl: upstream.baseUrl } } },
      plugins: { paths: [path.join(FIXTURES, 'plugins')] },
      mcp: {
        servers: {
          everything: local(EVERYTHING, 'stdio'),
          remote: { url: `http://127.0.0.1:${port}/mcp` },
          files: local(FILESYSTEM, folder),
          odd: { ...local(path.join(FIXTURES, 'servers/odd.mjs')), timeoutMs: 500 },
          // Longer than any test run: that it is waited for is the point.
          mute: { ...local(path.join(FIXTURES, 'servers/mute.mjs')), connectTimeoutMs: 3_600_000 },
          absent: local(path.join(FIXTURES, 'servers/nowhere.mjs')),
          offline: { url: `http://127.0.0.1:${nobody}/mcp` },
        },
      },
    },
  })
  muteAtStart = stateOf((await gateway.api.get('/readyz')).body, 'mute')
  await waitUntil('the servers are connected', async () => {
    const { body } = await gateway.api.get('/readyz')
    return ['everything', 'remote', 'files', 'odd'].every((owner) => stateOf(body, owner) === 'ready')
  })
})

afterAll(async () => {
  await gateway?.remove()
  await upstream?.close()
  overHttp?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function stateOf(readyz: { readonly sourceDetails: readonly SourceDetail[] }, owner: string): string | undefined {
  return readyz.sourceDetails.find((detail) => detail.owner === owner)?.state.kind
}

interface SourceDetail {
  readonly owner: string
  readonly state: { readonly kind: string; readonly reason?: string }
}

describe('a program', () => {
  test('uses a server over stdio, one over HTTP and the file system together', async () => {
    const run = await gateway.api.run(`
      const [sum, echo, note] = await Promise.all([
        tools.call('mcp:everything:get-sum', { a: 19, b: 23 }),
        tools.call('mcp:remote:echo', { message: 'hello over http' }),
        tools.files.read_text_file({ path: ${JSON.stringify(path.join(folder, 'note.txt'))} }),
      ])
      return { sum, echo, note: note.content ?? note }`)
    expect(run).toMatchObject({ status: 'completed' })
    expect(run.value.sum).toContain('42')
    expect(run.value.echo).toContain('hello over http')
    expect(run.value.note).toContain('the ferry leaves at nine')
    expect(run.calls.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['ok', 'ok', 'ok'])
  })

  test('finds a tool by what it does, reads its schema and gets structured output', async () => {
    const run = await gateway.api.run(`
      const [hit] = await tools.search('structured weather content', { filter: { owner: 'everything' } })
      const { inputSchema, outputSchema } = await tools.describe(hit.id)
      const { properties } = inputSchema
      return { id: hit.id, fields: Object.keys(properties), out: outputSchema.type, value: await hit.call({ location: 'Chicago' }) }`)
    expect(run.value).toMatchObject({
      id: 'mcp:everything:get-structured-content',
      fields: ['location'],
      out: 'object',
      value: { temperature: expect.any(Number), conditions: expect.any(String) },
    })
  })

  test('gets an image as a handle, and the whole envelope when it asks', async () => {
    const run = await gateway.api.run(`
      return await tools.call('mcp:everything:get-tiny-image', {}, { raw: true })`)
    expect(run.status).toBe('completed')
    const { content } = run.value
    const image = content.find(({ type }: { type: string }) => type === 'image')
    expect(image).toMatchObject({ mimeType: 'image/png', artifact: expect.stringMatching(/^art_/) })
    expect(image).not.toHaveProperty('data')
    expect(run.artifacts).toMatchObject([{ id: image.artifact, mimeType: 'image/png', bytes: image.bytes }])

    const part = (await gateway.api.get(`/v1/artifacts/${image.artifact}`)).body
    const bytes = Buffer.from(part.base64, 'base64')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    const whole = await gateway.api.get(`/v1/artifacts/${image.artifact}/content`)
    expect(whole.headers.get('content-type')).toBe('image/png')
    const plain = await gateway.api.run(`return await tools.everything['get-tiny-image']({})`)
    expect(JSON.stringify(plain.value)).toMatch(/art_/)
    expect(JSON.stringify(plain.value).length).toBeLessThan(1_000)
  })

  test('catches what a tool refuses', async () => {
    const run = await gateway.api.run(`
      try { return await tools.files.read_text_file({ path: '/etc/hostname' }) } catch (error) { return [error.code, error.message] }`)
    expect(run.value[0]).toBe('failed')
    expect(run.value[1]).toMatch(/denied|outside/i)
  })
})

describe('a model', () => {
  test('writes a file in code mode, and reads it in tools mode', async () => {
    const file = path.join(folder, 'written.txt')
    const code = `return await tools.files.write_file({ path: ${JSON.stringify(file)}, content: 'by a program' })`
    upstream.script({ calls: [{ name: 'tool_search_code', args: { code } }] }, { say: 'Written.' })
    expect((await gateway.api.chat('Write it')).body.choices[0].message.content).toBe('Written.')
    expect(await readFile(file, 'utf8')).toBe('by a program')

    await gateway.cli('config', 'set', 'tools.toolSearch', '{ mode: "tools" }')
    await waitUntil(
      'tools mode is in force',
      async () => (await gateway.api.get('/readyz')).body.mode.inForce === 'tools',
    )
    upstream.script(
      { calls: [{ name: 'tool_search', args: { query: 'read a text file' } }] },
      { calls: [{ name: 'tool_describe', args: { id: 'mcp:files:read_text_file' } }] },
      { calls: [{ name: 'tool_call', args: { id: 'mcp:files:read_text_file', args: { path: file } } }] },
      { say: 'Read.' },
    )
    await gateway.api.chat('Read it')
    expect(upstream.messages(2).at(-1).content).toContain('mcp:files:read_text_file')
    expect(upstream.messages(3).at(-1).content).toContain('inputSchema')
    expect(upstream.messages(4).at(-1).content).toContain('by a program')
  })
})

describe('a server that is down, absent or mute', () => {
  test('delays nothing', async () => {
    expect(muteAtStart).toBe('connecting')
    expect((await gateway.api.call('plugin:probe:echo', { text: 'still here' })).body.value).toEqual({
      text: 'still here',
    })
  })

  test('is named in the notes of every search and in /readyz, with the reason', async () => {
    const { notes } = await gateway.api.search('echo')
    expect(notes.join('\n')).toMatch(/still connecting.*: mute/)
    expect(notes.join('\n')).toMatch(/down.*: absent, offline/)
    const { status, body } = await gateway.api.get('/readyz')
    expect([status, body.status]).toEqual([200, 'ready'])
    expect(stateOf(body, 'mute')).toBe('connecting')
    for (const owner of ['absent', 'offline']) {
      const detail = body.sourceDetails.find((each: SourceDetail) => each.owner === owner)
      expect(detail.state).toMatchObject({ kind: 'down', reason: expect.stringMatching(/\w{4}/) })
    }
  })

  test('is not told to strangers, who get counts only', async () => {
    const answer = await fetch(`${gateway.url}/readyz`)
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ sources: { connecting: 1, down: 2 } })
    expect(text).not.toMatch(/mute|absent|offline|everything/)
  })
})

describe('a server with faults', () => {
  test('loses only the tool whose schema is broken', async () => {
    expect((await gateway.api.call('mcp:odd:echo', { text: 'x' })).body.value).toBe('odd: x')
    expect((await gateway.api.get('/v1/tools/mcp:odd:broken_schema')).status).toBe(404)
    const { quarantined } = (await gateway.api.get('/readyz')).body
    expect(quarantined).toMatchObject([{ id: 'mcp:odd:broken_schema', reason: expect.stringMatching(/\w{4}/) }])
  })

  test('that does not answer a call in its time ends it timed-out', async () => {
    const { status, body } = await gateway.api.call('mcp:odd:wait', {})
    expect([status, body.outcome, body.effect]).toEqual([504, 'timed-out', 'unknown'])
    expect((await gateway.api.call('mcp:odd:echo', { text: 'y' })).body.value).toBe('odd: y')
  })
})

test('a name that two sources have is ambiguous by name and callable by id', async () => {
  const { status, body } = await gateway.api.call('echo', { text: 'x', message: 'x' })
  expect([status, body.outcome]).toEqual([400, 'ambiguous-tool'])
  expect(body.ids).toEqual(['mcp:everything:echo', 'mcp:odd:echo', 'mcp:remote:echo', 'plugin:probe:echo'])
  const run = await gateway.api.run(`
    const results = await tools.callAll([
      { id: 'echo', args: { text: 'x' } }, { id: 'mcp:odd:echo', args: { text: 'x' } }, { id: 'plugin:probe:echo', args: { text: 'x' } },
    ])
    return results.map((result) => result.outcome ?? result.kind ?? result.status ?? result)`)
  expect(run.calls.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['ambiguous-tool', 'ok', 'ok'])
})

describe.skipIf(process.platform !== 'linux')('the processes of its servers', () => {
  test.concurrent.each(['stop', 'kill'] as const)('are gone after a %s', async (end) => {
    const local = (file: string, ...args: readonly string[]) => ({ command: process.execPath, args: [file, ...args] })
    const servers = { everything: local(EVERYTHING, 'stdio'), mute: local(path.join(FIXTURES, 'servers/mute.mjs')) }
    const other = await startGateway({ config: { mcp: { servers } } })
    await waitUntil(
      'the server is connected',
      async () => stateOf((await other.api.get('/readyz')).body, 'everything') === 'ready',
    )
    const children = await childrenOf(other.pid)
    expect(children.filter(({ command }) => /server-everything|mute\.mjs/.test(command)).length).toBeGreaterThanOrEqual(
      2,
    )
    if (end === 'stop') expect(await other.stop()).toBe(0)
    else await other.kill()
    await waitUntil('all children are gone', async () => {
      const alive = await Promise.all(children.map(isAlive))
      return !alive.includes(true)
    })
    await other.remove()
  })
})
