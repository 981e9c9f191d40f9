import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fixture } from '../../../../catalog/sources/mcp/fixtures/recorded-source.ts'
import type { CliUnderTest } from '../../testing/cli-under-test.ts'
import { cliUnderTest } from '../../testing/cli-under-test.ts'

const ABSENT = 'drawbridge.json5'

async function withConfig(cli: CliUnderTest, text: string): Promise<() => Promise<string>> {
  const file = path.join(cli.folder, ABSENT)
  await writeFile(file, text)
  return () => readFile(file, 'utf8')
}

test('a server is added by command or by address, comments stay, and the same again is no change', async () => {
  const cli = await cliUnderTest()
  const text = await withConfig(cli, '{\n  // mine\n  mcp: { servers: {} },\n}\n')
  const command = ['npx', '-y', 'server-files', '--root', '.']
  expect(await cli.run('mcp', 'add', 'files', '-e', 'DEBUG=1', '--', ...command)).toMatchObject({ exitCode: 0 })
  const header = 'authorization: Bearer ${CAL_TOKEN}'
  const added = await cli.run('mcp', 'add', 'calendar', 'https://x.test/mcp', '-H', header, '--json')
  expect(JSON.parse(added.stdout)).toMatchObject({ changed: true, path: 'mcp.servers.calendar', applies: 'live' })
  expect(JSON.parse(added.stdout).warnings).toEqual([expect.stringContaining('CAL_TOKEN is not set')])
  expect(await text()).toContain('// mine')
  const shown = JSON.parse((await cli.run('config', 'get', 'mcp.servers', '--json')).stdout)
  expect(shown).toEqual({
    files: { command: 'npx', args: ['-y', 'server-files', '--root', '.'], env: { DEBUG: '[secret]' } },
    calendar: { url: 'https://x.test/mcp', headers: { authorization: 'Bearer ${CAL_TOKEN}' } },
  })
  const again = await cli.run('mcp', 'add', 'files', '-e', 'DEBUG=1', '--', ...command)
  expect(again.stdout).toContain('no change')
})

test('a server that is there is replaced only on demand, and what cannot be is refused with the way out', async () => {
  const cli = await cliUnderTest()
  await withConfig(cli, '{ mcp: { servers: { files: { command: "npx" } } } }')
  const held = await cli.run('mcp', 'add', 'files', 'node')
  expect([held.exitCode, held.stderr]).toEqual([1, expect.stringContaining('add --replace')])
  expect(await cli.run('mcp', 'add', 'files', 'node', '--replace')).toMatchObject({ exitCode: 0 })
  for (const [args, reason] of [
    [['x', 'https://x.test', 'more'], 'takes no arguments'],
    [['x', 'https://x.test', '--cwd', '.'], 'for servers that are started'],
    [['x', 'node', '-H', 'a: b'], 'for servers that have an address'],
    [['x', 'node', '-e', 's3cret'], '--env wants a name'],
    [['bad name', 'node'], 'bad name'],
    [['x', 'ws://x.test/mcp'], 'neither an http:// or https:// address nor a command'],
  ] as const) {
    const refused = await cli.run('mcp', 'add', ...args)
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(reason)])
    expect(refused.stderr).not.toContain('s3cret')
  }
})

test('an import says what it took, what it changed and what it left; nothing that is there is lost', async () => {
  const cli = await cliUnderTest({ env: { TOKEN: 'abcdef' } })
  const text = await withConfig(cli, '{\n  mcp: { servers: { files: { command: "mine" } } }, // keep\n}\n')
  await mkdir(path.join(cli.folder, '.vscode'))
  const foreign = {
    inputs: [{ id: 'key', description: 'API key' }],
    servers: {
      files: { command: 'theirs' },
      ask: { command: '${workspaceFolder}/ask', env: { KEY: '${input:key}', API_TOKEN: 'plain-s3cret' }, dev: {} },
      off: { command: 'x', disabled: true },
    },
  }
  await writeFile(path.join(cli.folder, '.vscode/mcp.json'), `// theirs\n${JSON.stringify(foreign)}`)
  const dry = JSON.parse((await cli.run('mcp', 'import', '.vscode/mcp.json', '--dry-run', '--json')).stdout)
  expect(dry).toMatchObject({ dryRun: true, imported: ['ask'] })
  expect(await text()).not.toContain('ask')
  const done = await cli.run('mcp', 'import', '.vscode/mcp.json')
  expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('imported ask into') })
  for (const part of [
    'environment variable KEY',
    '"dev" is not known here',
    'mcp.servers.ask.env.API_TOKEN holds a secret as plain text',
    'skipped files: a server of this name is configured already',
    'skipped off: it is switched off there',
  ])
    expect(done.stderr).toContain(part)
  expect(done.stderr).not.toContain('plain-s3cret')
  expect(await text()).toContain('// keep')
  expect(await text()).toContain(`${cli.folder}/ask`)
  const replaced = await cli.run('mcp', 'import', '.vscode/mcp.json', '--only', 'files', '--replace', '--json')
  expect(JSON.parse(replaced.stdout)).toMatchObject({ imported: ['files'], changes: ['mcp.servers.files.command'] })
})

