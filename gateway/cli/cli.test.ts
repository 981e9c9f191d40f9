import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStateDirectory } from '../state/state-dir.ts'
import { cliUnderTest } from './testing/cli-under-test.ts'

describe('every command', () => {
  const commands = [
    'serve',
    'config',
    'config get',
    'config set',
    'config unset',
    'config patch',
    'config validate',
    'config schema',
    'config file',
  ]
  const gatewayCommands = [
    'tokens',
    'tokens create',
    'audit',
    'audit verify',
    'tools',
    'tools list',
    'tools search',
    'tools call',
    'run',
    'runs',
    'runs show',
    'version',
  ]
  test.each([...commands, ...gatewayCommands])('%s has help with an example', async (command) => {
    const { run } = await cliUnderTest()
    const { exitCode, stdout } = await run(...command.split(' '), '--help')
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`Usage: drawbridge ${command}`)
    expect(stdout).toMatch(/Example:\n {2}\$ .*drawbridge /)
  })
  test.each([
    [['tool'], "unknown command 'tool'"],
    [['config', 'set', 'a'], "missing required argument 'value'"],
    [['tools', 'search'], "missing required argument 'query'"],
    [['version', '--jason'], "unknown option '--jason'"],
    [['tools', 'search', 'x', '--limit', '0'], 'expected a whole number from 1 on'],
    [['run', 'x', '--agent', 'with space'], 'expected up to 256 printable characters'],
  ])('%j asked for wrongly ends with 2 and says how', async (argv, message) => {
    const { run } = await cliUnderTest()
    const { exitCode, stdout, stderr } = await run(...argv)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})

test.each([
  [['tool', '--json'], "unknown command 'tool'"],
  [['tools', 'serch', '--json'], "unknown command 'serch' (Did you mean search?)"],
  [['config', '--json'], "unknown option '--json'"],
  [['tools', 'search', '--json'], "missing required argument 'query'"],
  [['tools', 'search', 'x', '--json', '--limit', '0'], 'expected a whole number from 1 on'],
])('%j asked for wrongly with --json is told in JSON alone', async (argv, message) => {
  const { run } = await cliUnderTest()
  const { exitCode, stdout, stderr } = await run(...argv)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(JSON.parse(stderr)).toEqual({ error: { message: expect.stringContaining(message) } })
})

test('--json behind -- is of the command that is added, and not ours', async () => {
  const { run } = await cliUnderTest()
  const { stdout, stderr } = await run('mcp', 'add', 'bad name', '--', 'npx', '--json')
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringMatching(/^error: "bad name" cannot be/) })
})

test.each([
  ['tools', 'call', ''],
  ['runs', 'show', ''],
  ['approvals', 'show', ''],
  ['explain', ''],
])('an empty name (%j) asks the gateway for nothing', async (...argv) => {
  const { run, requests } = await cliUnderTest({ answers: [] })
  const ended = await run(...argv)
  expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('that was given is empty') })
  expect(requests).toEqual([])
})

test('a file that the system refuses ends with 1 and names it, without a stack', async () => {
  const { run, folder } = await cliUnderTest()
  // A file where the folder should be, since a mode stops no test that runs as root.
  await writeFile(path.join(folder, 'occupied'), '')
  const ended = await run('config', 'set', 'tools.toolSearch', 'true', '--config', 'occupied/drawbridge.json5')
  expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^error: E[A-Z]+: .*occupied.*; check .*\n$/)
})

test('version prints the version, as JSON with that of Node', async () => {
  const { run } = await cliUnderTest()
  expect(await run('version')).toEqual({ exitCode: 0, stdout: '1.2.3\n', stderr: '' })
  expect((await run('--version')).stdout).toBe('1.2.3\n')
  expect(JSON.parse((await run('version', '--json')).stdout)).toEqual({ version: '1.2.3', node: process.versions.node })
})

