import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatProblem } from './config-problem.ts'
import { readConfig } from './read-config.ts'
import { toolSearchOf } from './tool-search.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-config-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const KEY = 'sk-abcdefghijklmnopqrstuvwx'

describe('a valid configuration', () => {
  test('is whole: every section and default is there, and an agent default', async () => {
    const config = await configOf('{}')
    expect(config.gateway).toEqual({ host: '127.0.0.1', port: 8790, cors: { origins: [] } })
    const scope = { allow: [], alsoAllow: [], deny: [], byProvider: {} }
    expect(config.agents).toEqual({ default: { instructions: '', tools: scope } })
    expect(config.tools).toEqual({
      ...scope,
      toolSearch: true,
      profiles: {},
      groups: {},
      byChannel: {},
      toolsBySender: {},
      sandbox: { allow: [], deny: [] },
      childAgents: { allow: [], deny: [] },
      mainAgentOnly: [],
      rules: [],
      approvals: 'off',
      search: { learn: true },
    })
    expect(config.sandbox).toEqual({
      memoryMb: 64,
      cpuMs: 2000,
      jit: false,
      calls: 64,
      callsInFlight: 16,
      argumentBytes: 262_144,
      resultIntoIsolateBytes: 1_048_576,
      outputBytes: 1_048_576,
      logBytes: 16_384,
      sourceBytes: 262_144,
    })
    expect(config.store.url).toBe('sqlite:drawbridge.db')
    expect(config.runs.keepAnswersDays).toBe(7)
  })
  test('keeps what it says and fills in what it leaves out, at every depth', async () => {
    const config = await configOf(`{
      agents: { helper: { tools: { deny: ['mcp:github:delete_*'] } } },
      mcp: { servers: { 'files.v2': { command: 'npx' }, web: { url: 'https://x.example/mcp', timeoutMs: 5 } } },
      plugins: { entries: { demo: { config: { nested: { list: [1, null] } } } } },
    }`)
    expect(Object.keys(config.agents)).toEqual(['default', 'helper'])
    expect(config.agents['helper']?.tools).toMatchObject({ allow: [], deny: ['mcp:github:delete_*'] })
    expect(config.mcp.servers['files.v2']).toEqual({ command: 'npx', args: [], env: {} })
    expect(config.mcp.servers['web']).toEqual({ url: 'https://x.example/mcp', headers: {}, timeoutMs: 5 })
    expect(config.plugins.entries['demo']).toEqual({
      enabled: true,
      required: false,
      config: { nested: { list: [1, null] } },
    })
  })
  test('may use all of JSON5: keys that are words of the language, every quote and escape, any number', async () => {
    const config = await configOf(`\uFEFF{ // comment
      agents: { default: { instructions: 'say "hi"\\x21 \\
it\\'s', }, class: { instructions: "it\\'s" } }, gateway: { port: 0x2260 } }`)
    expect(config.agents['default']?.instructions).toBe(`say "hi"! it's`)
    expect(config.agents['class']?.instructions).toBe(`it's`)
    expect(config.gateway.port).toBe(8800)
  })
  test.each([
    ['{}', { mode: 'code', codeTimeoutMs: 10_000, searchDefaultLimit: 8, maxSearchLimit: 20 }],
    ['true', { mode: 'code' }],
    ['false', { mode: 'direct' }],
    ["{ mode: 'tools' }", { mode: 'tools' }],
    ["{ mode: 'tools', enabled: false }", { mode: 'direct' }],
    [
      '{ codeTimeoutMs: 1000, searchDefaultLimit: 3, maxSearchLimit: 50 }',
      { codeTimeoutMs: 1000, searchDefaultLimit: 3, maxSearchLimit: 50 },
    ],
    ['{ maxSearchLimit: 5 }', { searchDefaultLimit: 5, maxSearchLimit: 5 }],
  ])('tools.toolSearch %s', async (setting, expected) => {
    expect(toolSearchOf(await configOf(`{ tools: { toolSearch: ${setting} } }`))).toMatchObject(expected)
  })
})

