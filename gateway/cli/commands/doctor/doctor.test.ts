import { chmod, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts'
import type { CliUnderTest, UnderTestOptions } from '../../testing/cli-under-test.ts'
import { cliUnderTest } from '../../testing/cli-under-test.ts'

interface Found {
  readonly check: string
  readonly level: string
  readonly message: string
  readonly fix?: string
  readonly fixed?: true
}

describe('doctor, with no gateway running', () => {
  test('tries every part and ends with 0 where all is well', async () => {
    const under = await patient('{ gateway: { port: 0 } }')
    const { exitCode, stdout, stderr } = await under.run('doctor')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^ok {7}configuration {2}.*drawbridge\.json5 is valid$/m)
    expect(stdout).toMatch(/^ok {7}sandbox {8}a worker runs programs; layers active: .*permission/m)
    expect(stdout).toMatch(/^ok {7}plugins {8}demo is ready with \d+ tools$/m)
    expect(stdout).toMatch(/^ok {7}store {10}.*drawbridge\.db is not there yet; the first start makes it$/m)
    await expect(stat(path.join(under.stateDirectory, 'drawbridge.db'))).rejects.toThrow('ENOENT')
  })

  test('an invalid configuration ends with 2, every fault told, and what does not need it is still checked', async () => {
    const under = await patient(`{ gateway: { port: 'x' }, agents: { a: { instructions: '\${NONE_HERE}' } } }`)
    const { exitCode, found, stderr } = await under.doctor()
    expect(exitCode).toBe(2)
    expect(stderr).toContain('found 1 problem')
    expect(found.find(({ check }) => check === 'configuration')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining('gateway.port: is "x" (a string); expected an integer from 0 to 65535'),
      fix: 'correct it, and check with "drawbridge config validate"',
    })
    expect(found.map(({ check }) => check)).toEqual(['configuration', 'gateway', 'files', 'sandbox'])
    await writeFile(under.file, `{ agents: { a: { instructions: '\${NONE_HERE}' } } }`)
    expect((await under.doctor()).found[0]?.fix).toBe('make it available to the gateway, or take the reference out')
  })

  test('a state directory that cannot be made is told before a start meets it', async () => {
    const under = await patient('{ gateway: { port: 0 } }')
    const below = path.join(under.file, 'below', 'state')
    const { exitCode, stdout } = await under.run('doctor', '--json', '--state-dir', below, '--config', under.file)
    expect(exitCode).toBe(2)
    const message = `${under.file} is a file, so no gateway can keep its state in ${below}`
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({ check: 'files', level: 'problem', message }),
    )
  })

  test('a part that cannot even be looked at is a finding, and costs none of the others', async () => {
    const under = await patient('{ gateway: { port: 0 } }')
    await writeFile(path.join(under.stateDirectory, 'seal.key'), 'torn', { mode: 0o600 })
    const { exitCode, found } = await under.doctor()
    expect(exitCode).toBe(2)
    expect(found).toContainEqual({
      check: 'mcp',
      level: 'problem',
      message: expect.stringMatching(/seal\.key" cannot be used: it holds \d bytes/),
    })
    expect(found.map(({ check }) => check)).toEqual(expect.arrayContaining(['files', 'store', 'sandbox']))
    // As one of somebody else: whether a gateway runs there cannot be told.
    await mkdir(path.join(under.stateDirectory, 'lock.db'))
    const other = await under.doctor()
    expect(other.exitCode).toBe(2)
    expect(other.found.find(({ check }) => check === 'gateway')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining('do this as its owner, or name another by --state-dir'),
    })
  })

  test('servers and plugins that do not work are named with the setting at fault, without their secrets', async () => {
    const under = await patient(`{
      gateway: { port: 0 },
      mcp: { servers: { bad: { command: 'no-such-command-here', env: { API_KEY: 'hidden-hidden-hidden' } } } },
      plugins: { paths: ['./nowhere', './throws.mjs'], entries: { stray: {} } },
    }`)
    await writeFile(
      path.join(under.folder, 'throws.mjs'),
      `export default { id: 'throws', register() { throw new Error('no login with hidden-hidden-hidden') } }`,
    )
    const { exitCode, found, stdout } = await under.doctor()
    expect(exitCode).toBe(2)
    expect(found.find(({ check }) => check === 'mcp')).toMatchObject({
      level: 'problem',
      message: expect.stringMatching(/^bad: cannot start command "no-such-command-here"/),
      fix: 'correct mcp.servers.bad or what it names; or take it out with "drawbridge config unset mcp.servers.bad"',
    })
    const plugins = found.filter(({ check, level }) => check === 'plugins' && level === 'problem')
    expect(plugins.map(({ message }) => message.replace(under.folder, ''))).toEqual([
      '/nowhere: there is no such file or folder',
      expect.stringContaining('throws.mjs: '),
      expect.stringContaining('plugins.entries.stray: no plugin has this id'),
    ])
    expect(stdout).not.toContain('hidden-hidden')
  })

  test('a port that is taken is told with the way out', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const under = await patient(`{ gateway: { port: ${port} } }`)
    expect((await under.doctor()).found.find(({ check }) => check === 'port')).toEqual({
      check: 'port',
      level: 'problem',
      message: `127.0.0.1:${port} is in use by another program`,
      fix: 'stop what listens there, or choose another with "drawbridge config set gateway.port"',
    })
    await writeFile(under.file, `{ gateway: { host: '192.0.2.1' } }`)
    expect((await under.doctor()).found.find(({ check }) => check === 'port')?.message).toMatch(
      /^192\.0\.2\.1:8790 cannot be listened on \(E\w+\)$/,
    )
  })

  test('a store that is damaged is told, one that is whole is left as it is', async () => {
    const under = await patient('{ gateway: { port: 0 } }')
    const file = path.join(under.stateDirectory, 'drawbridge.db')
    await (await openSqliteStore(file)).close()
    const before = await readFile(file)
    expect((await under.doctor()).found.find(({ check }) => check === 'store')?.message).toBe(`${file} is whole`)
    expect((await readFile(file)).equals(before)).toBe(true)
    await writeFile(file, 'no database '.repeat(1_000))
    const { exitCode, found } = await under.doctor()
    expect(exitCode).toBe(2)
    expect(found.find(({ check }) => check === 'store')).toEqual({
      check: 'store',
      level: 'problem',
      message: `store "${file}" is not a SQLite database; restore a copy, or move it away to start anew`,
      fix: 'free the disk, mend its permissions, or restore a copy of the file while no gateway runs',
    })
  })

  test('files that others can read, or that killed processes left, are told, and mended by --fix alone', async () => {
    const under = await patient('{ gateway: { port: 0 } }')
    const inState = (name: string): string => path.join(under.stateDirectory, name)
    const left = inState('.tokens.00000000-0000-4000-8000-000000000000.tmp')
    await writeFile(inState('tokens'), '{}', { mode: 0o644 })
    await chmod(inState('tokens'), 0o644)
    for (const file of [left, inState('gateway.json')]) await writeFile(file, '{}', { mode: 0o600 })
    await utimes(left, new Date(-3_600_000), new Date(-3_600_000))
    await chmod(under.stateDirectory, 0o777)
    const files = async (...argv: readonly string[]) => {
      const { exitCode, found } = await under.doctor(...argv)
      return { exitCode, found: found.filter(({ check }) => check === 'files') }
    }
    const looked = await files()
    expect(looked.exitCode).toBe(2)
    expect(looked.found.map(({ level, message, fix }) => [level, message, fix])).toEqual([
      [
        'problem',
        `${inState('tokens')} can be read or changed by other users (mode 644)`,
        `chmod 600 ${inState('tokens')}`,
      ],
      [
        'problem',
        `${under.stateDirectory} can be changed by other users (mode 777)`,
        `chmod 755 ${under.stateDirectory}`,
      ],
      ['warning', `${left} was left by a process that was killed`, `rm ${left}`],
      ['warning', `${inState('gateway.json')} was left by a process that was killed`, `rm ${inState('gateway.json')}`],
    ])
    expect((await stat(inState('tokens'))).mode & 0o777).toBe(0o644)
    const mended = await files('--fix')
    expect(mended.exitCode).toBe(0)
    expect(mended.found.map(({ fixed }) => fixed)).toEqual([true, true, true, true])
    expect((await stat(inState('tokens'))).mode & 0o777).toBe(0o600)
    await expect(stat(left)).rejects.toThrow('ENOENT')
    expect((await files()).found.map(({ level }) => level)).toEqual(['ok'])
  })

  test('a configuration with a secret in it is private, one without need not be', async () => {
    const under = await patient('{ gateway: { port: 0 } }')
    await chmod(under.file, 0o644)
    expect((await under.doctor()).exitCode).toBe(0)
    await writeFile(
      under.file,
      `{ gateway: { port: 0 }, mcp: { servers: {} }, plugins: { entries: { demo: { config: {} } } },
      models: { default: 'scripted/scripted', providers: { p: { api: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk-literal-literal' } } } }`,
    )
    const { found } = await under.doctor()
    expect(found.find(({ check }) => check === 'files')).toMatchObject({
      level: 'problem',
      fix: `chmod 600 ${under.file}`,
    })
    expect(found.find(({ check }) => check === 'provider')?.message).toContain(
      'p: http://127.0.0.1:1 cannot be reached',
    )
  })
})

