import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import { readForeignConfig } from './read-foreign-config.ts'

function read(value: JsonObject, env: Readonly<Record<string, string>> = {}) {
  const found = readForeignConfig(value, { env, workspaceFolder: '/home/ada/space', homeFolder: '/home/ada' })
  if (found === undefined) throw new Error('no servers were found')
  return { ...found, byName: Object.fromEntries(found.servers.map(({ name, config }) => [name, config])) }
}

test('.mcp.json and Claude Desktop: commands, addresses, environment and headers', () => {
  const { byName, warnings, skipped } = read({
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'server-files', 8080], env: { DEBUG: 1, TOKEN: '${TOKEN}' }, cwd: '/tmp' },
      calendar: { type: 'http', url: 'https://x.test/mcp', headers: { Authorization: 'Bearer ${CAL_TOKEN}' } },
      old: { type: 'sse', url: 'https://x.test/sse' },
    },
    globalShortcut: 'Ctrl+Space',
  })
  expect(byName).toEqual({
    files: {
      command: 'npx',
      args: ['-y', 'server-files', '8080'],
      env: { DEBUG: '1', TOKEN: '${TOKEN}' },
      cwd: '/tmp',
    },
    calendar: { url: 'https://x.test/mcp', headers: { Authorization: 'Bearer ${CAL_TOKEN}' } },
    old: { url: 'https://x.test/sse' },
  })
  expect([warnings, skipped]).toEqual([[], []])
})

test('VS Code: servers with inputs, which become environment variables; its settings file too', () => {
  const mcp = {
    inputs: [{ type: 'promptString', id: 'perplexity-key', description: 'API key', password: true }],
    servers: {
      ask: { type: 'stdio', command: 'npx', env: { KEY: '${input:perplexity-key}', HOME_KEY: '${env:OTHER_KEY}' } },
    },
  }
  for (const form of [mcp, { mcp, 'editor.tabSize': 2 }]) {
    const { byName, warnings } = read(form)
    expect(byName['ask']).toEqual({
      command: 'npx',
      env: { KEY: '${PERPLEXITY_KEY}', HOME_KEY: '${OTHER_KEY}' },
    })
    expect(warnings).toEqual([
      'input "perplexity-key" (API key) is asked for there; here it is environment variable PERPLEXITY_KEY',
    ])
  }
})

test('a command is read however it is written: apart, in one list, as one line', () => {
  const { byName, warnings, skipped } = read({
    mcp: {
      list: { type: 'local', command: ['npx', '-y', 'x'], environment: { A: '1' }, enabled: true },
      line: { command: 'npx -y @scope/x --port 1' },
      text: { command: 'npx', args: '-y  x' },
      folder: { command: 'C:\\Program Files\\nodejs\\node.exe', args: [] },
      shell: { command: 'sh -c "a; b"' },
      upper: { type: 'remote', url: 'HTTPS://Example.com/mcp' },
      wrong: { command: [{}] },
      deep: { command: 'x', args: [['y']] },
    },
  })
  expect(byName).toEqual({
    list: { command: 'npx', args: ['-y', 'x'], env: { A: '1' } },
    line: { command: 'npx', args: ['-y', '@scope/x', '--port', '1'] },
    text: { command: 'npx', args: ['-y', 'x'] },
    folder: { command: 'C:\\Program Files\\nodejs\\node.exe' },
    shell: { command: 'sh -c "a; b"' },
    upper: { url: 'https://Example.com/mcp' },
  })
  expect(warnings).toEqual([
    expect.stringContaining('line: its command'),
    expect.stringContaining('text: its arguments'),
  ])
  expect(skipped.map(({ name }) => name)).toEqual(['wrong', 'deep'])
})

test('what a server may be called with there is told to be said here again', () => {
  const { warnings } = read({ mcpServers: { a: { command: 'x', disabledTools: ['rm'] } } })
  expect(warnings).toEqual([expect.stringContaining('tools.allow and tools.deny here')])
})

test("Claude Code's own file: servers of everything and of single projects, each once", () => {
  const [everywhere, alone] = [{ command: 'everywhere' }, { type: 'stdio', command: 'alone', args: [], env: {} }]
  const projects = {
    '/home/ada/one': { allowedTools: [], mcpServers: { alone, everywhere } },
    '/home/ada/two': { mcpServers: { alone, everywhere: { command: 'other' } } },
    '/home/ada/none': { history: [] },
  }
  const { byName, warnings } = read({ numStartups: 3, mcpServers: { everywhere }, projects })
  expect(byName).toEqual({ everywhere, alone: { command: 'alone' }, 'everywhere-2': { command: 'other' } })
  expect(warnings).toEqual([
    'server "alone" is of project "/home/ada/one" alone there, and of every client here',
    'server "alone" is of project "/home/ada/two" alone there, and of every client here',
    'server "everywhere" is of project "/home/ada/two" alone there, and of every client here',
    'server "everywhere" is called "everywhere-2" here',
  ])
  expect(read({ projects }).byName).toMatchObject({ alone: { command: 'alone' } })
})