describe('which model is the default', () => {
  const ollama = `providers: { ollama: { api: 'openai-chat', baseUrl: 'http://localhost:11434/v1', models: { 'qwen3:8b': {} } } }`
  test('the configured one', async () => {
    expect(await defaultModelOf(`{ default: 'ollama/qwen3:8b', ${ollama} }`, { OPENAI_API_KEY: KEY })).toBe(
      'ollama/qwen3:8b',
    )
  })
  test('the only one that is listed', async () => {
    expect(await defaultModelOf(`{ ${ollama} }`)).toBe('ollama/qwen3:8b')
  })
  test('with nothing configured, OpenAI where the environment has its key', async () => {
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'http://localhost:1/v1', DRAWBRIDGE_MODEL: 'm' }
    const read = await readConfig('{}', { env, directory: folder })
    expect(read).toMatchObject({
      kind: 'read',
      config: {
        models: { default: 'openai/m', providers: { openai: { baseUrl: 'http://localhost:1/v1', apiKey: KEY } } },
      },
      secrets: [KEY],
    })
  })
  test.each([
    ['{}', { OPENAI_BASE_URL: 'http://localhost:11434/v1' }, 'OPENAI_BASE_URL is used only with OPENAI_API_KEY'],
    ['{}', { DRAWBRIDGE_MODEL: 'qwen3' }, 'DRAWBRIDGE_MODEL is used only with OPENAI_API_KEY'],
    [`{ models: { ${ollama.replace("'qwen3:8b': {}", '')} } }`, { OPENAI_API_KEY: KEY }, 'OPENAI_API_KEY is not used'],
    [`{ models: { default: 'scripted/scripted' } }`, { OPENAI_API_KEY: KEY }, undefined],
    ['{}', {}, undefined],
  ])(
    'of %s with %j the stand-in answers, and what of the environment is not used is told',
    async (text, env, words) => {
      const read = await readConfig(text, { env, directory: folder })
      expect(read).toMatchObject({ kind: 'read', config: { models: { default: 'scripted/scripted' } } })
      const message = read.kind === 'read' ? read.notice?.message : undefined
      expect(message).toEqual(words === undefined ? undefined : expect.stringContaining(words))
    },
  )
  test.each(['localhost:11434/v1', 'nowhere'])(
    'the address %s of the environment is refused by its name',
    async (url) => {
      const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url }
      const read = await readConfig('{}', { env, directory: folder })
      expect(read.kind === 'invalid' && read.problems.map((problem) => formatProblem(problem, undefined))).toEqual([
        'OPENAI_BASE_URL is no http:// or https:// address',
      ])
    },
  )
  test('else the scripted stand-in', async () => {
    expect(await defaultModelOf('{}')).toBe('scripted/scripted')
    expect(await defaultModelOf('{}', { OPENAI_API_KEY: '' })).toBe('scripted/scripted')
  })
})