test('a first import makes a file that can be read, and shows what is written where an address has a reference', async () => {
  const cli = await cliUnderTest()
  const foreign = {
    mcpServers: {
      web: { url: '${BASE}/mcp?key=s3cret' },
      tool: { command: 'tool', args: ['--token', 'sk-1234567890abcdef'] },
    },
  }
  await writeFile(path.join(cli.folder, '.mcp.json'), JSON.stringify(foreign))
  const done = await cli.run('mcp', 'import', '.mcp.json')
  expect(done.stderr).toContain('mcp.servers.tool.args holds a secret as plain text')
  expect(done.stderr).toContain('environment variable BASE is not set')
  const { stdout: file } = await cli.run('config', 'file')
  expect(await readFile(file.trim(), 'utf8')).toMatch(/^ {4}servers: \{\n {6}web: \{/m)
  expect((await cli.run('mcp', 'list')).stdout).toBe('web   configured  ${BASE}/mcp\ntool  configured  tool\n')
})

test('a file that cannot be imported is told from one that has nothing to import', async () => {
  const cli = await cliUnderTest()
  await writeFile(path.join(cli.folder, 'broken.json'), '{ "mcpServers": ')
  await writeFile(path.join(cli.folder, 'config.toml'), '[mcp_servers.a]\ncommand = "npx"\n')
  await writeFile(path.join(cli.folder, 'none.json'), '{ "mcpServers": {} }')
  await writeFile(path.join(cli.folder, 'other.json'), '{ "editor": 1 }')
  await writeFile(path.join(cli.folder, 'empty.json'), '{ "mcpServers": { "off": { "disabled": true } } }')
  for (const [file, exitCode, reason] of [
    ['absent.json', 2, 'cannot be read'],
    ['broken.json', 2, 'is no JSON at line 1, column '],
    ['config.toml', 2, 'TOML is not read here'],
    ['none.json', 1, 'lists no server'],
    ['other.json', 2, 'holds no MCP servers'],
    ['empty.json', 1, 'no server was imported'],
  ] as const) {
    const ended = await cli.run('mcp', 'import', file)
    expect([ended.exitCode, ended.stderr]).toEqual([exitCode, expect.stringContaining(reason)])
  }
})

test('an import takes all that can be used: one that is wrong is named with the reason', async () => {
  const cli = await cliUnderTest()
  const text = await withConfig(cli, '{}')
  const mcpServers = {
    good: { command: 'npx' },
    nowhere: { url: 'not a url' },
    port: { url: 'http://x:99999999/mcp' },
    names: { command: 'x', env: { 'a b': '1' } },
    unset: { url: 'https://x.test', headers: { a: '${NOT_SET_HERE}' } },
  }
  await writeFile(path.join(cli.folder, '.mcp.json'), JSON.stringify({ mcpServers }))
  const done = await cli.run('mcp', 'import', '.mcp.json')
  expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('imported good, unset into') })
  for (const reason of ['skipped nowhere: url is "not a url"', 'skipped port: url', 'skipped names: env'])
    expect(done.stderr).toContain(reason)
  expect(await text()).not.toMatch(/nowhere|port|names/)
})

