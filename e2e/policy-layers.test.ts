import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from './testing/api-client.ts'
import { createApiClient } from './testing/api-client.ts'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let gateway: GatewayProcess
let upstream: FakeUpstream
/** With a token that may chat and call tools, and no more. */
let plain: ApiClient

const ECHO = 'plugin:probe:echo'
const REFUND = 'plugin:probe:refund_order'

/** JSON5 as a person writes it: the lines of entries are told. */
const CONFIG = (tools: string): string => `{
  models: { default: 'fake/m', providers: { fake: { api: 'openai-chat', baseUrl: '${upstream.baseUrl}' } } },
  plugins: { paths: [${JSON.stringify(path.join(FIXTURES, 'plugins'))}, './narrower.ts'] },
  agents: { narrow: { tools: { allow: ['${ECHO}'], byProvider: { fake: { deny: ['echo'] } } } } },
  tools: {
    ${tools}
  },
}`

/** Narrows a turn to the tool that its session is named after. */
const NARROWER = `import { definePlugin } from 'drawbridge-gateway/plugin'
export default definePlugin({
  id: 'narrower',
  register(api) {
    api.on('turn_start', ({ caller }) => (caller.session === undefined ? undefined : { toolsAllow: [caller.session] }))
  },
})`

const POLICY = `deny: [
      'plugin:probe:mark', // line 7
    ],
    byChannel: { Public: { deny: ['refund_*'] } },
    toolsBySender: { 'id:U1': { allow: ['group:probe'] }, 'username:eve': { deny: ['*'] } },
    sandbox: { deny: ['big_text'] },
    mainAgentOnly: ['not_there'],
    rules: [
      { tool: 'refund_order', effect: 'deny', when: { properties: { order: { minimum: 100 } }, required: ['order'] }, reason: 'orders end at 99' },
    ],`

beforeAll(async () => {
  upstream = await startFakeUpstream()
  gateway = await startGateway()
  await writeFile(path.join(gateway.folder, 'narrower.ts'), NARROWER)
  const made = await gateway.cli('tokens', 'create', 'plain', '--json')
  plain = createApiClient(gateway.url, JSON.parse(made.stdout).token)
  await useTools(POLICY)
  // Plugins load behind a configuration; what is not there yet is denied to nobody.
  const isThere = async (tool: string) => (await gateway.api.get(`/v1/tools/${tool}`)).status === 200
  await waitUntil('the tools are there', async () => (await isThere(REFUND)) && (await isThere(ECHO)))
})

afterAll(async () => {
  await gateway?.remove()
  await upstream?.close()
})

let written = 0

/** Writes the file and waits until it is in force: the log names what has changed, a group that no other file has among it. */
async function useTools(tools: string): Promise<void> {
  written += 1
  const mark = `written_${written}`
  await gateway.writeConfig(CONFIG(tools).replace('tools: {\n', `tools: { groups: { ${mark}: [] },\n`))
  await waitUntil('the configuration is in force', async () => (await gateway.logText()).includes(mark))
}

const headers = (more: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(more).map(([key, value]) => [`x-drawbridge-${key}`, value]))