describe('serve', () => {
  test('takes flags before the environment', async () => {
    const env = { DRAWBRIDGE_PORT: '1', DRAWBRIDGE_HOST: '::1', DRAWBRIDGE_TOKEN: 't' }
    const { run, served, stateDirectory } = await cliUnderTest({ env })
    await run('serve')
    await run('serve', '--port', '0', '--host', 'localhost', '--state-dir', '/s', '--config', 'c.json5', '--token', 'u')
    expect(served).toEqual([
      { stateDirectory, host: '::1', port: 1, token: 't' },
      { stateDirectory: '/s', host: 'localhost', port: 0, token: 'u', configFile: 'c.json5' },
    ])
  })
  test('refuses a port that is none', async () => {
    const { run, served } = await cliUnderTest({ env: { DRAWBRIDGE_PORT: '99999' } })
    expect(await run('serve')).toMatchObject({
      exitCode: 2,
      stderr: 'error: DRAWBRIDGE_PORT is "99999"; expected a port from 0 to 65535\n',
    })
    expect((await run('serve', '--port', '-1')).exitCode).toBe(2)
    expect((await run('serve', '--port', 'x')).stderr).toContain('expected a port from 0 to 65535')
    expect(served).toEqual([])
  })
})

describe('config set', () => {
  test('makes the file and says where, and that a running gateway takes it up', async () => {
    const { run, stateDirectory } = await cliUnderTest()
    const file = path.join(stateDirectory, 'drawbridge.json5')
    expect(await run('config', 'set', 'tools.toolSearch', 'true')).toEqual({
      exitCode: 0,
      stdout: `changed tools.toolSearch in ${file}\na running gateway takes it up within a second\n`,
      stderr: '',
    })
    expect(await run('config', 'set', 'tools.toolSearch', 'true')).toMatchObject({
      stdout: `no change: ${file} says so already\n`,
    })
    expect((await run('config', 'set', 'gateway.port', '9000')).stdout).toContain('restart the gateway for it to apply')
    expect(JSON.parse((await run('config', 'set', 'gateway.port', '9001', '--json')).stdout)).toEqual({
      changed: true,
      file,
      path: 'gateway.port',
      changes: ['gateway.port'],
      applies: 'restart',
      restart: ['gateway.port'],
      dryRun: false,
      warnings: [],
    })
  })
  test.each([
    ['agents.default.instructions', 'be brief', `'be brief'`],
    ['agents.default.instructions', '', `''`],
    ['agents.default.model', 'scripted/x', `'scripted/x'`],
    ['tools.deny', `['a', "b"]`, `['a', 'b']`],
    ['tools.toolSearch', `{ mode: 'tools' }`, `{ mode: 'tools' }`],
    ['sandbox.jit', 'true', 'true'],
  ])('%s %s writes %s', async (at, value, written) => {
    const { run, stateDirectory } = await cliUnderTest()
    expect(await run('config', 'set', at, value)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await readFile(path.join(stateDirectory, 'drawbridge.json5'), 'utf8')).toContain(
      `${at.split('.').at(-1)}: ${written}`,
    )
  })
  test('refuses what would make the file invalid, with every path at fault, and writes nothing', async () => {
    const { run, stateDirectory } = await cliUnderTest()
    const file = path.join(stateDirectory, 'drawbridge.json5')
    await writeFile(file, '{ gateway: { port: 1 } }')
    const kept = path.join(stateDirectory, 'config-backups', 'rejected.drawbridge.json5.')
    const refused = await run('config', 'set', 'tools.toolSearch', '{ mode: "both", limit: 3 }')
    expect({ ...refused, stderr: refused.stderr.replace(/[0-9a-f]{8}\.\d{15}\n$/, '') }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `error: ${file}: tools.toolSearch.mode: is "both" (a string); expected one of "code", "tools", "direct"
${file}: tools.toolSearch.limit: unknown key "limit" with value 3; known keys: enabled, mode, codeTimeoutMs, searchDefaultLimit, maxSearchLimit
nothing was written; what was refused is kept in ${kept}`,
    })
    const { exitCode, stderr } = await run('config', 'set', 'gateway.port', 'x', '--json')
    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr).error).toMatchObject({
      file,
      problems: [{ path: 'gateway.port', message: expect.any(String) }],
    })
    expect(await readFile(file, 'utf8')).toBe('{ gateway: { port: 1 } }')
  })
  test.each([
    [['a..b', '1'], 'path "a..b" cannot be read from character 2 on'],
    [['__proto__.x', '1'], 'path "__proto__.x" has the key "__proto__", which is refused'],
    [
      ['agents', '{ default: '],
      'the value ends inside an open object, array, string or comment; quote it to mean the text',
    ],
    [['agents', '{"constructor": {}}'], 'the value the key "constructor" is refused'],
    [['agents.default.instructions', 'plain', '--strict-json'], 'the value is not JSON'],
    [['gateway.port', '{ a: 1 }', '--strict-json'], 'leave out --strict-json to mean the text'],
    [['agents', '{"__proto__": {}}', '--strict-json'], 'the value the key "__proto__" is refused'],
    [['agents', '{}', '--merge', '--replace'], '--merge and --replace exclude each other'],
    [['agents', 'x', '--merge'], '--merge needs an object as its value'],
    [
      ['agents', '{}', '--expect-current-absent', '--expect-current-json', '1'],
      '--expect-current-absent and --expect-current-json exclude each other',
    ],
  ])('%j is refused', async (argv, message) => {
    const { run } = await cliUnderTest()
    const { exitCode, stderr } = await run('config', 'set', ...argv)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })
  test('warns of a reference that cannot be resolved here, and never prints a value', async () => {
    const { run } = await cliUnderTest()
    const provider = `{ api: 'openai-chat', baseUrl: 'https://x', apiKey: '\${NOWHERE_KEY}' }`
    const { exitCode, stdout, stderr } = await run('config', 'set', 'models.providers.p', provider)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('warning: ')
    expect(stderr).toContain('models.providers.p.apiKey: environment variable NOWHERE_KEY is not set')
    const literal = await run('config', 'set', 'models.providers.p.apiKey', 'sk-literal-literal-literal')
    expect(stdout + literal.stdout + literal.stderr).not.toContain('literal-literal')
    expect(literal.exitCode).toBe(0)
    expect(literal.stderr).toMatch(
      /^warning: models\.providers\.p\.apiKey stands in .* in plain text; write "\$\{NAME\}" of the environment, \{ file: "…" \} or \{ command: \["…"\] \} there instead$/m,
    )
    expect((await run('config', 'set', 'gateway.port', '9000')).stderr).not.toContain('in plain text')
  })
  test('a dry run says what it would do', async () => {
    const { run } = await cliUnderTest()
    expect((await run('config', 'set', 'gateway.port', '1', '--dry-run')).stdout).toContain('would change gateway.port')
    expect(JSON.parse((await run('config', 'file', '--json')).stdout)).toMatchObject({ exists: false })
  })
})

