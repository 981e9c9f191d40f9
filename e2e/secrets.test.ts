import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import { freePort } from './testing/free-port.ts'
import type { CommandEnd, GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, ROOT, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

/** Plain words of random characters: nothing but their place in the configuration says that they are secret. */
const secret = (): string => `q${randomBytes(15).toString('hex')}`
const SECRETS = {
  providerKey: secret(),
  providerHeader: secret(),
  mcpHeader: secret(),
  mcpEnvironment: secret(),
  fromEnvironment: secret(),
  fromFile: secret(),
  plugin: secret(),
}

let gateway: GatewayProcess
let upstream: FakeUpstream
let remote: ChildProcess
const answers: string[] = []
const commands: CommandEnd[] = []

const keep = <T extends { readonly text: string }>(answer: T): T => {
  answers.push(answer.text)
  return answer
}

beforeAll(async () => {
  upstream = await startFakeUpstream()
  const port = await freePort()
  const everything = path.join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  remote = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  await waitUntil('the HTTP server listens', () =>
    fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    ),
  )
  const server = (...args: readonly string[]) => ({ command: process.execPath, args })
  gateway = await startGateway({
    env: { UPSTREAM_KEY: SECRETS.fromEnvironment },
    config: {
      models: {
        default: 'fake/m',
        providers: {
          fake: {
            api: 'openai-chat',
            baseUrl: upstream.baseUrl,
            apiKey: SECRETS.providerKey,
            headers: { 'x-api-key': SECRETS.providerHeader },
            retries: 0,
          },
          second: { api: 'openai-chat', baseUrl: upstream.baseUrl, apiKey: '${UPSTREAM_KEY}', retries: 0 },
        },
      },
      agents: { second: { model: 'second/m' } },
      plugins: { paths: [path.join(FIXTURES, 'plugins')], entries: { probe: { config: { apiKey: SECRETS.plugin } } } },
      mcp: {
        servers: {
          odd: { ...server(path.join(FIXTURES, 'servers/odd.mjs')), env: { ODD_API_TOKEN: SECRETS.mcpEnvironment } },
          remote: { url: `http://127.0.0.1:${port}/mcp`, headers: { authorization: `Bearer ${SECRETS.mcpHeader}` } },
        },
      },
    },
  })
  await waitUntil('the servers are connected', async () => (await gateway.api.get('/readyz')).body.sources.ready === 4)
})

afterAll(async () => {
  await gateway?.remove()
  await upstream?.close()
  remote?.kill('SIGKILL')
})