describe('layers of a caller', () => {
  const call = (of: Readonly<Record<string, string>>, tool = REFUND) =>
    gateway.api.call(tool, tool === REFUND ? { order: 1 } : { text: 'x' }, headers(of))

  test.each([
    ['a channel', { channel: 'public' }, 404],
    ['another channel', { channel: 'private' }, 200],
    ['a sender', { sender: 'U1' }, 200],
    ['a sender by name', { 'sender-name': '@Eve' }, 404],
    ['a sender by name, whatever id is claimed beside it', { sender: 'U1', 'sender-name': 'eve' }, 404],
  ])('%s', async (_what, of, status) => {
    expect((await call(of)).status).toBe(status)
    const found = await gateway.api.get(`/v1/tools/${REFUND}`, headers(of))
    expect(found.status).toBe(status)
  })

  test('a sender that its channel names more exactly by its id; whoever has another token only claims to be it', async () => {
    const made = await gateway.cli('tokens', 'create', 'bot', '--scopes', 'tools', '--channels', 'irc', '--json')
    const bot = createApiClient(gateway.url, JSON.parse(made.stdout).token)
    const of = headers({ channel: 'irc', sender: 'U1', 'sender-name': 'eve' })
    expect((await bot.call(REFUND, { order: 1 }, of)).status).toBe(200)
    expect((await plain.call(REFUND, { order: 1 }, of)).status).toBe(404)
    const explained = await gateway.cli('explain', REFUND, '--channel', 'irc', '--sender', 'U1', '--sender-name', 'eve')
    expect(explained.stdout).toMatch(/deny +sender .*not vouched/)
    const vouched = await gateway.cli('explain', REFUND, '--channel', 'irc', '--sender', 'U1', '--vouched')
    expect(vouched.stdout).toMatch(/allow +sender .*(?<!vouched: it only narrows\))$/m)
  })

  test('programs have one of their own, and child agents', async () => {
    expect((await gateway.api.call('big_text', { length: 2 })).status).toBe(200)
    const run = await gateway.api.run(`
      const [hit] = await tools.search('text of many characters')
      try { return [hit?.id, await tools.call('big_text', { length: 2 })] } catch (error) { return [hit?.id, error.code] }`)
    expect(run.value[0]).not.toBe('plugin:probe:big_text')
    expect(run.value[1]).toBe('unknown-tool')
    expect((await gateway.api.get('/v1/tools/not_there')).status).toBe(200)
    expect((await gateway.api.get('/v1/tools/not_there', headers({ 'parent-agent': 'boss' }))).status).toBe(404)
  })

  test('toolsAllow of a request narrows it, and cannot be empty', async () => {
    const only = { toolsAllow: [REFUND] }
    const post = (args: object) => gateway.api.post(`/v1/tools/${ECHO}/call`, { args: { text: 'x' }, ...args })
    expect([(await post({})).status, (await post(only)).status]).toEqual([200, 404])
    const run = await gateway.api.run(`return tools.call('echo', { text: 'x' })`, only)
    expect(run).toMatchObject({ status: 'failed' })
    const { hits } = (await gateway.api.post('/v1/tools/search', { query: 'text', ...only })).body
    expect(hits.map(({ id }: { id: string }) => id).filter((id: string) => id !== REFUND)).toEqual([])
    const empty = await post({ toolsAllow: [] })
    expect([empty.status, empty.body.error.param]).toEqual([400, 'toolsAllow'])
  })

  test('a rule refuses by the arguments, in its own words', async () => {
    const refused = await gateway.api.call(REFUND, { order: 100 })
    expect([refused.status, refused.body.outcome]).toEqual([403, 'denied'])
    expect(refused.body.message).toContain('orders end at 99')
  })
})