describe('config get', () => {
  test('prints the value of the file, else the default, else fails', async () => {
    const { run } = await cliUnderTest()
    await run('config', 'set', 'tools.deny', `['x']`)
    expect(await run('config', 'get', 'tools.deny[0]')).toEqual({ exitCode: 0, stdout: 'x\n', stderr: '' })
    expect(await run('config', 'get', 'gateway.port')).toEqual({
      exitCode: 0,
      stdout: '8790\n',
      stderr: '(the default)\n',
    })
    expect(await run('config', 'get', 'gateway', '--json')).toMatchObject({
      stdout: '{"host":"127.0.0.1","port":8790,"cors":{"origins":[]}}\n',
      stderr: '',
    })
    expect(await run('config', 'get', 'agents.other')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: agents.other is not set and has no default\n',
    })
    expect(await run('config', 'get', '--json')).toMatchObject({ stdout: '{"tools":{"deny":["x"]}}\n' })
  })
  test('says what toolSearch leaves unsaid, in each of its forms, and what a slip may mean', async () => {
    const { run } = await cliUnderTest()
    const shown = async (key: string) => (await run('config', 'get', `tools.toolSearch.${key}`)).stdout
    expect([await shown('mode'), await shown('maxSearchLimit')]).toEqual(['code\n', '20\n'])
    await run('config', 'set', 'tools.toolSearch', '{ mode: "tools", maxSearchLimit: 5 }')
    expect([await shown('searchDefaultLimit'), await shown('codeTimeoutMs')]).toEqual(['5\n', '10000\n'])
    await run('config', 'set', 'tools.toolSearch', 'false')
    expect(await shown('mode')).toBe('direct\n')
    for (const [path, meant] of [
      ['tools.toolsearch', 'tools.toolSearch'],
      ['tools.toolSearch.maxSearchLimt', 'tools.toolSearch.maxSearchLimit'],
      ['tool.deny', 'tools'],
    ] as const) {
      const { exitCode, stderr } = await run('config', 'get', path)
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`; did you mean ${meant}?\n`)])
    }
  })
  test.each(['code', 'tools', 'on', '1'])(
    'toolSearch set to the bare word %s is refused with the form to use',
    async (word) => {
      const { run } = await cliUnderTest()
      const { exitCode, stderr } = await run('config', 'set', 'tools.toolSearch', word)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('an object such as { mode: "tools" }')])
    },
  )
  test('masks every secret and shows every reference', async () => {
    const { run, stateDirectory } = await cliUnderTest({ env: { KEY: 'resolved-secret' } })
    await writeFile(
      path.join(stateDirectory, 'drawbridge.json5'),
      `{
        models: { providers: {
          a: { api: 'openai-chat', baseUrl: 'https://u:hidden@x/?api_key=hidden', apiKey: 'hidden' },
          b: { api: 'openai-chat', baseUrl: 'https://y', apiKey: '\${KEY}', headers: { Authorization: 'Bearer \${KEY}', x: 'hidden\${KEY}' } },
          c: { api: 'openai-chat', baseUrl: 'https://z', apiKey: { command: ['pass', 'show', 'key'] }, headers: { y: 'hidden' } },
        } },
        mcp: { servers: { s: { command: 'x', env: { PLAIN: 'hidden' } } } },
        plugins: { entries: { t: { config: { webSearch: { apiKey: 'hidden', depth: 'basic' } } } } },
        agents: { default: { instructions: 'sk-hiddenhiddenhidden' } },
      }`,
    )
    const { stdout } = await run('config', 'get')
    expect(stdout).not.toContain('hidden')
    expect(stdout).not.toContain('resolved-secret')
    const config = JSON.parse(stdout)
    expect(config.models.providers.b.headers).toEqual({ Authorization: 'Bearer ${KEY}', x: '[secret]' })
    expect(config.models.providers.b.apiKey).toBe('${KEY}')
    expect(config.models.providers.c.apiKey).toEqual({ command: ['pass', 'show', 'key'] })
    expect(config.plugins.entries.t.config.webSearch).toEqual({ apiKey: '[secret]', depth: 'basic' })
    expect(await run('config', 'get', 'models.providers.a.apiKey')).toMatchObject({ stdout: '[secret]\n' })
  })
})

