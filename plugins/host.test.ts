import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import vm from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SourceSink, SourceState } from '../catalog/source.ts'
import type { ToolDefinition } from '../catalog/tool.ts'
import { isJsonObject } from '../catalog/json.ts'
import { createSchemaChecker } from '../catalog/schema.ts'
import type { PluginHost, PluginHostDeps } from './host.ts'
import { createPluginHost } from './host.ts'
import type { PluginSettings } from './loading/plugin-settings.ts'
import { definePlugin, Type } from './sdk.ts'

/** For plugins that hang; the others of the same test must still fit in on a busy machine. */
const BUDGETS = { importBudgetMs: 600, registerBudgetMs: 600 }

let folder = ''
const hosts: PluginHost[] = []

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'drawbridge-plugins-')))
})

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
  await rm(folder, { recursive: true, force: true })
})

describe('loading', () => {
  test('a TypeScript file anywhere on disk is loaded, with this gateway behind its import of the SDK', async () => {
    const file = await write(
      'weather.ts',
      `import { definePlugin, Type, type ExecuteContext } from 'drawbridge-gateway/plugin'
       interface Forecast { readonly city: string; readonly celsius: number }
       const forecast = (city: string): Forecast => ({ city, celsius: 21 })
       export default definePlugin({
         id: 'weather',
         register(api) {
           api.registerTool({
             name: 'get_forecast',
             label: 'Forecast',
             description: 'Forecast for a city.',
             parameters: Type.Object({ city: Type.String() }),
             annotations: { readOnlyHint: true },
             execute: async ({ city }, _context: ExecuteContext) => forecast(city),
           })
         },
       })`,
    )
    const { sink } = await startHost({ paths: [file] })
    const [tool] = sink.tools('weather')
    expect(sink.state('weather')?.kind).toBe('ready')
    expect(tool).toMatchObject({
      name: 'get_forecast',
      title: 'Forecast',
      inputSchema: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
    })
    expect(await run(tool, { city: 'Oslo' })).toEqual({
      content: [{ type: 'text', text: '{"city":"Oslo","celsius":21}' }],
      structured: { city: 'Oslo', celsius: 21 },
    })
  })

  test('a TypeScript plugin is a module also where the nearest package.json says commonjs', async () => {
    await write('package.json', '{ "type": "commonjs" }')
    await write('plugins/words.ts', `export const words: readonly string[] = ['hei']`)
    await write(
      'plugins/greeter.ts',
      `import { definePlugin } from 'drawbridge-gateway/plugin'
       import { words } from './words.ts'
       export default definePlugin({ id: words[0] ?? '', register() {} })`,
    )
    const { host, sink } = await startHost({ paths: [path.join(folder, 'plugins/greeter.ts')] })
    expect(host.problems()).toEqual([])
    expect(sink.state('hei')?.kind).toBe('ready')
  })

  test('a file that does not parse is reported with its line', async () => {
    const file = await write('broken.ts', 'const one = 1\nexport default {{')
    const { host } = await startHost({ paths: [file] })
    expect(host.problems()).toEqual([
      { owner: file, path: file, reason: expect.stringMatching(/^importing it \(line [123]\) failed: /) },
    ])
  })

  test('a folder of plugins gives each file and each package in it, and passes over what is no plugin', async () => {
    await write('all/b.mjs', plugin('bee'))
    await write('all/README.md', 'plugins of ours')
    await write('all/types.d.ts', 'export {}')
    await write('all/node_modules/x/package.json', '{}')
    await write('all/a/package.json', '{ "name": "a", "main": "lib/entry.js", "type": "module" }')
    await write('all/a/lib/entry.js', plugin('ay'))
    await write('all/c/package.json', '{ "name": "c", "exports": { ".": { "import": "./c.cjs.js" } } }')
    await write('all/c/c.cjs.js', `module.exports = { id: 'cee', register() {} }`)
    const { sink, host } = await startHost({ paths: [path.join(folder, 'all')] })
    expect(sink.owners()).toEqual(['ay', 'bee', 'cee'])
    expect(host.problems()).toEqual([])
  })

  const broken: readonly (readonly [string, string, RegExp])[] = [
    ['throws on load', `throw new Error('no database')`, /no database/],
    ['does not parse', `export default {`, /importing .* failed/],
    ['exports no plugin', `export const plugin = {}`, /no plugin as its default export/],
    ['has no id', `export default { register() {} }`, /it has no id/],
    ['has an id with a colon', `export default { id: 'a:b', register() {} }`, /its id "a:b" may only have/],
    ['has no register', `export default { id: 'x' }`, /"register" is not a function/],
    ['never finishes loading', `await new Promise(() => {}); export default {}`, /not done within 600 ms/],
  ]
  test.each(broken)(
    'a plugin that %s is down with its path and reason, and the next one works',
    async (_, code, why) => {
      const bad = await write('bad.mjs', code)
      const good = await write('good.mjs', plugin('good'))
      const { sink, host } = await startHost({ paths: [bad, good] }, BUDGETS)
      expect(sink.state('good')?.kind).toBe('ready')
      expect(sink.reason(bad)).toMatch(why)
      expect(sink.reason(bad)).toContain(bad)
      expect(host.problems()).toEqual([{ owner: bad, path: bad, reason: expect.stringMatching(why) }])
    },
  )

  const failing: readonly (readonly [string, string, RegExp])[] = [
    ['throws in register', `throw new Error('no key')`, /no key/],
    ['rejects in register', `return Promise.reject(new Error('no key'))`, /no key/],
    ['hangs in register', `return new Promise(() => {})`, /not done within 600 ms/],
    ['registers a name twice', `api.registerTool(tool('a')); api.registerTool(tool('a'))`, /"a" twice/],
    [
      'registers a name twice and looks away',
      `api.registerTool(tool('a')); try { api.registerTool(tool('a')) } catch {}`,
      /"a" twice/,
    ],
    ['hooks an event that is not there', `api.on('before_tool_cal', () => {})`, /it hooks "before_tool_cal"/],
  ]
  test.each(failing)('a plugin that %s is down and nothing of it is registered', async (_, body, why) => {
    const bad = await write('bad.mjs', plugin('bad', `api.registerTool(tool('first')); ${body}`))
    const good = await write('good.mjs', plugin('good'))
    const { sink, host } = await startHost({ paths: [bad, good] }, BUDGETS)
    expect(sink.reason('bad')).toMatch(why)
    expect(sink.tools('bad')).toEqual([])
    expect(host.hooks()).toEqual([])
    expect(sink.state('good')?.kind).toBe('ready')
  })

  test('a plugin that hangs, in its import or its register, holds up no other', async () => {
    const importing = await write('a.mjs', 'await new Promise(() => {}); export default {}')
    const registering = await write('b.mjs', plugin('hanging', 'return new Promise(() => {})'))
    const good = await write('c.mjs', plugin('good', `api.registerTool(tool('t'))`))
    const budgets = { importBudgetMs: 3_000, registerBudgetMs: 3_000 }
    const { host, sink, settled } = beginHost({ paths: [importing, registering, good] }, budgets)
    await expect.poll(() => sink.state('good')?.kind, { timeout: 2_500 }).toBe('ready')
    expect(sink.tools('good')).toHaveLength(1)
    expect(sink.state('hanging')?.kind).toBe('connecting')
    expect(host.problems()).toEqual([])
    await settled
    expect(host.problems().map((problem) => problem.owner)).toEqual([importing, 'hanging'])
  })

  test('of two plugins with one id the first is kept and the second is down under its path', async () => {
    const first = await write('1.mjs', plugin('same', `api.registerTool(tool('one'))`))
    const second = await write('2.mjs', plugin('same', `api.registerTool(tool('two'))`))
    const { sink } = await startHost({ paths: [first, second] })
    expect(sink.tools('same').map((tool) => tool.name)).toEqual(['one'])
    expect(sink.reason(second)).toContain(`its id "same" is that of ${first}`)
  })

  test('a path that is not there, and one that is no code, are reported', async () => {
    const note = await write('note.txt', 'hello')
    const { host } = await startHost({ paths: [path.join(folder, 'absent'), note] })
    expect(host.problems().map((problem) => problem.reason)).toEqual([
      'there is no such file or folder',
      'it is not one of .ts, .mts, .mjs, .js',
    ])
  })

  test.skipIf(process.getuid?.() === 0)(
    'a folder that may not be read is reported, and the next path works',
    async () => {
      const closed = path.join(folder, 'closed')
      await mkdir(closed, { mode: 0o000 })
      const good = await write('good.mjs', plugin('good'))
      const { sink } = await startHost({ paths: [closed, good] })
      expect(sink.reason(closed)).toContain('it cannot be read')
      expect(sink.state('good')?.kind).toBe('ready')
    },
  )

  test('a configuration schema that is no JSON stops its own plugin only', async () => {
    const bad = await write(
      'bad.mjs',
      `const loop = { type: 'object' }; loop.properties = { loop }
       export default { id: 'bad', configSchema: loop, register() {} }`,
    )
    const good = await write('good.mjs', plugin('good'))
    const { sink } = await startHost({ paths: [bad, good] })
    expect(sink.reason('bad')).toContain('"configSchema" is not JSON')
    expect(sink.state('good')?.kind).toBe('ready')
  })

  test('a tool with a bad definition is left out alone, with the reason', async () => {
    const file = await write(
      'mixed.mjs',
      plugin(
        'mixed',
        `api.registerTool(tool('good'))
         api.registerTool({ ...tool('typo'), outputSchma: {} })
         api.registerTool({ ...tool('list'), parameters: { type: 'array' } })
         api.registerTool({ ...tool('hint'), annotations: { readOnly: true } })
         api.registerTool({ name: 'idle', description: 'nothing to run' })`,
      ),
    )
    const { sink, host } = await startHost({ paths: [file] })
    expect(sink.state('mixed')?.kind).toBe('ready')
    expect(sink.tools('mixed').map((tool) => tool.name)).toEqual(['good'])
    const reasons = Object.fromEntries(host.problems().map((problem) => [problem.tool, problem.reason]))
    expect(reasons).toMatchObject({
      typo: expect.stringContaining('unknown field "outputSchma"'),
      list: expect.stringContaining('type "array"'),
      hint: expect.stringContaining('annotation "readOnly"'),
      idle: expect.stringContaining('"execute" is not a function'),
    })
  })

  test('what a plugin registers after its register has ended is refused', async () => {
    const file = await write(
      'late.mjs',
      plugin('late', `api.registerTool({ ...tool('later'), execute: () => { api.registerTool(tool('sneaky')) } })`),
    )
    const { sink } = await startHost({ paths: [file] })
    await expect(run(sink.tools('late')[0], {})).rejects.toThrow('after its register ended')
  })
})