describe('an explanation', () => {
  const explain = (of: ApiClient, id: string, query = '') =>
    of.get(`/v1/tools/${encodeURIComponent(id)}/explain${query}`)

  test('tells an operator the layer, the entry and its line', async () => {
    const { status, body } = await explain(gateway.api, 'mark')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: 'plugin:probe:mark',
      state: 'denied',
      decidedBy: {
        layer: 'global',
        entry: 'plugin:probe:mark',
        path: 'tools.deny[0]',
        line: 7,
        file: gateway.configFile,
      },
    })
    const narrow = await gateway.api.get(`/v1/tools/echo/explain`, headers({ agent: 'narrow' }))
    expect(narrow.body).toMatchObject({
      state: 'denied',
      caller: { agent: 'narrow', provider: 'fake', model: 'm' },
      decidedBy: { layer: 'agent-provider', path: 'agents.narrow.tools.byProvider.fake.deny[0]', line: 4 },
    })
    expect((await explain(gateway.api, 'echo', '?provider=other')).body.state).toBe('deferred')
  })

  test('is for nobody else: a denied, an allowed and an absent tool are answered alike', async () => {
    const answers = await Promise.all(['plugin:probe:mark', ECHO, 'plugin:none:none'].map((id) => explain(plain, id)))
    const told = answers.map(({ status, text }, index) => [
      status,
      text.replaceAll(['plugin:probe:mark', ECHO, 'plugin:none:none'][index] ?? '', 'ID').replace(/req_[\w-]+/, ''),
    ])
    expect(told.map(([status]) => status)).toEqual([404, 404, 404])
    expect(new Set(told.map(([, text]) => text)).size).toBe(1)
    expect((await plain.get('/v1/explain')).status).toBe(404)
  })

  test('of all accounts for every registered tool', async () => {
    const catalog = (await gateway.api.get('/v1/catalog')).body
    const all = await gateway.cli('explain', '--all', '--json')
    const { tools, counts } = JSON.parse(all.stdout)
    expect(tools).toHaveLength(catalog.tools.length + catalog.quarantined.length)
    expect(Object.values<number>(counts).reduce((sum, count) => sum + count)).toBe(tools.length)
    const ids = new Set(tools.map(({ id }: { id: string }) => id))
    expect(catalog.tools.filter(({ id }: { id: string }) => !ids.has(id))).toEqual([])
  })

  test('by the CLI is for people, and names what is nearest to what there is not', async () => {
    const [mark, absent, wrong] = await Promise.all([
      gateway.cli('explain', 'mark', '--channel', 'public'),
      gateway.cli('explain', 'refnd_order'),
      gateway.cli('explain'),
    ])
    expect(mark.stdout).toContain('plugin:probe:mark is denied')
    expect(mark.stdout).toMatch(/deny +global +"plugin:probe:mark" \(tools\.deny\[0\], .*:7:\d+\)/)
    expect(mark.stdout).toMatch(/pass +channel/)
    expect(absent.stdout).toContain('is absent')
    expect(absent.stdout).toContain(REFUND)
    expect(wrong.code).toBe(2)
  })
})

describe('a model', () => {
  test('is shown the tools where the search of them is denied to it', async () => {
    await useTools(`deny: ['tool_search_code', 'plugin:demo:*', 'mark'],`)
    upstream.script({ calls: [{ name: 'probe__echo', args: { text: 'hello' } }] }, { say: 'Done.' })
    expect((await gateway.api.chat('Echo it')).status).toBe(200)
    expect(upstream.toolNames(1)).toContain('probe__echo')
    expect(upstream.toolNames(1)).not.toContain('tool_search_code')
    expect(JSON.stringify(upstream.messages(2))).toContain('hello')
  })

  test('is not asked where an allow list leaves nothing', async () => {
    await useTools(`allow: ['plugin:probe:ehco'],`)
    upstream.script({ say: 'I was asked.' })
    const { status, body } = await gateway.api.chat('Echo it')
    expect([status, body.error.code]).toEqual([400, 'no_tools_allowed'])
    expect(body.error.message).toContain('tools.allow')
    expect(upstream.seen).toEqual([])
    await waitUntil('the slip is in the log', async () =>
      (await gateway.logText()).includes(`did you mean \\"${ECHO}\\"?`),
    )
  })

  test('is narrowed by a hook of its turn, and not asked where that leaves nothing', async () => {
    await useTools(`toolSearch: false,`)
    upstream.script({ say: 'I see one.' })
    expect((await gateway.api.chat('Echo it', {}, headers({ session: 'echo' }))).status).toBe(200)
    expect(upstream.toolNames(1)).toEqual(['probe__echo'])
    upstream.script({ say: 'I was asked.' })
    const { status, body } = await gateway.api.chat('Echo it', {}, headers({ session: 'nothing_like_it' }))
    expect([status, body.error.code]).toEqual([403, 'turn_blocked'])
    expect(body.error.message).toContain('toolsAllow')
    expect(upstream.seen).toEqual([])
  })

  test('is not asked where the list of the request leaves nothing either', async () => {
    await useTools('')
    upstream.script({ say: 'I was asked.' })
    const { status, body } = await gateway.api.chat('Echo it', { toolsAllow: ['nothing_like_it'] })
    expect([status, body.error.code, body.error.param]).toEqual([400, 'no_tools_allowed', 'toolsAllow'])
    expect(upstream.seen).toEqual([])
  })
})