describe('every problem is named at once, with path, value, place and way out', () => {
  test('in one wrong file', async () => {
    const text = `{
  gatway: 1,
  gateway: { prot: 8790, port: '8790', host: 5 },
  tools: { toolSearch: { mode: 'tool', maxSearchLimit: 99 }, alow: [], deny: 'x' },
  models: { default: 'x', providers: { openai: { api: 'openai', baseUrl: 'ftp://x', apikey: '${KEY}' } } },
  mcp: { servers: { a: { args: [] }, b: { url: 'https://x', headers: { a: 1 } }, 'no way': { command: 'x' } } },
  sandbox: null,
  agents: { a: { instructions: ['${KEY}'] } },
}`
    expect(await problemsOf(text)).toEqual([
      'f:2:3: gatway: unknown key "gatway" with value 1; did you mean "gateway"?',
      'f:3:14: gateway.prot: unknown key "prot" with value 8790; did you mean "port"?',
      'f:3:26: gateway.port: is "8790" (a string); expected an integer from 0 to 65535; write 8790 without quotes',
      'f:3:40: gateway.host: is 5 (a number); expected a string that is not empty; write it in quotes',
      'f:4:26: tools.toolSearch.mode: is "tool" (a string); expected one of "code", "tools", "direct"; did you mean "tools"?',
      'f:4:40: tools.toolSearch.maxSearchLimit: is 99 (a number); expected an integer from 1 to 50',
      'f:4:62: tools.alow: unknown key "alow" with value a list of 0; did you mean "allow"?',
      'f:4:72: tools.deny: is "x" (a string); expected a list; write it as a list, ["…"]',
      'f:5:13: models.default: is "x" (a string); expected a model as "provider/model"',
      'f:5:50: models.providers.openai.api: is "openai" (a string); expected one of "openai-chat"; did you mean "openai-chat"?',
      'f:5:65: models.providers.openai.baseUrl: is "ftp://x" (a string); expected an http:// or https:// address',
      'f:5:85: models.providers.openai.apikey: unknown key "apikey" with value [secret]; did you mean "apiKey"?',
      'f:6:21: mcp.servers.a.command: is missing; expected a string that is not empty, or "url" in its place',
      'f:6:72: mcp.servers.b.headers.a: is [secret] (a number); expected a string, { file } or { command }; write it in quotes',
      'f:6:82: mcp.servers["no way"]: the name "no way" does not match ^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$',
      'f:7:3: sandbox: is null; expected an object with "memoryMb", "cpuMs", "jit", "workersMax", "calls", "callsInFlight", "argumentBytes", "resultIntoIsolateBytes", "outputBytes", "logBytes", "sourceBytes"',
      'f:8:18: agents.a.instructions: is a list of 1; expected a string',
    ])
  })
  test('what only the whole can tell', async () => {
    const text = `{
  tools: { toolSearch: { searchDefaultLimit: 30 } },
  models: { default: 'openai/gpt-5', providers: { openai: { api: 'openai-chat', baseUrl: 'https://a:b:c', models: { 'gpt-5.4': {} } } } },
  agents: { a: { model: 'opnai/x' }, b: { model: 'nowhere/x' } },
  redact: { patterns: ['(', 'x*'] },
}`
    expect(await problemsOf(text)).toEqual([
      'f:3:13: models.default: "openai/gpt-5" is not among the models that provider "openai" lists; did you mean "gpt-5.4"?',
      'f:4:18: agents.a.model: "opnai/x" names the provider "opnai", which is not configured; did you mean "openai"?',
      'f:4:43: agents.b.model: "nowhere/x" names the provider "nowhere", which is not configured; configured providers: openai, scripted',
      'f:2:26: tools.toolSearch.searchDefaultLimit: is 30, more than maxSearchLimit 20; lower it or raise maxSearchLimit',
      'f:3:81: models.providers.openai.baseUrl: is not an address that can be parsed; check host and port',
      'f:5:24: redact.patterns[0]: is not a regular expression that can be used: Invalid regular expression: /(/u: Unterminated group',
      'f:5:29: redact.patterns[1]: matches the empty text; it would replace everything',
    ])
  })
  test('a pattern that the redactor cannot run is refused here, and not when it is first needed', async () => {
    const patterns = ['(?<=id=)\\d+', '(a)\\1', '(?!x)y', 'a{1,2000}', 'id-\\d{6}']
    const problems = await problemsOf(JSON.stringify({ redact: { patterns } }))
    expect(problems.map((problem) => /patterns\[(\d)\]: (.{14})/.exec(problem)?.slice(1))).toEqual(
      ['0', '1', '2', '3'].map((at) => [at, 'cannot be used']),
    )
    expect(problems[2]).toContain('it must run in linear time, and the engine for that says: invalid or unsupported')
  })
  test.each([
    ['{ a: 1 b: 2 }', 'f:1:8: is not valid JSON5: "b" is not expected here'],
    ['{ tools: { toolSearch: true ', 'f:1:28: ends inside an open object, array, string or comment'],
    ['{ x: "open', 'f:1:11: ends inside an open object, array, string or comment'],
    [
      '[]',
      'f:1:1: is a list of 0; expected an object with "gateway", "models", "agents", "tools", "approvals", "hooks", "mcp", "plugins", "sandbox", "store", "runs", "redact", "telemetry"',
    ],
    ['{ tools: {}, tools: {} }', 'f:1:14: tools: stands twice in the file; remove one of the two'],
    ['{ agents: { a: {}, "a": {} } }', 'f:1:20: agents.a: stands twice in the file; remove one of the two'],
    ['{ agents: { __proto__: {} } }', 'f:1:13: agents.__proto__: the key "__proto__" is refused'],
    ['{ gateway: { port: NaN } }', 'f:1:20: gateway.port: is NaN; only finite numbers can be used'],
    ['['.repeat(50_000), 'f: is nested deeper than 100 levels'],
    [`${'['.repeat(150)}${']'.repeat(150)}`, 'f:1:102: '],
  ])('a file that says %s', async (text, expected) => {
    const [first = ''] = await problemsOf(text)
    expect(first.slice(0, expected.length)).toBe(expected)
  })
  test('a key that someone pasted into the wrong place is not printed', async () => {
    const read = await readConfig(
      `{ gateway: { host: 5, token: '${KEY}', nme: '${KEY}' }, models: { default: '${KEY}' } }`,
      { env: {}, directory: folder },
    )
    expect(JSON.stringify(read)).not.toContain(KEY)
  })
})

