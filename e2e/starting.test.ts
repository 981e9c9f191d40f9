import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, ROOT, runCli, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let folder = ''
let count = 0

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-start-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

interface Attempt {
  readonly config?: string
  readonly args?: readonly string[]
  readonly stateDir?: string
  readonly env?: Readonly<Record<string, string>>
}

/** `serve` where it cannot start: how it ended. */
async function failToStart({ config = '{}', args = ['--port', '0'], stateDir, env = {} }: Attempt) {
  count += 1
  const configFile = path.join(folder, `config-${count}.json5`)
  await writeFile(configFile, config)
  const state = stateDir ?? path.join(folder, `state-${count}`)
  return await runCli(['serve', '--state-dir', state, '--config', configFile, '--json', ...args], env)
}

describe('a start that cannot be', () => {
  test('a port in use: exit code 1, the port and the way out', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = String(typeof address === 'object' && address !== null ? address.port : 0)
    const end = await failToStart({ args: ['--port', port] })
    server.close()
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toMatch(new RegExp(`^error: port ${port} on 127\\.0\\.0\\.1 is in use; .*--port`, 'm'))
    expect(end.stderr).not.toContain('    at ')
  })

  const provider = (apiKey: unknown) => ({ api: 'openai-chat', baseUrl: 'http://x', apiKey })
  const broken = [
    { what: 'text that is not JSON5', config: '{ tools: { ', said: [/:1:\d+: /] },
    {
      what: 'every field that is wrong',
      config: '{ gatewey: {}, gateway: { port: 70000 }, agents: { a: { tools: { denny: [] } } } }',
      said: [
        /:1:3: .*gatewey.*gateway/,
        /:1:\d+: gateway\.port.*70000.*65535/,
        /:1:\d+: agents\.a\.tools.*denny.*deny/,
      ],
    },
    {
      what: 'every secret that is missing',
      config: JSON.stringify({
        models: { providers: { a: provider('${NO_SUCH_KEY}'), b: provider({ file: './nowhere' }) } },
      }),
      said: [/models\.providers\.a\.apiKey.*NO_SUCH_KEY/, /models\.providers\.b\.apiKey.*nowhere/],
    },
  ]
  test.each(broken)('$what in the configuration: exit code 2, where and what to do', async ({ config, said }) => {
    const end = await failToStart({ config })
    expect(end).toMatchObject({ code: 2, stdout: '' })
    const lines = end.stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(said.length)
    for (const pattern of said) expect(end.stderr).toMatch(pattern)
    for (const line of lines) expect(line).toMatch(/^error: /)
  })

  test('a state directory that cannot be used', async () => {
    const file = path.join(folder, 'a-file')
    await writeFile(file, '')
    const stateDir = path.join(file, 'below')
    const end = await failToStart({ stateDir })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toContain(`error: state directory "${stateDir}" cannot be used`)
    expect(end.stderr).not.toContain('    at ')
  })

  test('a database that is none', async () => {
    const stateDir = path.join(folder, 'bad-database')
    await mkdir(stateDir)
    await writeFile(
      path.join(stateDir, 'drawbridge.db'),
      'this is not a database, whatever its name says\n'.repeat(100),
    )
    const end = await failToStart({ stateDir })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toMatch(/^error: .*drawbridge\.db/m)
    expect(end.stderr).not.toContain('    at ')
  })

  test('a key of sealed state that others may read', async () => {
    const stateDir = path.join(folder, 'open-key')
    await mkdir(stateDir)
    await writeFile(path.join(stateDir, 'seal.key'), `${'A'.repeat(43)}\n`)
    await chmod(path.join(stateDir, 'seal.key'), 0o644)
    const end = await failToStart({ stateDir })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toContain('chmod 600')
  })

  test('arguments that make no sense: exit code 2', async () => {
    for (const args of [
      ['--port', 'seven'],
      ['--prot', '1'],
      ['--port', '70000'],
    ]) {
      const end = await failToStart({ args })
      expect([args, end.code]).toEqual([args, 2])
      expect(JSON.parse(end.stderr).error.message).toContain(args[0])
    }
    const end = await failToStart({ args: [], env: { DRAWBRIDGE_PORT: 'seven' } })
    expect(end).toMatchObject({ code: 2, stderr: expect.stringMatching(/DRAWBRIDGE_PORT is .*seven/) })
    const token = await failToStart({ args: ['--port', '0', '--token', 'two words'] })
    expect(token.code).toBeGreaterThan(0)
    expect(token.stderr).toContain('cannot be a bearer token')
  })
})