test('a busy time: turns, runs, calls and commands that meet secrets wherever they can', async () => {
  const quoting = `wrong key ${SECRETS.providerKey} and ${SECRETS.fromEnvironment}`
  upstream.script(
    { status: 401, body: { error: { message: quoting } } },
    { status: 500, body: { error: { message: quoting } } },
  )
  keep(await gateway.api.chat('hi', { user: 'busy' }))
  keep(await gateway.api.chat('hi', { user: 'busy', model: 'drawbridge/second' }))
  upstream.script(
    { calls: [{ name: 'tool_search_code', args: { code: `return tools.call('mcp:odd:tell_secret', {})` } }] },
    {
      calls: [
        {
          name: 'tool_search_code',
          args: { code: `throw new Error((await tools.call('mcp:odd:tell_secret', {})).slice(0))` },
        },
      ],
    },
    {
      calls: [
        {
          name: 'tool_search_code',
          args: {
            code: `console.log(await tools.call('mcp:odd:tell_secret', {})); await tools.store.set('told', await tools.call('mcp:odd:tell_secret', {}))`,
          },
        },
      ],
    },
    { say: `It is ${SECRETS.mcpEnvironment}, and my key is ${SECRETS.providerKey}.` },
  )
  await gateway.api.chat(`My token is ${gateway.token}`, { user: 'busy' })
  await gateway.api.call('mcp:odd:tell_secret', {})
  await gateway.api.run(`return tools.call('mcp:odd:tell_secret', {})`, { session: 'busy' })
  keep(await gateway.api.call('plugin:probe:throw_error', { message: `cannot log in with ${SECRETS.mcpHeader}` }))
  keep(await gateway.api.get('/readyz'))
  keep(await gateway.api.search(SECRETS.mcpHeader).then((body) => ({ text: JSON.stringify(body.hits) })))
  for (const args of [
    ['config', 'get'],
    ['config', 'get', '--json'],
    ['config', 'get', 'mcp.servers'],
    ['config', 'validate'],
    ['tools', 'list', '--json'],
  ]) {
    commands.push(await gateway.cli(...args))
  }
  await gateway.api.get('/v1/tools', { authorization: `Bearer ${SECRETS.fromFile}` })
  expect(commands.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
})

test('a live edit brings a new secret, and an invalid one quotes none', async () => {
  await writeFile(path.join(gateway.folder, 'key'), SECRETS.fromFile)
  commands.push(
    await gateway.cli(
      'config',
      'set',
      'models.providers.third',
      '{ api: "openai-chat", baseUrl: "http://127.0.0.1:9/v1", apiKey: { file: "./key" }, retries: 0 }',
    ),
  )
  commands.push(await gateway.cli('config', 'set', 'agents.third', '{ model: "third/m" }'))
  await waitUntil(
    'the agent is there',
    async () => (await gateway.api.get('/v1/models/drawbridge/third')).status === 200,
  )
  keep(await gateway.api.chat(`hi ${SECRETS.fromFile}`, { model: 'drawbridge/third', user: 'third' }))
  commands.push(await gateway.cli('config', 'set', 'models.providers.third.apiKey', `{ value: "${SECRETS.fromFile}" }`))
  const good = await readFile(gateway.configFile, 'utf8')
  await gateway.writeConfig(
    good.replace('"default"', `"${SECRETS.plugin}": 1, "default"`).replace('"fake/m"', `["${SECRETS.providerKey}"]`),
  )
  const report = await waitUntil('it was reported', () => /^.*last good one stays.*$/m.exec(gateway.output())?.[0])
  expect(report).toContain('models.')
  await gateway.writeConfig(good)
})

test('nothing of them stands in an answer, in the output of a command or of the gateway', () => {
  const all = [gateway.output(), ...answers, ...commands.flatMap(({ stdout, stderr }) => [stdout, stderr])]
  for (const [name, value] of Object.entries(SECRETS)) {
    for (const text of all) expect(text.includes(value) ? [name, text] : []).toEqual([])
  }
  expect(all.filter((text) => text.includes(gateway.token))).toEqual([])
})

test('nothing of them stands in the state directory, but tokens in the file of tokens', async () => {
  const tokens = JSON.parse(await readFile(path.join(gateway.stateDir, 'tokens'), 'utf8'))
  expect(await gateway.stop()).toBe(0)
  const found: string[] = []
  const entries = await readdir(gateway.stateDir, { recursive: true, withFileTypes: true })
  const all = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  // What a command replaced is kept: the configuration as it was, for its owner alone.
  const isBackup = (file: string) => path.dirname(file) === path.join(gateway.stateDir, 'config-backups')
  for (const file of all.filter(isBackup)) expect((await stat(file)).mode & 0o777).toBe(0o600)
  const files = all.filter((file) => !isBackup(file))
  for (const file of files) {
    const bytes = await readFile(file)
    const values = { ...SECRETS, admin: gateway.token, ...(path.basename(file) === 'tokens' ? {} : tokens) }
    for (const [name, value] of Object.entries<string>(values)) {
      for (const form of [value, Buffer.from(value).toString('base64').slice(0, -2)])
        if (bytes.includes(form)) found.push(`${name} in ${path.relative(gateway.stateDir, file)}`)
    }
  }
  expect(files.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(['drawbridge.db', 'gateway.log', 'tokens']),
  )
  expect(found).toEqual([])
})
