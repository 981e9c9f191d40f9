import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CliUnderTest, UnderTestOptions } from '../../testing/cli-under-test.ts'
import { cliUnderTest } from '../../testing/cli-under-test.ts'

const SERVERS = `{
  // two of them
  mcp: { servers: { files: { command: 'a' }, mail: { command: 'b' } } },
}
`

describe('config patch', () => {
  test('merges, takes away by null, and says once what applies when', async () => {
    const { run, file, read } = await withFile(SERVERS)
    const patch = `{ mcp: { servers: { files: { args: ['x'] }, mail: null } }, gateway: { port: 9000 } }`
    expect(await run('config', 'patch', patch)).toEqual({
      exitCode: 0,
      stdout: `changed mcp.servers.files.args, mcp.servers.mail, gateway.port in ${file}
restart the gateway for gateway.port to apply; a running one takes up the rest within a second
`,
      stderr: '',
    })
    expect(await read()).toBe(`{
  // two of them
  mcp: { servers: { files: { command: 'a', args: ['x'] } } },
  gateway: { port: 9000 },
}
`)
    expect((await run('config', 'patch', '{ gateway: { port: 9001 } }')).stdout).toBe(
      `changed gateway.port in ${file}\nrestart the gateway for it to apply\n`,
    )
    expect((await run('config', 'patch', '{ sandbox: { cpuMs: 500 } }')).stdout).toBe(
      `changed sandbox.cpuMs in ${file}\na running gateway takes it up within a second\n`,
    )
  })
  test('reads stdin, checks the whole in a dry run, and writes nothing then', async () => {
    const { run, file, read } = await withFile('{}', { stdin: '{"gateway": {"port": 1}}' })
    expect((await run('config', 'patch', '-', '--strict-json', '--dry-run')).stdout).toContain(
      `would change gateway.port`,
    )
    expect(JSON.parse((await run('config', 'patch', '-', '--dry-run', '--json')).stdout)).toEqual({
      changed: true,
      file,
      dryRun: true,
      warnings: [],
      path: '',
      changes: ['gateway.port'],
      applies: 'restart',
      restart: ['gateway.port'],
    })
    const bad = await run('config', 'patch', '{ gateway: { port: "x" } }', '--dry-run')
    expect(bad.exitCode).toBe(2)
    expect(bad.stderr).toMatch(/expected an integer from 0 to 65535\nnothing was written\n$/)
    expect(await read()).toBe('{}')
  })
  test('leaves the file byte for byte where it says nothing new', async () => {
    const { run, file, read } = await withFile(SERVERS)
    const before = await stat(file, { bigint: true })
    expect((await run('config', 'patch', '{ mcp: { servers: { none: null, mail: { command: "b" } } } }')).stdout).toBe(
      `no change: ${file} says so already\n`,
    )
    expect((await stat(file, { bigint: true })).ctimeNs).toBe(before.ctimeNs)
    expect(await read()).toBe(SERVERS)
  })
  test.each([
    ['[]', 'a patch is an object, e.g. "{ gateway: { port: 9000 } }"'],
    ['text', 'a patch is an object'],
    ['{ "constructor": {} }', 'the key "constructor" is refused'],
  ])('%s is no patch', async (patch, message) => {
    const { run } = await withFile('{}')
    const { exitCode, stderr } = await run('config', 'patch', patch)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('maps of servers, providers, agents and plugins', () => {
  test('are not replaced by a value for the whole without a word', async () => {
    const { run, read } = await withFile(SERVERS)
    const held =
      'error: mcp.servers holds files, mail; add --merge to keep what the value does not name, or --replace to mean the value as a whole; nothing was written\n'
    for (const [at, value] of [
      ['mcp.servers', '{ web: { url: "http://x" } }'],
      ['mcp', '{ servers: {} }'],
      ['mcp', '{}'],
    ] as const) {
      expect(await run('config', 'set', at, value)).toEqual({ exitCode: 1, stdout: '', stderr: held })
    }
    expect(await read()).toBe(SERVERS)
    expect((await run('config', 'set', 'mcp.servers', `{ web: { url: 'http://x' } }`, '--merge')).exitCode).toBe(0)
    expect(await read()).toContain(`mail: { command: 'b' }, web: { url: 'http://x' }`)
    expect((await run('config', 'set', 'mcp.servers', `{ web: { url: 'http://x' } }`, '--replace')).exitCode).toBe(0)
    expect(await read()).toContain(`mcp: { servers: { web: { url: 'http://x' } } }`)
  })
  test.each([
    ['models.providers', `{ p: { api: 'openai-chat', baseUrl: 'https://x' } }`],
    ['agents', '{ a: {} }'],
    ['plugins.entries', '{ demo: {} }'],
  ])('%s is one of them', async (at, value) => {
    const { run } = await withFile('{}')
    expect((await run('config', 'set', at, value)).exitCode).toBe(0)
    expect((await run('config', 'set', at, '{}')).stderr).toContain(`${at} holds`)
    expect((await run('config', 'set', at, value)).stdout).toContain('no change')
  })
  test('an entry that is named is replaced, and merged into when that is asked for', async () => {
    const { run, read } = await withFile(SERVERS)
    await run('config', 'set', 'mcp.servers.files', `{ args: ['x'] }`, '--merge')
    expect(await read()).toContain(`files: { command: 'a', args: ['x'] }`)
    await run('config', 'set', 'mcp.servers.files', `{ command: 'c' }`)
    expect(await read()).toContain(`files: { command: 'c' }`)
  })
})

describe('an expectation of what stands there', () => {
  test('that is met lets the edit be done', async () => {
    const { run, read } = await withFile('{ gateway: { port: 1 } }')
    expect((await run('config', 'set', 'gateway.port', '2', '--expect-current-json', '1')).exitCode).toBe(0)
    expect((await run('config', 'set', 'tools.deny', '[]', '--expect-current-absent')).exitCode).toBe(0)
    expect((await run('config', 'unset', 'gateway', '--expect-current-json', '{ port: 2 }')).exitCode).toBe(0)
    expect(await read()).toBe('{ tools: { deny: [] } }')
  })
  test('that is not met ends with 1, says what is there without secrets, and writes nothing', async () => {
    const text = `{ gateway: { port: 1 }, models: { providers: { p: { api: 'openai-chat', baseUrl: 'https://x', apiKey: 'sk-hidden-hidden' } } } }`
    const { run, read } = await withFile(text)
    const ends = [
      await run('config', 'set', 'gateway.port', '2', '--expect-current-json', '3'),
      await run('config', 'set', 'gateway.port', '2', '--expect-current-absent'),
      await run('config', 'set', 'gateway.host', 'x', '--expect-current-json', '"y"'),
      await run('config', 'unset', 'models.providers.p', '--expect-current-json', '{}'),
    ]
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1])
    expect(ends.map(({ stderr }) => stderr)).toEqual([
      'error: gateway.port is 1, which is not what was expected; nothing was written\n',
      'error: gateway.port is 1, which is not what was expected; nothing was written\n',
      'error: gateway.host is not set, which is not what was expected; nothing was written\n',
      'error: models.providers.p is {"api":"openai-chat","baseUrl":"https://x","apiKey":"[secret]"}, which is not what was expected; nothing was written\n',
    ])
    expect(await read()).toBe(text)
  })
  test('of ten that race, one alone is met', async () => {
    const { run, read } = await withFile('{ gateway: { port: 0 } }')
    const racing = Array.from({ length: 10 }, (_, index) =>
      run('config', 'set', 'gateway.port', String(index + 1), '--expect-current-json', '0'),
    )
    const codes = (await Promise.all(racing)).map(({ exitCode }) => exitCode)
    expect(codes.filter((code) => code === 0)).toHaveLength(1)
    expect(await read()).toBe(`{ gateway: { port: ${codes.indexOf(0) + 1} } }`)
  })
})

describe('config validate with a gateway that runs', () => {
  const catalog = {
    tools: [{ id: 'plugin:demo:delete_invoice', name: 'delete_invoice' }],
    quarantined: [{ id: 'mcp:odd:bad', reason: 'x' }],
    sources: [{ source: 'mcp', owner: 'slow', state: { kind: 'connecting' } }],
  }
  test('warns of names that match nothing, with the nearest real one', async () => {
    const text = `{ tools: { deny: ['plugin:demo:delete_invioce', 'mcp:slow:x', 'mcp:odd:bad'] } }`
    const { run, file, requests } = await withFile(text, { answers: [{ body: catalog }, { body: catalog }] })
    const warning =
      'tools.deny[0]: "plugin:demo:delete_invioce" matches no tool of the running gateway; did you mean "plugin:demo:delete_invoice"?'
    expect(await run('config', 'validate')).toEqual({
      exitCode: 0,
      stdout: `${file} is valid\n`,
      stderr: `warning: ${warning}\n`,
    })
    expect(JSON.parse((await run('config', 'validate', '--json')).stdout)).toEqual({
      valid: true,
      file,
      warnings: [warning],
    })
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer db_admin')
  })
  test('is valid all the same where the gateway cannot be asked', async () => {
    const { run } = await withFile('{}', { answers: [{ status: 403, body: { error: { message: 'no' } } }] })
    expect(await run('config', 'validate')).toMatchObject({
      exitCode: 0,
      stderr: 'warning: names of tools were not compared with the running gateway: no\n',
    })
  })
})

interface WithFile extends CliUnderTest {
  readonly file: string
  readonly read: () => Promise<string>
}

async function withFile(text: string, options: UnderTestOptions = {}): Promise<WithFile> {
  const under = await cliUnderTest(options)
  const file = path.join(under.folder, 'drawbridge.json5')
  await writeFile(file, text)
  return { ...under, file, read: () => readFile(file, 'utf8') }
}