describe('manifests', () => {
  test('the manifest names the entry and only declared tools are offered', async () => {
    const dir = await writePackage('pack', {
      id: 'pack',
      entry: 'src/main.mjs',
      tools: ['listed', 'absent'],
      code: `api.registerTool(tool('listed')); api.registerTool(tool('extra'))`,
    })
    const { sink, host } = await startHost({ paths: [dir] })
    expect(sink.tools('pack').map((tool) => tool.name)).toEqual(['listed'])
    expect(host.problems()).toEqual([
      { owner: 'pack', path: dir, tool: 'extra', reason: expect.stringContaining('does not declare it') },
      { owner: 'pack', path: dir, tool: 'absent', reason: expect.stringContaining('does not register it') },
    ])
  })

  test('an optional tool is there only when an allow list names it', async () => {
    const dir = await writePackage('pack', {
      id: 'pack',
      optionalTools: ['risky'],
      code: `api.registerTool(tool('safe')); api.registerTool(tool('risky'))`,
    })
    const without = await startHost({ paths: [dir] })
    expect(without.sink.tools('pack').map((tool) => tool.name)).toEqual(['safe'])
    expect(without.host.problems()).toEqual([])
    expect(without.host.withheld()).toEqual(['plugin:pack:risky'])
    const allowed = await startHost({ paths: [dir] }, { isOptionalToolAllowed: (id) => id === 'plugin:pack:risky' })
    expect(allowed.sink.tools('pack').map((tool) => tool.name)).toEqual(['safe', 'risky'])
    expect(allowed.host.withheld()).toEqual([])
  })

  test('a manifest and code that disagree about the id, or an entry outside of the folder, are not loaded', async () => {
    const other = await writePackage('other', { id: 'other', code: '', codeId: 'mine' })
    await write('escape/drawbridge.plugin.json', '{ "id": "escape", "entry": "../good.mjs" }')
    await write('good.mjs', plugin('escape'))
    const { sink } = await startHost({ paths: [other, path.join(folder, 'escape')] })
    expect(sink.reason('other')).toContain('its manifest has the id "other", its code "mine"')
    expect(sink.reason(path.join(folder, 'escape'))).toContain('outside of its folder')
  })

  test('a configuration that the manifest refuses stops the plugin before its code runs', async () => {
    const marker = path.join(folder, 'ran')
    const dir = await writePackage('pack', {
      id: 'pack',
      configSchema: { required: ['key'] },
      prefix: `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(marker)}, '')\n`,
      code: '',
    })
    const { sink, host } = await startHost({ paths: [dir] })
    expect(sink.reason('pack')).toContain("plugins.entries.pack.config must have required property 'key'")
    expect(existsSync(marker)).toBe(false)
    await host.update({ paths: [dir], entries: { pack: { config: { key: 'k' } } } })
    expect(sink.state('pack')?.kind).toBe('ready')
    expect(existsSync(marker)).toBe(true)
  })
})