test('Cursor: places, login, and keys that are not known here are warned of, not refused', () => {
  const { byName, warnings } = read({
    mcpServers: {
      local: { command: '${userHome}/bin/server', args: ['${workspaceFolder}/data'], envFile: '.env' },
      remote: { url: 'https://x.test', auth: { CLIENT_ID: 'abc', scopes: ['read', 'write'] }, autoApprove: ['*'] },
    },
  })
  expect(byName).toEqual({
    local: { command: '/home/ada/bin/server', args: ['/home/ada/space/data'] },
    remote: { url: 'https://x.test', oauth: { clientId: 'abc', scope: 'read write' } },
  })
  expect(warnings).toEqual([
    'local: "envFile" is not known here and was left out',
    '"${workspaceFolder}" was taken to be "/home/ada/space"',
    'remote: "autoApprove" is not known here and was left out',
  ])
})

test('a default stands in for a variable that is not set, and is not used for one that is', () => {
  const form = { mcpServers: { a: { url: '${BASE:-https://x.test}/mcp' } } }
  expect(read(form).byName['a']).toEqual({ url: 'https://x.test/mcp' })
  expect(read(form).warnings).toHaveLength(1)
  expect(read(form, { BASE: 'https://y.test' }).byName['a']).toEqual({ url: '${BASE}/mcp' })
})

test('names that cannot be ours are changed, told of, and never fall together', () => {
  const server = { command: 'x' }
  const { byName, warnings } = read({
    mcpServers: { 'My Server!': server, 'My-Server': server, '@scope/x': server, ähm: server, '': server },
  })
  expect(Object.keys(byName)).toEqual(['My-Server', 'My-Server-2', 'scope-x', 'hm', 'server'])
  expect(warnings).toContain('server "My Server!" is called "My-Server" here')
})

test('what cannot be run here is left out alone, with the reason', () => {
  const { skipped, byName } = read({
    mcpServers: {
      off: { command: 'x', disabled: true },
      socket: { type: 'ws', url: 'wss://x.test' },
      nothing: {},
      text: 'npx server',
      odd: { command: 'x', args: [{}] },
      fine: { command: 'x' },
    },
  })
  expect(Object.keys(byName)).toEqual(['fine'])
  expect(skipped).toEqual([
    { name: 'off', reason: 'it is switched off there' },
    { name: 'socket', reason: 'transport "ws" is not supported' },
    { name: 'nothing', reason: 'it has neither a command nor a url' },
    { name: 'text', reason: 'it is no object' },
    { name: 'odd', reason: 'an argument is neither a text nor a number' },
  ])
})

test.each([[[]], ['text'], [{}], [{ 'editor.tabSize': 2 }], [{ mcpServers: [] }]])(
  'a file without servers (%j) is told apart from one with none that can be used',
  (value) => {
    const context = { env: {}, workspaceFolder: '/', homeFolder: '/' }
    expect(readForeignConfig(value, context)).toBeUndefined()
  },
)

test('a list of servers by itself is taken as such', () => {
  expect(Object.keys(read({ a: { command: 'x' }, b: { url: 'https://x.test' } }).byName)).toEqual(['a', 'b'])
})

test('what is switched off there stays off, however that is written', () => {
  const { skipped, byName } = read({
    mcpServers: {
      text: { command: 'x', disabled: 'true' },
      active: { command: 'x', isActive: false },
      on: { type: 'streamableHttp', baseUrl: 'https://x.test/mcp', isActive: true, disabled: false },
    },
  })
  expect(skipped.map(({ name }) => name)).toEqual(['text', 'active'])
  expect(byName).toEqual({ on: { url: 'https://x.test/mcp' } })
})

test('servers in a list that have one name are all taken', () => {
  const list = [{ name: 'server-3', command: 'x' }, { name: 'server-3', command: 'y' }, { command: 'z' }]
  expect(read({ mcpServers: list }).servers.map(({ config }) => config['command'])).toEqual(['x', 'y', 'z'])
})

test('environment and headers are read from lists too, and what cannot be read is said', () => {
  const { byName, warnings } = read({
    mcpServers: {
      docker: { command: 'x', env: ['A=1', 'B=${TOKEN}=='] },
      registry: { url: 'https://x.test', headers: [{ name: 'Authorization', value: 'Bearer ${env:KEY}' }] },
      odd: { url: 'https://x.test', headers: 'Authorization: x' },
    },
  })
  expect(byName).toEqual({
    docker: { command: 'x', env: { A: '1', B: '${TOKEN}==' } },
    registry: { url: 'https://x.test', headers: { Authorization: 'Bearer ${KEY}' } },
    odd: { url: 'https://x.test' },
  })
  expect(warnings).toEqual([expect.stringContaining('odd: headers is neither')])
})

test("a program with all of its own under Zed's `command`", () => {
  const { byName } = read({
    context_servers: { a: { command: { path: 'npx', args: ['-y', 'x'], env: { A: '1' } } } },
  })
  expect(byName).toEqual({ a: { command: 'npx', args: ['-y', 'x'], env: { A: '1' } } })
})

test('servers in a list, and one alone', () => {
  const list = [{ name: 'a', command: 'x' }, { url: 'https://x.test' }]
  expect(read({ mcpServers: list }).byName).toEqual({ a: { command: 'x' }, 'server-2': { url: 'https://x.test' } })
  expect(read({ type: 'http', url: 'https://x.test', headers: { A: '1' } }).byName).toEqual({
    server: { url: 'https://x.test', headers: { A: '1' } },
  })
})