test('config unset takes away what is there, and fails with 1 where nothing is', async () => {
  const { run, stateDirectory } = await cliUnderTest()
  const file = path.join(stateDirectory, 'drawbridge.json5')
  await writeFile(file, '{\n  // mine\n  gateway: { port: 1 },\n  tools: {},\n}\n')
  expect(await run('config', 'unset', 'gateway.port')).toMatchObject({ exitCode: 0 })
  expect(await readFile(file, 'utf8')).toBe('{\n  // mine\n  gateway: {},\n  tools: {},\n}\n')
  expect(await run('config', 'unset', 'gateway.port')).toMatchObject({
    exitCode: 1,
    stderr: `error: gateway.port is not set in ${file}\n`,
  })
})

test('config validate ends with 0 or 2 and lists everything', async () => {
  const { run, folder } = await cliUnderTest()
  expect(await run('config', 'validate')).toMatchObject({
    exitCode: 0,
    stdout: 'there is no configuration file; the defaults hold\n',
  })
  const file = path.join(folder, 'drawbridge.json5')
  await writeFile(file, `{ gateway: { port: 1 } }`)
  expect(await run('config', 'validate')).toMatchObject({ exitCode: 0, stdout: `${file} is valid\n` })
  await writeFile(file, `{ gateway: { port: 'x' }, agents: { a: { instructions: '\${UNSET_HERE}', b: 1 } } }`)
  const { exitCode, stdout } = await run('config', 'validate', '--json')
  expect(exitCode).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject({ valid: false, file })
  expect(JSON.parse(stdout).problems.map(({ path: at }: { readonly path: string }) => at)).toEqual([
    'gateway.port',
    'agents.a.b',
  ])
  expect(await run('config', 'validate', '--config', path.join(folder, 'none.json5'))).toMatchObject({ exitCode: 2 })
})