describe('configuration', () => {
  const configurable = definePlugin({
    id: 'greeter',
    configSchema: { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] },
    register(api) {
      api.registerTool({ name: 'greet', description: 'Greets.', execute: () => api.config.greeting })
      api.on('before_tool_call', () => ({ params: {} }), { priority: 5, matcher: 'plugin:*' })
      api.onClose(() => closed.push(api.config.greeting))
    },
  })
  const closed: string[] = []
  beforeEach(() => closed.splice(0))

  test('a plugin gets its own configuration, frozen, and an invalid one keeps it from loading', async () => {
    const settings = { paths: [], entries: { greeter: { config: { greeting: 'hei' } } } }
    const { sink } = await startHost(settings, { bundled: [configurable] })
    expect(await run(sink.tools('greeter')[0], {})).toEqual({ content: [{ type: 'text', text: 'hei' }] })
    const bad = await startHost({ paths: [] }, { bundled: [configurable] })
    expect(bad.sink.reason('greeter')).toContain(
      "plugins.entries.greeter.config must have required property 'greeting'",
    )
  })

  test('a configuration gets the defaults of its schema, and every fault is named', async () => {
    const seen: unknown[] = []
    const plugin = definePlugin({
      id: 'units',
      configSchema: Type.Object(
        { units: Type.Enum(['metric', 'imperial'], { default: 'metric' }), digits: Type.Optional(Type.Integer()) },
        { additionalProperties: false },
      ),
      register: (api) => void seen.push(api.config),
    })
    await startHost({ paths: [] }, { bundled: [plugin] })
    expect(seen).toEqual([{ units: 'metric' }])
    const bad = await startHost({ entries: { units: { config: { units: 'cubits' } } } }, { bundled: [plugin] })
    expect(bad.sink.reason('units')).toContain(
      '/units must be equal to one of the allowed values: ["metric","imperial"]',
    )
    const broken = await startHost({}, { bundled: [{ ...plugin, configSchema: { type: 'strin' } }] })
    expect(broken.sink.reason('units')).toContain('its "configSchema" cannot be used')
  })

  test('new settings replace a changed plugin, close its old self, and leave the others as they are', async () => {
    const counter = await write(
      'counter.mjs',
      `let loads = 0\n${plugin('counter', `const load = ++loads; api.registerTool({ ...tool('load'), execute: () => load })`)}`,
    )
    const settings = (greeting: string): PluginSettings => ({
      paths: [counter],
      entries: { greeter: { config: { greeting } } },
    })
    const { sink, host } = await startHost(settings('hei'), { bundled: [configurable] })
    await host.update(settings('hallo'))
    expect(await run(sink.tools('greeter')[0], {})).toMatchObject({ content: [{ text: 'hallo' }] })
    expect(closed).toEqual(['hei'])
    expect(host.hooks()).toHaveLength(1)
    expect(await run(sink.tools('counter')[0], {})).toMatchObject({ structured: 1 })
  })

  test('invalid new settings are reported and the last good registration stays', async () => {
    const { sink, host } = await startHost(
      { paths: [], entries: { greeter: { config: { greeting: 'hei' } } } },
      { bundled: [configurable] },
    )
    await host.update({ paths: [], entries: { greeter: { config: {} } } })
    expect(await run(sink.tools('greeter')[0], {})).toMatchObject({ content: [{ text: 'hei' }] })
    expect(sink.state('greeter')?.kind).toBe('ready')
    expect(closed).toEqual([])
    expect(host.problems()[0]?.reason).toContain("required property 'greeting'; the plugin stays as it was before")
  })

  test('a disabled plugin goes, with its hooks, and comes back', async () => {
    const config = { greeting: 'hei' }
    const { sink, host } = await startHost({ paths: [], entries: { greeter: { config } } }, { bundled: [configurable] })
    await host.update({ paths: [], entries: { greeter: { config, enabled: false } } })
    expect(sink.owners()).toEqual([])
    expect(host.hooks()).toEqual([])
    expect(closed).toEqual(['hei'])
    await host.update({ paths: [], entries: { greeter: { config } } })
    expect(sink.state('greeter')?.kind).toBe('ready')
  })

  test('what is switched off is gone at once, also while another plugin hangs or it registers itself', async () => {
    const hanging = await write('a.mjs', plugin('hanging', 'return new Promise(() => {})'))
    const slow = await write('b.mjs', plugin('slow', 'return new Promise((resolve) => setTimeout(resolve, 300))'))
    const good = await write('c.mjs', plugin('good', `api.registerTool(tool('t'))`))
    const paths = [hanging, slow, good]
    const { host, sink } = beginHost({ paths }, { registerBudgetMs: 2_000 })
    await expect.poll(() => sink.state('good')?.kind).toBe('ready')
    void host.update({ paths, entries: { good: { enabled: false }, slow: { enabled: false } } })
    expect(sink.owners()).not.toContain('good')
    await expect.poll(() => sink.owners()).toEqual(['hanging'])
  })

  test('changes that come while one is applied are brought in force by one more', async () => {
    let starts = 0
    const failing = definePlugin({
      id: 'failing',
      register() {
        starts += 1
        throw new Error('not today')
      },
    })
    const { host } = await startHost({}, { bundled: [failing] })
    expect(starts).toBe(1)
    for (const n of [1, 2, 3]) void host.update({ paths: [], entries: { failing: { config: { n } } } })
    await host.settled()
    expect(starts).toBe(2)
  })

  test('a problem that stays is logged once', async () => {
    const file = await write('broken.mjs', 'export default 1')
    const { host, lines } = await startHost({ paths: [file] })
    await host.update({ paths: [file], entries: { nobody: {} } })
    expect(lines.filter((line) => line.includes(`${file}: its entry file`))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('nobody'))).toHaveLength(1)
  })

  test('an edited file is loaded anew; while it is broken, the plugin stays as it was', async () => {
    const file = await write('live.mjs', plugin('live', `api.registerTool({ ...tool('v'), execute: () => 'one' })`))
    const { sink, host } = await startHost({ paths: [file] })
    await rewrite(file, 'export default {{{', 1)
    await host.update({ paths: [file], entries: {} })
    expect(await run(sink.tools('live')[0], {})).toMatchObject({ content: [{ text: 'one' }] })
    expect(host.problems()).toHaveLength(1)
    await rewrite(file, plugin('live', `api.registerTool({ ...tool('v'), execute: () => 'two' })`), 2)
    await host.update({ paths: [file], entries: {} })
    expect(await run(sink.tools('live')[0], {})).toMatchObject({ content: [{ text: 'two' }] })
    expect(host.problems()).toEqual([])
    expect(sink.owners()).toEqual(['live'])
  })

  test('an edited file that a plugin imports is loaded anew, wherever it stands; what is unchanged stays what it is', async () => {
    await write('deep.mjs', `export const deep = 'one'`)
    await write('kept.mjs', `export const kept = { times: 0 }`)
    await write('words.mjs', `import { deep } from './deep.mjs'; export const words = 'says ' + deep`)
    const entry = await write(
      'a.mjs',
      `import { words } from './words.mjs'; import { kept } from './kept.mjs'; import data from './data.json' with { type: 'json' }
       kept.times += 1
       ${plugin('a', `api.registerTool(tool(words.replace(' ', '_') + '_' + data.n + '_' + kept.times))`)}`,
    )
    await write('data.json', '{ "n": 1 }')
    let minute = 0
    const edit = (name: string, text: string) => rewrite(path.join(folder, name), text, (minute += 1))
    const { host, sink } = await startHost({ paths: [entry] })
    const named = () => sink.tools('a').map(({ name }) => name)
    const reload = async () => {
      await host.update({ paths: [entry], entries: {} })
      return named()
    }
    expect(named()).toEqual(['says_one_1_1'])
    expect([await host.changedImports([entry]), await reload()]).toEqual(['', ['says_one_1_1']])
    await edit('deep.mjs', `export const deep = 'two'`)
    expect(await host.changedImports([entry])).toContain('deep.mjs')
    expect([await reload(), await host.changedImports([entry])]).toEqual([['says_two_1_2'], ''])
    await edit('data.json', '{ "n": 2 }')
    expect(await reload()).toEqual(['says_two_2_3'])
    await edit('deep.mjs', `export const deep = `)
    expect([await reload(), host.problems()]).toEqual([['says_two_2_3'], [expect.objectContaining({ owner: 'a' })]])
    await edit('deep.mjs', `export const deep = 'three'`)
    expect([await reload(), host.problems()]).toEqual([['says_three_2_4'], []])
  })

  test('an entry for a plugin that is not there is reported with the ids that are', async () => {
    const settings = { paths: [], entries: { greter: {}, greeter: { config: { greeting: 'hei' } } } }
    const { host } = await startHost(settings, { bundled: [configurable] })
    expect(host.problems()).toEqual([
      { owner: 'greter', path: 'plugins.entries.greter', reason: 'no plugin has this id; there are greeter' },
    ])
  })
})