describe('beside a gateway that runs', () => {
  let gateway: GatewayProcess

  beforeAll(async () => {
    const plugins = path.join(folder, 'plugins')
    await mkdir(plugins)
    await writeFile(path.join(plugins, 'throws.ts'), `throw new Error('the licence has run out')`)
    await writeFile(path.join(plugins, 'no-plugin.ts'), 'export const nothing = 1')
    await writeFile(path.join(plugins, 'syntax.ts'), 'export default {{')
    await writeFile(
      path.join(plugins, 'late.ts'),
      `export default { id: 'late', register() { throw new Error('no database') } }`,
    )
    const paths = [plugins, path.join(FIXTURES, 'plugins'), path.join(folder, 'not-there')]
    gateway = await startGateway({ config: { plugins: { paths } } })
  })

  afterAll(() => gateway?.remove())

  test('a second one on the same state directory ends with who holds it; the first goes on', async () => {
    const end = await failToStart({ stateDir: gateway.stateDir })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toContain(`is held by the gateway with process id ${gateway.pid} at ${gateway.url}`)
    expect((await gateway.api.get('/readyz')).body.status).toBe('ready')
    expect((await gateway.cli('tools', 'list', '--json')).code).toBe(0)
  })

  test('plugins that cannot be loaded are named with their reasons, and all else is there', async () => {
    const output = gateway.output()
    for (const [file, reason] of [
      ['throws.ts', 'the licence has run out'],
      ['no-plugin.ts', 'default export'],
      ['syntax.ts', 'syntax.ts'],
      ['late', 'no database'],
      ['not-there', 'not-there'],
    ] as const) {
      const line = output.split('\n').find((each) => each.includes(file) && each.includes(reason))
      expect([file, line]).toEqual([file, expect.any(String)])
    }
    expect((await gateway.api.call('plugin:probe:echo', { text: 'x' })).status).toBe(200)
    expect((await gateway.api.call('plugin:demo:list_invoices', {})).status).toBe(200)
  })

  test('commands that fail say so on stderr, with exit code 1 or 2, as JSON where it is asked for', async () => {
    const failures = [
      { args: ['tools', 'call', 'plugin:demo:nothing'], code: 1, said: 'unknown-tool' },
      { args: ['tools', 'call', 'plugin:probe:echo', '{ text: '], code: 2, said: '' },
      { args: ['tools', 'call', 'plugin:probe:echo', '[1]'], code: 2, said: 'expected an object' },
      { args: ['run', path.join(folder, 'nowhere.js')], code: 2, said: 'nowhere.js' },
      { args: ['runs', 'show', 'run_nothing'], code: 1, said: 'run_nothing' },
      { args: ['runs', 'show', '../../healthz'], code: 1, said: 'there is no run' },
      { args: ['nonsense'], code: 2, said: 'nonsense' },
      { args: ['config', 'get', 'tools.nothing'], code: 1, said: 'tools.nothing' },
    ]
    for (const { args, code, said } of failures) {
      const end = await gateway.cli(...args, '--json')
      expect([args, end.code]).toEqual([args, code])
      expect(end.stderr).toContain(said)
      expect(end.stderr).not.toContain('    at ')
    }
  })

  test('a program runs from a file, and shows its log and where it threw', async () => {
    const file = path.join(folder, 'program.js')
    await writeFile(file, `console.log('looking')\nreturn (await tools.call('plugin:probe:echo', { text: 'hi' })).text`)
    expect(await gateway.cli('run', file)).toEqual({ code: 0, stdout: 'hi\n', stderr: '[log] looking\n' })
    await writeFile(file, `const x = 1\nthrow new Error('on line two')`)
    const end = await gateway.cli('run', file)
    expect([end.code, end.stdout]).toEqual([1, ''])
    expect(end.stderr).toContain(`${file}:2`)
    expect(end.stderr).toContain('on line two')
  })

  test('help is there for every command', async () => {
    const words = ['', 'serve', 'config set', 'tools call']
    const ends = await Promise.all(words.map((word) => gateway.cli(...word.split(' ').filter(Boolean), '--help')))
    for (const end of ends) {
      expect([end.code, end.stderr]).toEqual([0, ''])
      expect(end.stdout).toContain('Usage: drawbridge')
    }
  })
})

