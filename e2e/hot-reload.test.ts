import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

/** One gateway that is never started again. */
let gateway: GatewayProcess
let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream()
  gateway = await startGateway({
    config: { models: { default: 'fake/m', providers: { fake: { api: 'openai-chat', baseUrl: upstream.baseUrl } } } },
  })
})

afterAll(async () => {
  // Whatever was edited, it was one process all the time.
  expect(await gateway?.stop()).toBe(0)
  await gateway?.remove()
  await upstream?.close()
})

async function set(...args: readonly string[]): Promise<void> {
  const end = await gateway.cli('config', 'set', ...args)
  expect(end).toMatchObject({ code: 0, stderr: '' })
}

const shownTools = async (): Promise<number> => {
  upstream.script({ say: 'ok' })
  await gateway.api.chat('hi')
  return upstream.toolNames(1).length
}
const isThere = async (id: string): Promise<boolean> => (await gateway.api.get(`/v1/tools/${id}`)).status === 200

test('tools.toolSearch changes what models are shown, and its limits hold in programs and searches', async () => {
  expect(await shownTools()).toBe(1)
  await set('tools.toolSearch', '{ mode: "tools", searchDefaultLimit: 2, maxSearchLimit: 3 }')
  await waitUntil('three tools are shown', async () => (await shownTools()) === 3)
  const run = await gateway.api.run(`
    return [(await tools.search('invoice')).length, (await tools.search('invoice', { limit: 50 })).length]`)
  expect(run.value).toEqual([2, 3])
  expect(JSON.stringify(run.notices)).toMatch(/50.*3|3.*50/)
  const { body } = await gateway.api.post('/v1/tools/search', { query: 'invoice', limit: 50 })
  expect(body.hits).toHaveLength(3)
  expect(JSON.stringify(body.notices)).toContain('50')
  upstream.script({ calls: [{ name: 'tool_search', args: { query: 'invoice', limit: 50 } }] }, { say: 'ok' })
  await gateway.api.chat('hi')
  const found = JSON.parse(upstream.messages(2).at(-1).content)
  expect(found.hits).toHaveLength(3)
  expect(JSON.stringify(found.notices)).toContain('50')
  await set('tools.toolSearch', 'false')
  await waitUntil('every tool is shown', async () => (await shownTools()) > 20)
  await set('tools.toolSearch', 'true')
  await waitUntil('one tool is shown', async () => (await shownTools()) === 1)
})

test('codeTimeoutMs bounds the next program', async () => {
  await set('tools.toolSearch', '{ codeTimeoutMs: 1000 }')
  const code = `await new Promise((r) => setTimeout(r, 1500)); return 'in time'`
  await waitUntil('the program is stopped', async () => (await gateway.api.run(code)).error?.code === 'timeout')
  await set('tools.toolSearch', 'true')
  expect(await waitUntil('it is stopped no more', async () => (await gateway.api.run(code)).value)).toBe('in time')
})

test('a turn that runs goes on when the mode changes, with what is in force from its next step', async () => {
  await set('tools.toolSearch', '{ codeTimeoutMs: 60000 }')
  const program = `
    const isTold = async () =>
      (await tools.call('plugin:demo:list_messages', { channel: 'general' })).messages[0].text === 'Go on.'
    while (!(await isTold())) await new Promise((r) => setTimeout(r, 500))
    return 'ran to its end'`
  upstream.script({ calls: [{ name: 'tool_search_code', args: { code: program } }] }, { say: 'Done.' })
  const turn = gateway.api.chat('Do it')
  await waitUntil('the first step was asked', () => upstream.seen.length === 1)
  await set('tools.toolSearch', '{ mode: "tools", codeTimeoutMs: 60000 }')
  const inForce = async (): Promise<string> => (await gateway.api.get('/readyz')).body.mode.inForce
  await waitUntil('the mode is another', async () => (await inForce()) === 'tools')
  const message = { channel: 'general', author_id: 'per-11', text: 'Go on.' }
  expect((await gateway.api.call('plugin:demo:send_message', message)).status).toBe(200)
  expect((await turn).body.choices[0].message.content).toBe('Done.')
  expect(upstream.messages(2).at(-1).content).toContain('ran to its end')
  expect([upstream.toolNames(1).length, upstream.toolNames(2).length]).toEqual([1, 3])
  await set('tools.toolSearch', 'true')
})

test('tools.deny takes a tool away, and unset gives it back', async () => {
  const id = 'plugin:demo:list_invoices'
  expect(await isThere(id)).toBe(true)
  await set('tools.deny', `["${id}"]`)
  await waitUntil('the tool is gone', async () => !(await isThere(id)))
  expect((await gateway.cli('config', 'unset', 'tools.deny')).code).toBe(0)
  await waitUntil('the tool is back', () => isThere(id))
})