describe('hooks and the end', () => {
  test('hooks of all plugins are given in the order of the settings', async () => {
    const slow = await write(
      'slow.mjs',
      plugin(
        'slow',
        `return new Promise((resolve) => setTimeout(resolve, 30)).then(() => api.on('after_tool_call', () => {}))`,
      ),
    )
    const fast = await write('fast.mjs', plugin('fast', `api.on('before_tool_call', () => {}, { matcher: 'x_*' })`))
    const { host } = await startHost({ paths: [slow, fast] })
    expect(host.hooks()).toMatchObject([
      { plugin: 'slow', event: 'after_tool_call', priority: 0 },
      { plugin: 'fast', event: 'before_tool_call', priority: 0, matcher: 'x_*' },
    ])
  })

  test('closing runs the handlers of each plugin in reverse, goes on after one that fails, and is safe twice', async () => {
    const order: string[] = []
    const closing = definePlugin({
      id: 'closing',
      register(api) {
        api.onClose(() => void order.push('first'))
        api.onClose(() => Promise.reject(new Error('stuck')))
        api.onClose(() => void order.push('last'))
      },
    })
    const { host, lines } = await startHost({ paths: [] }, { bundled: [closing] })
    await host.close()
    await host.close()
    expect(order).toEqual(['last', 'first'])
    expect(lines).toContain('closing: an onClose handler failed: stuck')
  })

  test('closing does not wait for a plugin that hangs, and closes what one gives too late', async () => {
    const closed: string[] = []
    let goOn = (): void => undefined
    const late = definePlugin({
      id: 'late',
      async register(api) {
        api.onClose(() => void closed.push('late'))
        await new Promise<void>((resolve) => (goOn = resolve))
      },
    })
    const ready = definePlugin({ id: 'ready', register: (api) => api.onClose(() => void closed.push('ready')) })
    const { host } = beginHost({}, { bundled: [late, ready], registerBudgetMs: 60_000 })
    await expect.poll(() => host.problems()).toEqual([])
    await host.close()
    expect(closed).toEqual(['ready'])
    goOn()
    await expect.poll(() => closed).toEqual(['ready', 'late'])
  })

  test('a plugin that fails in register has what it opened closed', async () => {
    let isOpen = false
    const failing = definePlugin({
      id: 'failing',
      register(api) {
        isOpen = true
        api.onClose(() => {
          isOpen = false
        })
        throw new Error('half way')
      },
    })
    await startHost({ paths: [] }, { bundled: [failing] })
    expect(isOpen).toBe(false)
  })
})