test('config schema prints a JSON Schema with what each key means', async () => {
  const { run } = await cliUnderTest()
  const schema = JSON.parse((await run('config', 'schema')).stdout)
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
  expect(schema.properties.gateway.properties.port).toMatchObject({
    type: 'integer',
    default: 8790,
    description: expect.any(String),
  })
})

describe('without a gateway that can answer', () => {
  test('none was ever started', async () => {
    const { run, stateDirectory } = await cliUnderTest()
    const message = `no gateway is running for state directory "${stateDirectory}"; start one with "drawbridge serve" (in a checkout: "npm start"), or name its --state-dir`
    expect(await run('tools', 'list')).toEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` })
    expect(JSON.parse((await run('tools', 'list', '--json')).stderr)).toEqual({ error: { message } })
  })
  test('it was killed, and a stranger may listen at its address now: no request is made', async () => {
    const { run, requests, stateDirectory } = await cliUnderTest()
    const left = { pid: 1, startedMs: 1, address: 'http://127.0.0.1:8790' }
    await writeFile(path.join(stateDirectory, 'gateway.json'), JSON.stringify(left))
    await writeFile(path.join(stateDirectory, 'tokens'), JSON.stringify({ chat: 'db_chat' }))
    expect((await run('tools', 'list')).stderr).toContain('no gateway is running for state directory')
    expect(requests).toEqual([])
  })
  test('it does not listen yet', async () => {
    const { run, stateDirectory } = await cliUnderTest()
    const directory = await openStateDirectory(stateDirectory, { pid: 1, nowMs: 1 })
    expect((await run('tools', 'list')).stderr).toMatch(/^error: the gateway of .* is still starting; try again$/m)
    await directory.close()
  })
  test('it does not answer', async () => {
    const { run } = await cliUnderTest({ answers: [] })
    expect((await run('tools', 'list')).stderr).toContain(
      'no gateway answers at http://127.0.0.1:8790 (connect ECONNREFUSED); start one',
    )
  })
  test('nobody may look whether one runs', async () => {
    const { run, stateDirectory } = await cliUnderTest()
    await mkdir(path.join(stateDirectory, 'lock.db'))
    for (const command of [
      ['tools', 'list'],
      ['tokens', 'list'],
      ['audit', 'verify'],
      ['mcp', 'list'],
    ]) {
      const ended = await run(...command, '--json')
      expect([ended.exitCode, JSON.parse(ended.stderr).error.message]).toEqual([
        1,
        expect.stringContaining('cannot be told'),
      ])
    }
    // An edit is done all the same.
    expect((await run('config', 'set', 'tools.deny', '["x"]')).exitCode).toBe(0)
  })
  test('something else answers, or the token is refused', async () => {
    const { run, stateDirectory } = await cliUnderTest({
      answers: [
        { status: 502, body: '<html>' },
        { status: 401, body: {} },
      ],
    })
    expect((await run('tools', 'list')).stderr).toContain(
      'answered 502 with something that is not a JSON object; is it a gateway?',
    )
    expect((await run('tools', 'list')).stderr).toContain(
      `refused the token of "${path.join(stateDirectory, 'tokens')}"`,
    )
  })
})

describe('tools', () => {
  test('list reads every page with the least token that is enough', async () => {
    const answers = [
      { body: { tools: [aTool('a', 'First.')], nextOffset: 1 } },
      { body: { tools: [aTool('b', 'Sec\u001b[31mond\u0007.\nMore.')] } },
    ]
    const { run, requests } = await cliUnderTest({ answers })
    expect(await run('tools', 'list', '--agent', 'x')).toEqual({
      exitCode: 0,
      stdout: 'plugin:demo:a\n    First.\nplugin:demo:b\n    Second . More.\n',
      stderr: '2 tools\n',
    })
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?limit=1000&offset=0', '?limit=1000&offset=1'])
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer db_chat')
    expect(requests[0]?.headers.get('x-drawbridge-agent')).toBe('x')
  })
  test('DRAWBRIDGE_TOKEN goes before the tokens of the state directory', async () => {
    const { run, requests } = await cliUnderTest({
      answers: [{ body: { tools: [] } }],
      env: { DRAWBRIDGE_TOKEN: 'mine' },
    })
    await run('tools', 'list')
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer mine')
  })
  test('search prints hits with signatures, notes beside them', async () => {
    const hit = {
      ...aTool('a', 'First.'),
      score: 0.5,
      weak: true,
      signature: '(args: {}) =>\n  Promise<unknown>',
      why: [{ field: 'name', term: 'a', score: 1 }],
    }
    const notices = [{ code: 'limit-clamped', message: 'limit 30 is more than the maximum; 20 was used' }]
    const body = { hits: [hit], notes: ['1 server is still connecting'], notices }
    const { run, requests } = await cliUnderTest({ answers: [{ body }, { body }, { body: { hits: [], notes: [] } }] })
    expect(await run('tools', 'search', 'make', 'an', 'invoice', '--limit', '3', '--explain')).toEqual({
      exitCode: 0,
      stdout:
        'plugin:demo:a (weak)\n    First.\n    (args: {}) =>\n      Promise<unknown>\n    score 0.5, by name:a 1\n',
      stderr: '1 server is still connecting\nnote: limit 30 is more than the maximum; 20 was used\n',
    })
    expect(requests[0]?.body).toEqual({ query: 'make an invoice', limit: 3, explain: true })
    expect(JSON.parse((await run('tools', 'search', 'x', '--json')).stdout)).toEqual(body)
    expect(await run('tools', 'search', 'x')).toMatchObject({ exitCode: 0, stderr: 'nothing was found\n' })
  })
  test('call reads JSON5 arguments, also from stdin, and prints the value', async () => {
    const answers = [
      { body: { outcome: 'ok', value: { id: 7 } } },
      { body: { outcome: 'ok', value: 'text' } },
      { body: { outcome: 'ok' } },
    ]
    const { run, requests } = await cliUnderTest({ answers, stdin: '{"b": 2}' })
    expect(await run('tools', 'call', 'plugin:demo:a/b', '{ a: 1 }')).toEqual({
      exitCode: 0,
      stdout: '{\n  "id": 7\n}\n',
      stderr: '',
    })
    expect((await run('tools', 'call', 'a', '-')).stdout).toBe('text\n')
    expect((await run('tools', 'call', 'a')).stdout).toBe('null\n')
    expect(requests.map(({ body }) => body)).toEqual([{ args: { a: 1 } }, { args: { b: 2 } }, { args: {} }])
    expect(requests[0]?.url).toBe('http://127.0.0.1:8790/v1/tools/plugin%3Ademo%3Aa%2Fb/call')
  })
  test('a call that does not end ok fails with what was wrong', async () => {
    const problems = [{ path: '/id', expected: 'a string', got: '7', suggestion: 'quote it' }]
    const body = { outcome: 'invalid-input', message: 'one problem', problems, effect: 'none' }
    const notFound = { error: { message: 'there is no tool "x"', type: 'invalid_request_error', code: 'not_found' } }
    const { run } = await cliUnderTest({
      answers: [
        { status: 400, body },
        { status: 400, body },
        { status: 404, body: notFound },
      ],
    })
    expect(await run('tools', 'call', 'a')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: invalid-input: one problem\n',
    })
    expect(JSON.parse((await run('tools', 'call', 'a', '--json')).stdout)).toEqual(body)
    expect(await run('tools', 'call', 'x')).toMatchObject({ exitCode: 1, stderr: 'error: there is no tool "x"\n' })
  })
  test.each(['7', 'text', '[1]', '{ a: '])('the arguments %s are refused before any request', async (args) => {
    const { run, requests } = await cliUnderTest({ answers: [] })
    expect((await run('tools', 'call', 'a', args)).exitCode).toBe(2)
    expect(requests).toEqual([])
  })
})

describe('run', () => {
  const completed = {
    id: 'r',
    status: 'completed',
    value: [1],
    logs: [{ level: 'warn', text: 'careful' }],
    notices: [{ code: 'x', message: 'repaired' }],
  }
  test('prints the value, and the log beside it', async () => {
    const { run, requests, folder } = await cliUnderTest({
      answers: [{ body: completed }, { body: completed }],
      stdin: 'return 2',
    })
    await writeFile(path.join(folder, 'program.js'), 'return 1')
    expect(await run('run', 'program.js', '--agent', 'x', '--session', 's')).toEqual({
      exitCode: 0,
      stdout: '[\n  1\n]\n',
      stderr: '[warn] careful\nnote: repaired\n',
    })
    expect(JSON.parse((await run('run', '-', '--json')).stdout)).toEqual(completed)
    expect(requests.map(({ body }) => body)).toEqual([
      { code: 'return 1', agent: 'x', session: 's' },
      { code: 'return 2' },
    ])
  })
  test('a call or a run that waits for a person says how that is decided', async () => {
    const pending = [{ approval: 'apr_1' }, { approval: 'apr_2' }]
    const call = { outcome: 'waiting', message: 'the call waits', pending }
    const waiting = { ...completed, status: 'waiting', pending }
    const { run } = await cliUnderTest({ answers: [{ status: 202, body: call }, { body: waiting }], stdin: 'return 1' })
    const ways = [1, 2].map((n) => `decide it with: drawbridge approvals resolve apr_${n} allow-once|deny\n`).join('')
    expect(await run('tools', 'call', 'a')).toMatchObject({
      exitCode: 1,
      stderr: `error: waiting: the call waits\n${ways}`,
    })
    const asked = await run('run', '-')
    expect(asked.stderr).toContain(
      'waits for 2 approvals and goes on by itself; look at it with: drawbridge runs show ',
    )
    expect(asked.stderr).toContain(ways)
  })
  test('a program that fails ends with 1, its place and its hint; the log is not lost', async () => {
    const error = { code: 'program-error', message: 'x is not defined', line: 3, column: 7, hint: 'declare it' }
    const failed = { ...completed, status: 'failed', error }
    const { run } = await cliUnderTest({ answers: [{ body: failed }, { body: failed }] })
    expect(await run('run', '-')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: '[warn] careful\nnote: repaired\nerror: -:3:7: program-error: x is not defined\ndeclare it\n',
    })
    const asJson = await run('run', '-', '--json')
    expect(JSON.parse(asJson.stdout)).toEqual(failed)
    expect(JSON.parse(asJson.stderr).error).toMatchObject({ code: 'program-error', line: 3 })
  })
  test('a file that is not there ends with 2', async () => {
    const { run } = await cliUnderTest({ answers: [] })
    expect(await run('run', 'none.js')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('program "none.js" cannot be read: ENOENT'),
    })
  })
})

test('there are colours on a terminal only, and none where NO_COLOR is set', async () => {
  const answers = [{ body: { tools: [aTool('a', '')] } }]
  expect((await (await cliUnderTest({ answers, isTerminal: true })).run('tools', 'list')).stdout).toBe(
    '\u001b[1mplugin:demo:a\u001b[22m\n',
  )
  expect(
    (await (await cliUnderTest({ answers, isTerminal: true, env: { NO_COLOR: '1' } })).run('tools', 'list')).stdout,
  ).toBe('plugin:demo:a\n')
  expect((await (await cliUnderTest({ answers })).run('tools', 'list')).stdout).toBe('plugin:demo:a\n')
})

function aTool(name: string, description: string) {
  return { id: `plugin:demo:${name}`, name, description, source: 'plugin', owner: 'demo' }
}