describe('doctor, with a gateway running', () => {
  const ready = {
    status: 'ready',
    mode: { configured: 'code', inForce: 'code' },
    sandbox: { layers: { permission: true } },
    store: { ok: true },
  }
  const source = (owner: string, state: object, kind = 'mcp') => ({ source: kind, owner, state, toolCount: 3 })
  const catalog = { tools: [], quarantined: [], pluginProblems: [], sources: [source('files', { kind: 'ready' })] }

  test('asks it for its parts and starts none of its own', async () => {
    const under = await patient('{ gateway: { port: 0 } }', {
      answers: [{ body: ready }, { body: catalog }, { body: catalog }],
    })
    const { exitCode, found } = await under.doctor()
    expect(exitCode).toBe(0)
    expect(found.map(({ check, message }) => [check, message])).toEqual([
      ['configuration', `${under.file} is valid`],
      ['gateway', 'it runs, and was asked for its parts'],
      ['files', `what is private in ${under.stateDirectory} is so`],
      ['store', 'the gateway reads and writes it'],
      ['sandbox', 'a worker runs programs; layers active: permission; not possible here: none'],
      ['mcp', 'files is ready with 3 tools'],
      ['provider', expect.stringContaining('none is configured')],
    ])
    expect(under.requests.map(({ url }) => new URL(url).pathname)).toEqual(['/readyz', '/v1/catalog', '/v1/catalog'])
  })

  test('tells what it says of itself: store, workers, servers, plugins, tools, names', async () => {
    const sick = {
      ...ready,
      mode: { configured: 'code', inForce: 'tools', reason: 'no worker can run programs: no addon' },
      sandbox: null,
      store: { ok: false, message: 'the store cannot be read and written' },
    }
    const trouble = {
      ...catalog,
      sources: [
        source('mail', { kind: 'connecting' }),
        source('cal', { kind: 'down', reason: 'ECONNREFUSED' }),
        source('crm', { kind: 'down', reason: 'needs login', needs: 'login' }),
        source('odd', { kind: 'down', reason: 'told below' }, 'plugin'),
      ],
      pluginProblems: [{ owner: 'odd', path: '/p/odd.ts', tool: 'x', reason: 'no description' }],
      quarantined: [{ id: 'mcp:files:deep', reason: 'input schema: nests too deep' }],
      tools: [{ id: 'mcp:files:read', name: 'read' }],
    }
    const answers = [{ status: 503, body: sick }, { body: trouble }, { body: { ...trouble, sources: [] } }]
    const under = await patient(`{ gateway: { port: 0 }, tools: { deny: ['mcp:files:raed'] } }`, { answers })
    const { exitCode, found, stderr } = await under.doctor()
    expect(exitCode).toBe(2)
    expect(stderr).toContain('found 6 problems and 2 warnings')
    expect(found.filter(({ level }) => level !== 'ok').map(({ check, message }) => [check, message])).toEqual([
      [
        'configuration',
        'tools.deny[0]: "mcp:files:raed" matches no tool of the running gateway; did you mean "mcp:files:read"?',
      ],
      ['store', 'the store cannot be read and written'],
      ['sandbox', 'no worker can run programs: no addon'],
      ['mcp', 'mail: it does not answer in time'],
      ['mcp', 'cal: ECONNREFUSED'],
      ['mcp', 'crm: nobody is logged in, or the login has run out'],
      ['plugins', 'tool "x" of /p/odd.ts: no description'],
      ['mcp', 'tool mcp:files:deep is quarantined: input schema: nests too deep'],
    ])
    for (const { level, fix } of found) expect(fix === undefined).toBe(level === 'ok')
    expect(found.find(({ message }) => message.startsWith('crm'))?.fix).toBe('run "drawbridge mcp login crm"')
  })

  test('one that refused the file as it is now is a problem, also where the file is valid for the command', async () => {
    const under = await patient('{ gateway: { port: 0 } }', {
      answers: [{ body: ready }, { body: catalog }, { body: catalog }],
    })
    const announced = path.join(under.stateDirectory, 'gateway.json')
    const running = JSON.parse(await readFile(announced, 'utf8'))
    await writeFile(announced, JSON.stringify({ ...running, config: { file: under.file, verdict: 'refused' } }))
    const { exitCode, found } = await under.doctor()
    expect(exitCode).toBe(2)
    expect(found.slice(0, 2)).toMatchObject([
      { check: 'configuration', level: 'ok' },
      { check: 'gateway', level: 'problem', message: expect.stringContaining(`refused ${under.file} as it is now`) },
    ])
  })

  test('one that does not answer, or refuses the token, is a problem', async () => {
    const under = await patient('{}', {
      answers: [
        { status: 401, body: {} },
        { status: 401, body: {} },
      ],
    })
    const { exitCode, found } = await under.doctor()
    expect(exitCode).toBe(2)
    expect(found.find(({ check }) => check === 'gateway')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining('refused the token'),
      fix: 'look into logs/gateway.log of the state directory, and restart the gateway',
    })
  })
})

interface Patient extends CliUnderTest {
  readonly file: string
  /** `doctor --json`. */
  readonly doctor: (
    ...argv: readonly string[]
  ) => Promise<{ exitCode: number; found: readonly Found[]; stdout: string; stderr: string }>
}

async function patient(text: string, options: UnderTestOptions = {}): Promise<Patient> {
  const under = await cliUnderTest(options)
  const file = path.join(under.folder, 'drawbridge.json5')
  await mkdir(under.stateDirectory, { recursive: true })
  await chmod(under.stateDirectory, 0o700)
  await writeFile(file, text, { mode: 0o600 })
  // As the gateway writes them.
  if (options.answers) await chmod(path.join(under.stateDirectory, 'tokens'), 0o600)
  return {
    ...under,
    file,
    doctor: async (...argv) => {
      const ended = await under.run('doctor', '--json', ...argv)
      return { ...ended, found: JSON.parse(ended.stdout).findings }
    },
  }
}