/** What the catalog would hold. */
function createRecorder(): SourceSink & {
  owners(): readonly string[]
  tools(owner: string): readonly ToolDefinition[]
  state(owner: string): SourceState | undefined
  reason(owner: string): string | undefined
} {
  const tools = new Map<string, readonly ToolDefinition[]>()
  const states = new Map<string, SourceState>()
  return {
    setTools: (_source, owner, given) => void tools.set(owner, given),
    taken: async () => {},
    setState: (_source, owner, state) => void states.set(owner, state),
    removeOwner: (_source, owner) => {
      tools.delete(owner)
      states.delete(owner)
    },
    owners: () => [...states.keys()].toSorted(),
    tools: (owner) => tools.get(owner) ?? [],
    state: (owner) => states.get(owner),
    reason: (owner) => {
      const state = states.get(owner)
      return state?.kind === 'down' ? state.reason : undefined
    },
  }
}

/** Node's own import: the one of the test runner resolves for itself. */
const nativeImport = vm.compileFunction('return import(url)', ['url'], {
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
const importModule = async (url: string): Promise<unknown> => await Reflect.apply(nativeImport, undefined, [url])

async function startHost(settings: Partial<PluginSettings>, deps: Partial<PluginHostDeps> = {}) {
  const begun = beginHost(settings, deps)
  await begun.settled
  return begun
}

function beginHost(settings: Partial<PluginSettings>, deps: Partial<PluginHostDeps> = {}) {
  const lines: string[] = []
  const host = createPluginHost(
    { paths: [], entries: {}, ...settings },
    {
      bundled: [],
      importModule,
      schemas: createSchemaChecker(),
      isOptionalToolAllowed: () => false,
      logFor: (plugin) => {
        const write = (message: string) => void lines.push(`${plugin}: ${message}`)
        return { debug: write, info: write, warn: write, error: write }
      },
      now: () => 1_000,
      ...deps,
    },
  )
  hosts.push(host)
  const sink = createRecorder()
  host.start(sink)
  return { host, sink, lines, settled: host.settled() }
}

async function run(tool: ToolDefinition | undefined, args: unknown) {
  if (tool?.execute === undefined || !isJsonObject(args)) throw new Error('there is no such tool')
  const caller = { tenant: 'default', agent: 'default' }
  return await tool.execute(args, { callId: 'c1', caller, signal: new AbortController().signal })
}

/** The text of a plugin file in plain JavaScript. */
function plugin(id: string, body = ''): string {
  return `const tool = (name) => ({ name, description: 'Does ' + name + '.', execute: () => name })
    export default { id: '${id}', register(api) { ${body} } }`
}

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

/** Two writes within one tick of the file system's clock must still be told apart. */
async function rewrite(file: string, text: string, minute: number): Promise<void> {
  await writeFile(file, text)
  const time = new Date(Date.UTC(2030, 0, 1, 0, minute))
  await utimes(file, time, time)
}

interface PackageText {
  readonly id: string
  readonly code: string
  readonly codeId?: string
  readonly entry?: string
  readonly prefix?: string
  readonly tools?: readonly string[]
  readonly optionalTools?: readonly string[]
  readonly configSchema?: object
}

async function writePackage(name: string, { code, codeId, prefix = '', ...manifest }: PackageText): Promise<string> {
  const withEntry = { entry: 'index.mjs', ...manifest }
  await write(`${name}/drawbridge.plugin.json`, JSON.stringify(withEntry))
  await write(`${name}/${withEntry.entry}`, prefix + plugin(codeId ?? manifest.id, code))
  return path.join(folder, name)
}
