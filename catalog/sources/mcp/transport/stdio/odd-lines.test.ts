import { expect, test } from 'vitest'
import { startSource, until } from '../../fixtures/recorded-source.ts'

/** A server of one tool, whose messages go out by `send(text, message)`. */
const server = (send: string): string => `
  const send = (text, message) => process.stdout.write(${send})
  const answers = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'grüße' }] },
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (id === undefined) return
    const end = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'no' } }
    const message = { jsonrpc: '2.0', id, ...end }
    send(JSON.stringify(message), message)
  })`

test.each([
  ['begins with a byte order mark', "'\\uFEFF' + text + '\\n'"],
  ['ends lines as Windows does', "text + '\\r\\n'"],
  ['sends codes of a terminal before a message', "'\\x1b[2K\\x1b[1G' + text + '\\n'"],
  ['writes an error that is null', "JSON.stringify({ error: null, ...message }) + '\\n'"],
  ['leaves out the version', "JSON.stringify({ ...message, jsonrpc: undefined }) + '\\n'"],
  ['answers in a list', "'[' + text + ']\\n'"],
  ['gives numbers back as texts', "JSON.stringify({ ...message, id: String(message.id) }) + '\\n'"],
  ['prints without a line feed before it answers', "'Loading... 100%' + text + '\\n'"],
  ['answers and notifies in one line', `text + '{"jsonrpc":"2.0","method":"notifications/message"}\\n'`],
  ['notifies and answers in one line', `'{"jsonrpc":"2.0","method":"notifications/message"} ' + text + '\\n'`],
  ['logs its answers before it gives them', "'-> ' + text + '\\n' + text + '\\n'"],
  ['logs JSON in between', '\'{"level":"info"}\\nnull\\n[]\\n7\\n\' + text + \'\\n\''],
])('a server that %s is used like any other', async (_what, send) => {
  const servers = { odd: { command: process.execPath, args: ['-e', server(send)] } }
  await using recorded = startSource({ servers })
  await recorded.ready('odd')
  expect(await recorded.text('odd', 'echo')).toBe('grüße')
})

const instead = (answer: string): string =>
  `JSON.stringify(message.result?.content ? { jsonrpc: '2.0', id: message.id, ${answer} } : message) + '\\n'`

test.each([
  ['a text for a result', "result: 'done'", ['bad-answer', 'is no message of the protocol']],
  ['a list for a result', 'result: [1]', ['bad-answer', 'is no message of the protocol']],
  ['a result and an error', "result: {}, error: { code: 1, message: 'no' }", ['bad-answer', 'is no message']],
  ['a refusal of null', "id: null, error: { code: -32700, message: 'unreadable' }", ['protocol-error', 'unreadable']],
  [
    'a refusal of none',
    "id: undefined, error: { code: -32700, message: 'unreadable' }",
    ['protocol-error', 'unreadable'],
  ],
] as const)('%s ends the call that waits for it at once', async (_what, answer, [code, message]) => {
  const servers = { odd: { command: process.execPath, args: ['-e', server(instead(answer))], timeoutMs: 60_000 } }
  await using recorded = startSource({ servers })
  await recorded.ready('odd')
  const call = recorded.call('odd', 'echo')
  await expect(call).rejects.toMatchObject({ code })
  await expect(call).rejects.toThrow(message)
})

test('a server that ends lines at separators too, as readline does, reads arguments that have some', async () => {
  const servers = { odd: { command: process.execPath, args: ['-e', server("text + '\\n'")] } }
  await using recorded = startSource({ servers })
  await recorded.ready('odd')
  expect(await recorded.text('odd', 'echo', { said: 'a\u2028b\u2029c\u0085d' })).toBe('grüße')
})

test('an answer without a line feed that a server ends with is an answer', async () => {
  const last = "message.result?.content ? (setTimeout(() => process.exit(0), 20), text) : text + '\\n'"
  const servers = { odd: { command: process.execPath, args: ['-e', server(last)] } }
  await using recorded = startSource({ servers })
  await recorded.ready('odd')
  expect(await recorded.text('odd', 'echo')).toBe('grüße')
})

test('last words without a line feed are told', async () => {
  const said = "process.stderr.write('error: no key is set'); process.exitCode = 3"
  await using recorded = startSource({ servers: { odd: { command: process.execPath, args: ['-e', said] } } })
  await until(() => recorded.states.some(([, { kind }]) => kind === 'down'))
  expect(recorded.states.at(-1)?.[1]).toMatchObject({ reason: expect.stringContaining('no key is set') })
})

test.each(['notifications/initialized', 'tools/list'])(
  'a server that ends at %s is down with how it ended, not as one that is slow',
  async (at) => {
    const end = `if (JSON.parse(line).method === '${at}') { console.error('error: no key is set'); process.exit(3) }`
    const ends = server("text + '\\n'").replace("'line', (line) => {", `'line', (line) => { ${end}`)
    await using recorded = startSource({ servers: { odd: { command: process.execPath, args: ['-e', ends] } } })
    await until(() => recorded.states.some(([, { kind }]) => kind === 'down'))
    const reason = 'the server exited with code 3 before it was ready; it last wrote: error: no key is set'
    expect(recorded.states.at(-1)?.[1]).toMatchObject({ reason })
  },
)

test.each([
  ['stdin', 0],
  ['stdout', 1],
])('a server that closes its %s and lives on is started again', async (stream, descriptor) => {
  const deaf = server("text + '\\n'").replace('send(JSON', "if (method === 'tools/call') deafen(); send(JSON")
  const hold = 'setInterval(() => {}, 1000); process.stdout.on("error", () => {})'
  const deafen = `const deafen = () => { ${hold}; require("node:fs").closeSync(${descriptor}) };`
  const servers = { deaf: { command: process.execPath, args: ['-e', deafen + deaf] } }
  await using recorded = startSource({ servers })
  await recorded.ready('deaf')
  // The last thing that it hears is still answered.
  if (stream === 'stdin') expect(await recorded.text('deaf', 'echo')).toBe('grüße')
  await expect(recorded.call('deaf', 'echo')).rejects.toMatchObject({ code: 'connection-lost' })
  await until(() => recorded.states.length > 3)
  expect(recorded.states.map(([, state]) => state)).toMatchObject([
    { kind: 'connecting' },
    { kind: 'ready' },
    { kind: 'down', reason: `the server closed its ${stream}` },
    { kind: 'ready' },
  ])
})