describe('the first start of a newcomer', () => {
  let child: ChildProcess | undefined

  afterAll(() => child?.kill('SIGKILL'))

  test('prints a banner whose curl works, and makes two tokens that only the owner may read', async () => {
    const stateDir = path.join(folder, 'first')
    const args = [path.join(ROOT, 'gateway/main.ts'), 'serve', '--port', '0', '--state-dir', stateDir]
    const started = spawn(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    let banner = ''
    started.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      banner += chunk
    })
    await waitUntil('the banner is whole', () => banner.includes('-d '))
    expect(banner).toMatch(/scripted.*not a language model/)
    expect(banner).toMatch(/tools +22 from plugin demo/)
    expect(banner).toMatch(/the model sees 1 tool, \d+ bytes \(direct: 22 tools, \d+ bytes\)/)
    const tokens = JSON.parse(await readFile(path.join(stateDir, 'tokens'), 'utf8'))
    expect(Object.keys(tokens).toSorted()).toEqual(['admin', 'chat'])
    expect((await stat(path.join(stateDir, 'tokens'))).mode & 0o777).toBe(0o600)
    expect((await stat(stateDir)).mode & 0o077).toBe(0)
    expect(banner).toContain(tokens.chat)
    expect(banner).not.toContain(tokens.admin)

    const command = banner.slice(banner.indexOf('curl ')).trim()
    const shell = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] })
    let answer = ''
    shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk
    })
    await new Promise((resolve) => shell.once('close', resolve))
    expect(JSON.parse(answer).choices[0].message.content).toContain('inv-1002')

    const env = { DRAWBRIDGE_STATE_DIR: stateDir }
    expect((await runCli(['tokens', 'show'], env)).stdout.trim()).toBe(tokens.chat)
    expect((await runCli(['tools', 'search', 'overdue invoices'], env)).stdout).toContain('plugin:demo:list_invoices')
    const ended = new Promise((resolve) => started.once('exit', resolve))
    started.kill('SIGINT')
    expect(await ended).toBe(0)
    const none = await runCli(['tools', 'list'], env)
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no gateway is running') })
  })
})

test('what was said in a session is there after the gateway was killed and started again', async () => {
  const first = await startGateway()
  const headers = { 'x-drawbridge-session': 'kept' }
  await first.api.chat('Which invoices are overdue?', {}, headers)
  const run = await first.api.run('return 6 * 7')
  await first.kill()
  const second = await startGateway({ folder: first.folder })
  expect((await second.api.get('/v1/sessions/kept')).body.messages.length).toBeGreaterThan(2)
  expect((await second.api.get(`/v1/runs/${run.id}`)).body).toEqual(run)
  await second.remove()
})

test('no command strips the types of what an earlier one has stripped', async () => {
  const env = { PATH: process.env['PATH'] ?? '', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const version = () =>
    promisify(execFile)(process.execPath, [path.join(ROOT, 'scripts/drawbridge.mjs'), 'version'], { env })
  await version()
  const { stderr } = await version()
  for (const file of ['main', 'command', 'cli/cli', 'cli/commands/serve-command'])
    expect(stderr).toContain(`/gateway/${file}.ts...success`)
})
