import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { startSource } from '../../fixtures/recorded-source.ts'
import { PLAIN_CALL_FIRST_ID } from '../../limits.ts'
import { PipeIds } from './pipe-ids.ts'

const request = (id: string | number, method = 'tools/list'): JSONRPCMessage => ({ jsonrpc: '2.0', id, method })
const idOf = (message: JSONRPCMessage) => ('id' in message ? message.id : undefined)

test.each([
  ['a request', 0],
  ['a call', PLAIN_CALL_FIRST_ID + 1],
  ['a subscription', 'listen:0'],
])('an answer to %s has the id that it went out by', (_what, id) => {
  const ids = new PipeIds()
  const onPipe = idOf(ids.sent(request(id))) ?? ''
  const answer = { jsonrpc: '2.0', result: {} } as const
  expect(ids.received({ ...answer, id: onPipe })).toEqual({ kind: 'message', message: { ...answer, id } })
  expect(ids.received({ ...answer, id: String(onPipe) })).toEqual({ kind: 'message', message: { ...answer, id } })
})

test.each(['server/discover', 'initialize', 'tools/list', 'tools/call', 'ping', 'prompts/get', 'resources/read'])(
  'our own %s, come back, is no question',
  (method) => {
    const ids = new PipeIds()
    expect(ids.received(ids.sent(request(3, method)))).toEqual({ kind: 'echo' })
  },
)

test('our own answer to a question, come back, answers nothing, whatever we have asked', () => {
  const ids = new PipeIds()
  for (let id = 0; id < 20; id += 1) ids.sent(request(id))
  for (let id = 0; id < 20; id += 1) {
    const answer = ids.sent({ jsonrpc: '2.0', id, result: {} })
    expect(ids.received(answer)).toEqual({ kind: 'stray' })
  }
})

test.each(['ping', 'sampling/createMessage', 'elicitation/create', 'roots/list'])('a server may ask %s', (method) => {
  const ids = new PipeIds()
  ids.sent(request(0))
  const question = request(0, method)
  expect(ids.received(question)).toEqual({ kind: 'message', message: question })
})

test('a cancellation and the messages of a subscription name a request as the other side knows it', () => {
  const ids = new PipeIds()
  const onPipe = idOf(ids.sent(request(4, 'subscriptions/listen')))
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' } as const
  expect(ids.sent({ ...cancelled, params: { requestId: 4 } })).toMatchObject({ params: { requestId: onPipe } })
  const named = (id: unknown) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } })
  const news = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const
  expect(ids.received({ ...news, params: named(onPipe) })).toEqual({
    kind: 'message',
    message: { ...news, params: named(4) },
  })
})

/** Prints every line that it gets as `print` says before it does anything, asks for roots and a ping, and answers only after that. */
const echoing = (print: string, revision: string): string => `
  const write = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
  const isNew = ${JSON.stringify(revision === '2026-07-28')}
  const stamp = isNew ? { resultType: 'complete' } : {}
  const answers = {
    ...(isNew
      ? { 'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' }, ttlMs: 0, cacheScope: 'private' } }
      : { initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } } }),
    ping: {},
    'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' },
    'tools/call': { content: [{ type: 'text', text: 'said' }] },
  }
  let asked = 0
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    process.stdout.write(${print})
    const { id, method } = JSON.parse(line)
    if (id === undefined || method === undefined) return
    // Small ids, as our client counts too; the answers to these come back before ours are given.
    if (!isNew && method !== 'initialize')
      for (let ask = 0; ask < 4; ask += 1) write({ jsonrpc: '2.0', id: asked++, method: ask % 2 ? 'ping' : 'roots/list' })
    const end = answers[method] ? { result: { ...stamp, ...answers[method] } } : { error: { code: -32601, message: 'no' } }
    setTimeout(() => write({ jsonrpc: '2.0', id, ...end }), 30)
  })`

test.each([
  ['as it is', "line + '\\n'", '2025-06-18'],
  ['behind other text', "'received ' + line + '\\n'", '2025-06-18'],
  ['as it is', "line + '\\n'", '2026-07-28'],
  ['behind other text', "'received ' + line + '\\n'", '2026-07-28'],
])('a server that prints what it is sent, %s, is used like any other: %s, %s', async (_how, print, revision) => {
  const servers = { echo: { command: process.execPath, args: ['-e', echoing(print, revision)] } }
  await using recorded = startSource({ servers })
  await recorded.ready('echo')
  expect(recorded.source.status()).toMatchObject([{ protocolVersion: revision }])
  expect(recorded.tools('echo').map(({ name }) => name)).toEqual(['say'])
  expect(await recorded.text('echo', 'say')).toBe('said')
})

test('a program that does nothing but print what it is sent is no server, and its words are told', async () => {
  const servers = { cat: { command: process.execPath, args: ['-e', 'process.stdin.pipe(process.stdout)'] } }
  await using recorded = startSource({ servers, timing: { probeMs: 100, connectMs: 400 } })
  await expect.poll(() => recorded.states.at(-1)?.[1].kind, { timeout: 10_000 }).toBe('down')
  const reason = expect.stringContaining('the server did not answer; its stdout has lines that are no messages')
  expect(recorded.states.at(-1)?.[1]).toMatchObject({ reason })
})