test.each([
  ['example.com/mcp', 'looks like an address; write https://example.com/mcp'],
  ['localhost:3000/mcp', 'write http://localhost:3000/mcp'],
])('an address without its scheme, %s, is no command', async (target, advice) => {
  const cli = await cliUnderTest()
  const ended = await cli.run('mcp', 'add', 'x', target)
  expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining(advice)])
  expect(await cli.run('mcp', 'add', 'x', `http://${target}`, '--transport', 'http')).toMatchObject({ exitCode: 0 })
  const named = await cli.run('mcp', 'add', 'a/b', 'npx')
  expect([named.exitCode, named.stderr]).toEqual([2, expect.stringContaining('cannot be the name of a server')])
})

test('a logout where nobody can be logged in says why', async () => {
  const cli = await cliUnderTest()
  await withConfig(cli, '{ mcp: { servers: { files: { command: "npx" } } } }')
  expect((await cli.run('mcp', 'logout', 'fils')).stderr).toContain('"fils" is not configured; there are files')
  expect((await cli.run('mcp', 'logout', 'files')).stderr).toContain('nobody is logged in at "files"')
})

test('a server is removed by name, and one that is not there is told with those that are', async () => {
  const cli = await cliUnderTest()
  const text = await withConfig(cli, '{ mcp: { servers: { files: { command: "npx" }, mail: { command: "m" } } } }')
  const wrong = await cli.run('mcp', 'remove', 'file')
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('there are files, mail')])
  expect(await cli.run('mcp', 'remove', 'files')).toMatchObject({ exitCode: 0 })
  expect(await text()).not.toContain('files')
})

test('servers are listed without their secrets, and as they stand where a gateway runs', async () => {
  const config =
    '{ mcp: { servers: { files: { command: "npx", env: { KEY: "s3cret" } }, cal: { url: "https://x.test/mcp?key=s3cret" } } } }'
  const stopped = await cliUnderTest()
  await withConfig(stopped, config)
  const cold = await stopped.run('mcp', 'list')
  expect(cold.stdout).toBe('files  configured  npx\ncal    configured  https://x.test/mcp\n')
  expect(cold.stderr).toContain('no gateway runs')
  const servers = [
    { server: 'files', state: { kind: 'ready', sinceMs: 1 }, toolCount: 12 },
    { server: 'cal', state: { kind: 'down', needs: 'login', reason: 'needs login; run it' }, toolCount: 0 },
  ]
  const running = await cliUnderTest({ answers: [{ body: { servers } }, { body: { servers } }] })
  await withConfig(running, config)
  const warm = await running.run('mcp', 'list')
  expect(warm.stdout).toBe(
    'files  ready, 12 tools       npx\ncal    needs login, 0 tools  https://x.test/mcp\n    needs login; run it\n',
  )
  const json = JSON.parse((await running.run('mcp', 'list', '--json')).stdout)
  expect(json).toMatchObject({
    running: true,
    servers: [{ name: 'files', status: 'ready' }, { status: 'needs login' }],
  })
  expect(JSON.stringify([cold, warm, json])).not.toContain('s3cret')
})

test('a server is tried as the gateway would: its tools, or why it does not come up', async () => {
  const cli = await cliUnderTest()
  const hostile = { command: process.execPath, args: [fixture('hostile-server.mjs'), '2'] }
  const failing = { command: process.execPath, args: [fixture('hostile-server.mjs'), '--fail-at-start'] }
  const other = { url: 'https://x.test', headers: { authorization: '${NOT_SET_HERE}' } }
  await withConfig(cli, JSON.stringify({ mcp: { servers: { hostile, failing, other } } }))
  const fine = await cli.run('mcp', 'test', 'hostile')
  expect(fine).toMatchObject({ exitCode: 0, stdout: 'flood-0\n    does flood-0\nflood-1\n    does flood-1\n' })
  expect(fine.stderr).toMatch(/hostile is ready: 2 tools, [\d-]+ over stdio, \d+ ms/)
  const json = JSON.parse((await cli.run('mcp', 'test', 'hostile', '--json')).stdout)
  expect(json).toMatchObject({ ok: true, server: 'hostile', tools: ['flood-0', 'flood-1'], quarantined: [] })
  const down = await cli.run('mcp', 'test', 'failing', '--json')
  expect([down.exitCode, JSON.parse(down.stdout).ok]).toEqual([1, false])
  expect(down.stderr).toContain('exited with code 3')
  const unset = await cli.run('mcp', 'test', 'other')
  expect([unset.exitCode, unset.stderr]).toEqual([2, expect.stringContaining('NOT_SET_HERE is not set')])
})