test('a server and a plugin come and go', async () => {
  const odd = { command: process.execPath, args: [path.join(FIXTURES, 'servers/odd.mjs')] }
  await set('mcp.servers.odd', JSON.stringify(odd))
  await set('plugins.paths', JSON.stringify(['./own-plugins']))
  await mkdir(path.join(gateway.folder, 'own-plugins'))
  await cp(path.join(FIXTURES, 'plugins/probe.ts'), path.join(gateway.folder, 'own-plugins/probe.ts'))
  await waitUntil("the server's tool is there", () => isThere('mcp:odd:echo'))
  // A folder that is filled later is read by itself.
  await waitUntil("the plugin's tool is there", () => isThere('plugin:probe:echo'))
  await set('plugins.entries.probe.enabled', 'false')
  await waitUntil("the plugin's tool is gone", async () => !(await isThere('plugin:probe:echo')))
  expect((await gateway.cli('config', 'unset', 'mcp.servers.odd')).code).toBe(0)
  await waitUntil("the server's tool is gone", async () => !(await isThere('mcp:odd:echo')))
  expect(await isThere('plugin:demo:list_invoices')).toBe(true)
})

const MENDED = `export default {
  id: 'mended',
  register: (api) => api.registerTool({ name: 'hum', description: 'Hums.', execute: () => 'hm' }),
}`

const CARELESS = `setTimeout(() => { throw new Error('while it was imported') })
export default {
  id: 'careless',
  register(api) {
    Promise.reject(new Error('while it registered'))
    api.registerTool({
      name: 'drop',
      description: 'Drops something.',
      execute() {
        setTimeout(() => { throw new Error('dropped on the way') })
        return 'dropped'
      },
    })
  },
}`

test('an edited plugin that throws on load is named, and the others stay', async () => {
  const folder = path.join(gateway.folder, 'more-plugins')
  await mkdir(folder)
  await writeFile(path.join(folder, 'broken.ts'), `throw new Error('no licence for the flux capacitor')`)
  await set('plugins.paths', JSON.stringify([folder]))
  await waitUntil('the log names the plugin and its reason', async () => {
    const log = await gateway.logText()
    return log.includes('broken.ts') && log.includes('no licence for the flux capacitor')
  })
  await writeFile(path.join(folder, 'broken.ts'), 'export default { id: "mended", register: (api) => api.registerTool(')
  await writeFile(path.join(folder, 'broken.ts'), MENDED)
  await waitUntil('the plugin that was corrected is there', () => isThere('plugin:mended:hum'))
  expect(await isThere('plugin:demo:list_invoices')).toBe(true)
})

test('what a plugin throws where nobody can catch it is told by its name, and stops neither it nor the gateway', async () => {
  const folder = path.join(gateway.folder, 'careless-plugins')
  await mkdir(folder)
  await writeFile(path.join(folder, 'careless.mjs'), CARELESS)
  await set('plugins.paths', JSON.stringify([folder]))
  await waitUntil('the plugin is there', () => isThere('plugin:careless:drop'))
  expect((await gateway.api.call('plugin:careless:drop', {})).body.value).toBe('dropped')
  await waitUntil('the log names the plugin', async () => (await gateway.logText()).includes('dropped on the way'))
  expect((await gateway.api.call('plugin:careless:drop', {})).body.value).toBe('dropped')
  const { pluginProblems } = (await gateway.api.get('/v1/catalog')).body
  for (const error of ['while it was imported', 'dropped on the way'])
    expect(JSON.stringify(pluginProblems)).toContain(`it threw where nobody could catch it: ${error}`)
})

test('a new agent and its model are there for the next request', async () => {
  await set('agents.poet', '{ instructions: "Answer in verse.", model: "fake/poem-1" }')
  await waitUntil(
    'the agent is there',
    async () => (await gateway.api.get('/v1/models/drawbridge/poet')).status === 200,
  )
  upstream.script({ say: 'ok' })
  await gateway.api.chat('hi', { model: 'drawbridge/poet' })
  expect(upstream.seen[0]?.body.model).toBe('poem-1')
  expect(upstream.messages(1)[0].content).toContain('Answer in verse.')
})

const mistakes = [
  { what: 'text that is not JSON5', text: '{ tools: { deny: [', said: 'drawbridge.json5' },
  { what: 'a field that is not there', text: '{ tools: { denny: ["*"] } }', said: 'denny' },
  { what: 'a value of the wrong kind', text: '{ tools: { toolSearch: { codeTimeoutMs: 5 } } }', said: 'codeTimeoutMs' },
  {
    what: 'a secret that is missing',
    text: '{ models: { providers: { a: { api: "openai-chat", baseUrl: "https://x.example/v1", apiKey: "${NO_SUCH_VARIABLE}" } } } }',
    said: 'NO_SUCH_VARIABLE',
  },
]