describe('secrets come by reference', () => {
  test('from the environment', async () => {
    expect(await keyOf("'${API_KEY}'", { API_KEY: KEY })).toEqual([KEY, [KEY]])
  })
  test('from a file beside the configuration, without its line end', async () => {
    await writeFile(path.join(folder, 'key.txt'), `${KEY}\r\n`)
    expect(await keyOf("{ file: 'key.txt' }")).toEqual([KEY, [KEY]])
  })
  test('from a command, run without a shell', async () => {
    const command = JSON.stringify([
      process.execPath,
      '-e',
      `console.log('${KEY}' + process.argv.length)`,
      '$(id); `id`',
    ])
    expect(await keyOf(`{ command: ${command} }`)).toEqual([`${KEY}2`, [`${KEY}2`]])
  })
  test.each([
    [
      "'${NOT_SET}'",
      'reference: environment variable NOT_SET is not set; set it where the gateway starts, or write $${NOT_SET} to mean the text',
    ],
    ["'${EMPTY}'", 'reference: environment variable EMPTY is empty; set it'],
    ["{ file: '/none/key' }", 'reference: secret file "/none/key" cannot be read (ENOENT)'],
    ["{ file: 'empty.txt' }", 'reference: secret file "empty.txt" is empty'],
    [
      "{ command: ['/none/program', 'sk-argument-of-the-command'] }",
      'reference: secret command "/none/program" failed (ENOENT)',
    ],
    [`{ command: [${JSON.stringify(process.execPath)}, '-e', 'process.exit(3)'] }`, 'reference: secret command'],
    [`{ command: [${JSON.stringify(process.execPath)}, '-e', ''] }`, 'reference: secret command'],
    ["{ files: 'x' }", 'invalid: is missing'],
  ])('%s is a clear error', async (apiKey, expected) => {
    await writeFile(path.join(folder, 'empty.txt'), '\n')
    const [problem] = await keyOf(apiKey, { EMPTY: '' })
    expect(problem).toContain(expected)
    expect(problem).not.toContain('argument-of')
  })
  test('and one that is not there costs an MCP server itself and nothing else', async () => {
    const server = (headers: string) => `{ url: 'https://x.test/mcp', headers: ${headers} }`
    const servers = `{ a: ${server("{ authorization: 'Bearer ${NOT_SET}', x: '${NOR_THIS}' }")}, b: ${server("{ x: '${SET}' }")} }`
    const read = await readConfig(`{ mcp: { servers: ${servers} } }`, { env: { SET: 'y' }, directory: folder })
    expect(read).toMatchObject({ kind: 'read', unresolved: [{ kind: 'reference' }, { kind: 'reference' }] })
    const mcp = read.kind === 'read' ? read.config.mcp : undefined
    expect(mcp?.faults).toEqual({ a: expect.stringContaining('environment variable NOT_SET is not set') })
    expect(mcp?.servers['b']).toMatchObject({ headers: { x: 'y' } })
    const both = `{ mcp: { servers: ${servers} }, agents: { default: { instructions: '\${NOT_SET}' } } }`
    expect(await problemsOf(both, { SET: 'y' })).toHaveLength(3)
  })
  test('anywhere in a text; $$ keeps the text as it is', async () => {
    const text = `{ agents: { default: { instructions: 'for \${TEAM}: $\${TEAM} \${not a name} $5' } } }`
    const config = await configOf(text, { TEAM: 'blue' })
    expect(config.agents['default']?.instructions).toBe('for blue: ${TEAM} ${not a name} $5')
  })
  test('the redactor gets credentials whole and without scheme, but not every word of the environment', async () => {
    const text = `{
      mcp: { servers: {
        a: { url: 'https://x/\${PLACE}', headers: { Authorization: 'Bearer \${CAL}', 'x-team': 'platform-engineering' } },
        b: { command: 'x', args: ['--key=\${ARG_KEY}'], env: { LOG_LEVEL: 'debugging', DB: 'postgres://me:hunter2222@h/d', API_TOKEN: 'literal-token' } },
      } },
      plugins: { entries: { tavily: { config: { webSearch: { apiKey: 'tavily-literal', pin: 'public-thing' } } } } },
    }`
    const env = { CAL: 'calendar-secret', PLACE: 'somewhere', ARG_KEY: 'argument-key' }
    const read = await readConfig(text, { env, directory: folder })
    expect(read.kind === 'read' && read.secrets.toSorted()).toEqual(
      [
        'Bearer calendar-secret',
        'calendar-secret',
        'argument-key',
        'hunter2222',
        'literal-token',
        'tavily-literal',
      ].toSorted(),
    )
  })
  test('what a reference stands for is judged, and the message shows the reference', async () => {
    const text = `{ models: { providers: { p: { api: 'openai-chat', baseUrl: '\${BASE_KEY}' } } } }`
    expect(await problemsOf(text, { BASE_KEY: KEY })).toEqual([
      'f:1:51: models.providers.p.baseUrl: is "${BASE_KEY}" (a string); expected an http:// or https:// address',
    ])
  })
})

async function configOf(text: string, env: Readonly<Record<string, string>> = {}) {
  const read = await readConfig(text, { env, directory: folder })
  if (read.kind === 'invalid') throw new Error(read.problems.map((problem) => formatProblem(problem, 'f')).join('\n'))
  return read.config
}

async function problemsOf(text: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const read = await readConfig(text, { env, directory: folder })
  return read.kind === 'invalid' ? read.problems.map((problem) => formatProblem(problem, 'f')) : []
}

async function defaultModelOf(models: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await configOf(`{ models: ${models} }`, env)).models.default
}

function withKey(apiKey: string): string {
  return `{ models: { default: 'p/m', providers: { p: { api: 'openai-chat', baseUrl: 'https://x', apiKey: ${apiKey} } } } }`
}

/** The key and the secrets, or the problems. */
async function keyOf(apiKey: string, env: Readonly<Record<string, string>> = {}) {
  const read = await readConfig(withKey(apiKey), { env, directory: folder })
  if (read.kind === 'read') return [read.config.models.providers['p']?.apiKey, read.secrets]
  return read.problems.map(({ kind, message }) => `${kind}: ${message}`)
}