test.each(mistakes)(
  'a hand edit with $what is reported, and the last good configuration stays',
  async ({ text, said }) => {
    const good = await readFile(gateway.configFile, 'utf8')
    await set('tools.deny', '["plugin:demo:list_invoices"]')
    await waitUntil('the rule is in force', async () => !(await isThere('plugin:demo:list_invoices')))
    const before = gateway.output().length
    await gateway.writeConfig(text)
    const report = await waitUntil('it was reported', () => {
      const fresh = gateway.output().slice(before)
      return fresh.includes('last good one stays') && fresh
    })
    expect(report).toContain(said)
    expect(await isThere('plugin:demo:list_invoices')).toBe(false)
    expect(await gateway.cli('config', 'validate')).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
    await gateway.writeConfig(good)
    await waitUntil('the mended file is in force', () => isThere('plugin:demo:list_invoices'))
  },
)

test('a secret of one MCP server that is missing costs that server alone, and all else of the edit is in force', async () => {
  const good = await readFile(gateway.configFile, 'utf8')
  const headers = { authorization: 'Bearer ${NO_SUCH_VARIABLE}' }
  await gateway.writeConfig({
    tools: { deny: ['plugin:demo:list_invoices'] },
    mcp: { servers: { a: { url: 'https://x.example/mcp', headers } } },
  })
  await waitUntil('the rule is in force', async () => !(await isThere('plugin:demo:list_invoices')))
  expect((await gateway.cli('mcp', 'list')).stdout).toContain('NO_SUCH_VARIABLE')
  const validated = await gateway.cli('config', 'validate')
  expect(validated).toMatchObject({ code: 0, stderr: expect.stringContaining('NO_SUCH_VARIABLE') })
  await gateway.writeConfig(good)
  await waitUntil('the mended file is in force', () => isThere('plugin:demo:list_invoices'))
})

test('a command writes nothing that is invalid', async () => {
  const before = await readFile(gateway.configFile, 'utf8')
  for (const [key, value] of [
    ['tools.toolSearch.codeTimeoutMs', '5'],
    ['tools.nothing', '1'],
    ['mcp.servers.a', '{ url: "ftp://x" }'],
    ['tools.__proto__.deny', '[]'],
  ] as const) {
    const end = await gateway.cli('config', 'set', key, value)
    expect([key, end.code]).toEqual([key, 2])
    expect(end.stderr).toContain('error: ')
  }
  expect(await readFile(gateway.configFile, 'utf8')).toBe(before)
})

test('a file that is taken away leaves its rules in force', async () => {
  await set('tools.deny', '["plugin:demo:list_invoices"]')
  await waitUntil('the rule is in force', async () => !(await isThere('plugin:demo:list_invoices')))
  const before = gateway.output().length
  const held = await readFile(gateway.configFile, 'utf8')
  await rm(gateway.configFile)
  await waitUntil('it was reported', () => gateway.output().slice(before).includes('does not exist'))
  expect(await isThere('plugin:demo:list_invoices')).toBe(false)
  // A new file would hold this alone.
  expect(await gateway.cli('config', 'set', 'approvals.holdMs', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is gone'),
  })
  expect(await isThere('plugin:demo:list_invoices')).toBe(false)
  expect((await gateway.cli('doctor')).stdout).toContain('the configuration file that it serves by is gone')
  await writeFile(gateway.configFile, held)
  await set('tools.deny', '[]')
})

test('a command says that the gateway has taken an edit up, and which file it reads where that is another', async () => {
  let holdMs = 30_000
  await waitUntil('an edit is taken up within its second', async () => {
    holdMs += 1
    const { stdout } = await gateway.cli('config', 'set', 'approvals.holdMs', String(holdMs))
    return stdout.endsWith('the running gateway has taken it up\n')
  })
  const other = path.join(gateway.folder, 'other.json5')
  const { stdout } = await gateway.cli('config', 'set', 'approvals.holdMs', '1', '--config', other, '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    changed: true,
    file: other,
    gateway: { kind: 'other-file', file: gateway.configFile },
  })
})

test('every command that edits the file says so', async () => {
  const foreign = path.join(gateway.folder, 'foreign.json')
  await writeFile(foreign, JSON.stringify({ mcpServers: { taken: { url: 'http://127.0.0.1:9/mcp' } } }))
  for (const command of [
    ['add', 'added', 'http://127.0.0.1:9/mcp'],
    ['import', foreign],
    ['remove', 'added'],
    ['remove', 'taken'],
  ]) {
    const { stdout } = await gateway.cli('mcp', ...command)
    // On a busy machine it may say that it has not yet.
    expect(stdout).toMatch(/\nthe running gateway has .*taken it up/)
  }
})
