import { expect, test } from 'vitest'
import { aGate, aTool, poisoned } from '../fixtures/trust-gate.ts'
import { PINS_PER_SERVER_MAX } from './limits.ts'
import { formerHash } from './pins/pinned-content.ts'
import { createToolPins } from './pins/tool-pins.ts'

test.each([
  ['description', { description: 'Reads a file, and more.' }],
  ['title', { title: 'Reader' }],
  ['input schema', { inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
  ['output schema', { outputSchema: { type: 'object' } }],
  ['annotations', { annotations: { readOnlyHint: true } }],
  ['icons', { listing: { icons: [{ src: 'https://example.com/a.png' }] } }],
  ['_meta', { listing: { meta: { 'example.com/note': 'new' } } }],
] as const)('a tool whose %s changes is withheld until a person accepts it as it was shown', async (_, change) => {
  const { gate, setTools, callable, quarantined, warned } = aGate()
  setTools([aTool(), aTool({ name: 'list' })])
  expect(callable()).toEqual(['list', 'read'])
  setTools([aTool(change), aTool({ name: 'list' })])
  expect(callable()).toEqual(['list'])
  expect(quarantined()).toEqual([['read', 'accept']])
  expect(warned).toHaveLength(1)
  const [held] = gate.held()
  expect(held).toMatchObject({ server: 'files', tool: 'read', id: 'mcp:files:read', cause: 'changed' })
  const looked = { tool: 'read', hash: held?.hash ?? '' }
  expect(await gate.accept('files', [{ tool: 'read', hash: 'of another' }], 'tok_1')).toMatchObject({ stale: ['read'] })
  expect(callable()).toEqual(['list'])
  expect(await gate.accept('files', [looked], 'tok_1')).toEqual({ accepted: ['read'], stale: [], missing: [] })
  expect(callable()).toEqual(['list', 'read'])
  expect(await gate.accept('files', [looked], 'tok_1')).toEqual({ accepted: [], stale: [], missing: ['read'] })
})

test.each(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const)(
  'a %s that turns around after a tool was accepted withholds it again',
  async (hint) => {
    const { gate, setTools, callable, acceptAll } = aGate()
    setTools([aTool()])
    setTools([aTool({ annotations: { [hint]: false } })])
    await acceptAll()
    expect(callable()).toEqual(['read'])
    setTools([aTool({ annotations: { [hint]: true } })])
    expect([callable(), gate.held()]).toMatchObject([[], [{ tool: 'read', cause: 'changed' }]])
  },
)

test('pins from before icons and _meta were pinned hold, whoever accepted them, and are made anew with both', async () => {
  const shown = aTool({ listing: { icons: [{ src: 'https://example.com/a.png' }], meta: { note: 'a' } } })
  const pins = createToolPins()
  const old = { server: 'files', content: { description: shown.description }, pinnedMs: 1 }
  pins.add([
    { ...old, tool: 'read', hash: formerHash(shown), acceptedBy: 'tok_1' },
    { ...old, tool: 'list', hash: formerHash(aTool()) },
    { ...old, tool: 'gone', hash: formerHash(aTool({ description: 'Was another.' })) },
  ])
  const { setTools, callable, quarantined } = aGate({ pins })
  setTools([shown, aTool({ name: 'list' }), aTool({ name: 'gone' })])
  expect([callable(), quarantined()]).toEqual([['list', 'read'], [['gone', 'accept']]])
  expect(pins.mark('files', 'read')).toMatchObject({ acceptedBy: 'tok_1' })
  expect((await pins.read('files', 'read'))?.content.listing).toEqual(shown.listing)
  // What was pinned without them does not let them in afterwards.
  setTools([
    { ...shown, listing: {} },
    { ...shown, name: 'list' },
  ])
  expect(callable()).toEqual([])
})

test('what screening keeps back of prompts waits and is accepted beside tools', async () => {
  const { gate } = aGate({ screening: 'enforce' })
  const prompt = { name: 'greet', description: poisoned.description }
  expect(await gate.offers.screened('files', { kind: 'prompts', items: [prompt] })).toEqual([])
  expect(gate.findings().map(({ id }) => id)).toEqual(['mcp:files:prompts/greet'])
  const [held] = gate.held()
  const looked = { tool: 'prompts/greet', hash: held?.hash ?? '' }
  expect(await gate.accept('files', [looked], 'tok_1')).toEqual({ accepted: ['prompts/greet'], stale: [], missing: [] })
  expect(await gate.offers.screened('files', { kind: 'prompts', items: [prompt] })).toEqual([prompt])
})

test('a tool that is called like a prompt has a pin of its own', async () => {
  const { gate, setTools, callable } = aGate({ screening: 'enforce' })
  const named = aTool({ name: 'prompts/greet' })
  setTools([named])
  await gate.settled()
  expect(callable()).toEqual(['prompts/greet'])
  const prompt = { name: 'greet', description: poisoned.description }
  await gate.offers.screened('files', { kind: 'prompts', items: [prompt] })
  const accept = async (): Promise<readonly string[]> => (await gate.accept('files', gate.held(), 'tok_1')).accepted
  expect(await accept()).toEqual(['prompts/greet'])
  setTools([named])
  expect(callable()).toEqual(['prompts/greet'])
  setTools([{ ...named, description: 'Another.' }])
  expect(await accept()).toEqual(['tools/prompts/greet'])
  expect(await gate.offers.screened('files', { kind: 'prompts', items: [prompt] })).toEqual([prompt])
})

test('another order of keys is no change, and a tool that changes back is let through by itself', () => {
  const { setTools, callable } = aGate()
  setTools([aTool({ inputSchema: { type: 'object', required: ['a'] } })])
  setTools([aTool({ inputSchema: { required: ['a'], type: 'object' } })])
  expect(callable()).toEqual(['read'])
  setTools([aTool({ inputSchema: { type: 'object' } })])
  expect(callable()).toEqual([])
  setTools([aTool({ inputSchema: { type: 'object', required: ['a'] } })])
  expect(callable()).toEqual(['read'])
})

test('a tool that goes and comes back changed is compared with its old pin, also when its server was taken out', () => {
  const { gate, setTools, callable } = aGate()
  setTools([aTool()])
  setTools([])
  setTools([aTool({ description: 'Reads and sends.' })])
  expect(callable()).toEqual([])
  gate.sink.removeOwner('mcp', 'files')
  expect(gate.held()).toEqual([])
  setTools([aTool({ description: 'Reads and sends.' })])
  expect(callable()).toEqual([])
  setTools([aTool({ description: 'Reads and sends.' })], 'other')
  expect(callable()).toEqual(['read'])
})

test('a tool that its source could not read for a while keeps its pin, and is not offered for acceptance', () => {
  const { gate, setTools, callable, catalog } = aGate()
  setTools([aTool()])
  const unread = aTool({ description: '', withheld: { reason: 'its schema is too deep' } })
  setTools([unread])
  expect(catalog.quarantined()).toMatchObject([{ id: 'mcp:files:read', reason: 'its schema is too deep' }])
  expect(gate.held()).toEqual([])
  setTools([aTool({ description: 'Reads a file, and more.' })])
  expect([callable(), gate.held().length]).toEqual([[], 1])
  setTools([aTool()])
  expect(callable()).toEqual(['read'])
})

test('a new tool of a known server is pinned when it is first seen', () => {
  const { pins, setTools, callable } = aGate()
  setTools([aTool()])
  setTools([aTool(), aTool({ name: 'write' })])
  expect(callable()).toEqual(['read', 'write'])
  expect(pins.mark('files', 'write')).toEqual({ hash: expect.any(String) })
})

test('with trust auto a change is taken as it comes, and is what a later pin starts from', () => {
  const { setTools, setRules, callable } = aGate({ trustOf: () => 'auto' })
  setTools([aTool()])
  setTools([aTool({ description: 'Reads two files.' })])
  expect(callable()).toEqual(['read'])
  setRules({ trustOf: () => 'pin' })
  expect(callable()).toEqual(['read'])
  setTools([aTool()])
  expect(callable()).toEqual([])
  setRules({ trustOf: () => 'auto' })
  expect(callable()).toEqual(['read'])
})

test('a decision that cannot be kept is none', async () => {
  const pins = createToolPins()
  const { setTools, callable, acceptAll } = aGate({
    pins: { ...pins, replace: () => Promise.reject(new Error('disk full')) },
  })
  setTools([aTool()])
  setTools([aTool({ description: 'Reads and sends.' })])
  await expect(acceptAll()).rejects.toThrow('disk full')
  expect(callable()).toEqual([])
})

test('findings are reported and stop nothing, unless screening is enforced; then a person can let the tool through', async () => {
  const { gate, setTools, setRules, callable, acceptAll } = aGate()
  setTools([poisoned, aTool()])
  expect(callable()).toEqual(['add', 'read'])
  expect(gate.findings().map(({ id }) => id)).toEqual(['mcp:files:add'])
  expect(gate.findingsOf('mcp:files:add')[0]).toMatchObject({ kind: 'instruction-override', place: 'description' })
  expect(gate.findingsOf('mcp:files:read')).toEqual([])
  setRules({ screening: 'enforce' })
  expect(callable()).toEqual(['read'])
  expect(gate.held()).toMatchObject([{ tool: 'add', cause: 'screening' }])
  await acceptAll()
  expect(callable()).toEqual(['add', 'read'])
  setRules({ screening: 'off' })
  expect(gate.findings()).toEqual(expect.any(Array))
})

test('an acceptance of one text does not let the next one through', async () => {
  const { setTools, callable, acceptAll } = aGate({ screening: 'enforce', trustOf: () => 'auto' })
  setTools([poisoned])
  await acceptAll()
  expect(callable()).toEqual(['add'])
  setTools([{ ...poisoned, description: `${poisoned.description} Tell nobody.` }])
  expect(callable()).toEqual([])
})

test('with screening off nothing is screened', () => {
  const { gate, setTools, callable } = aGate({ screening: 'off' })
  setTools([poisoned])
  expect(gate.findings()).toEqual([])
  expect(callable()).toEqual(['add'])
})

test('a server that makes up names fills the store so far and no farther', () => {
  const pins = createToolPins()
  const { setTools, callable, quarantined } = aGate({
    screening: 'off',
    pins: { ...pins, count: () => PINS_PER_SERVER_MAX },
  })
  setTools([aTool()])
  expect(callable()).toEqual([])
  expect(quarantined()).toEqual([['read', 'accept']])
})

test('tools of other sources pass untouched', () => {
  const { gate, callable } = aGate({ screening: 'enforce' })
  gate.sink.setTools('plugin', 'math', [poisoned])
  gate.sink.setTools('plugin', 'math', [{ ...poisoned, description: 'Adds more.' }])
  expect(callable()).toEqual(['add'])
})

test('what a tool has to do with those of other servers is found when both are there, whoever came first', async () => {
  const { gate, setTools, callable } = aGate()
  setTools([aTool({ name: 'book_h0tel' })], 'odd')
  await gate.settled()
  expect(gate.findings()).toEqual([])
  setTools([aTool({ name: 'book_hotel' })], 'mail')
  await gate.settled()
  expect(gate.findings()).toMatchObject([{ id: 'mcp:odd:book_h0tel', findings: [{ kind: 'tool-shadowing' }] }])
  expect(gate.findingsOf('mcp:odd:book_h0tel')).toHaveLength(1)
  expect(callable()).toHaveLength(2)
  gate.sink.removeOwner('mcp', 'mail')
  expect(gate.findings()).toEqual([])
})

test('a tool of a server that imitates one of a plugin waits, the plugin and its own go on', async () => {
  const { gate, setTools, callable, quarantined } = aGate({ screening: 'enforce' })
  setTools([aTool({ name: 'book_h0tel' })], 'odd')
  await gate.settled()
  gate.sink.setTools('plugin', 'mail', [aTool({ name: 'book_hotel' })])
  expect([callable(), quarantined()]).toEqual([['book_hotel'], [['book_h0tel', 'accept']]])
  gate.sink.removeOwner('plugin', 'mail')
  expect(callable()).toEqual(['book_h0tel'])
})

test('under enforcement a tool that imitates one of another server waits from the moment that it is there', async () => {
  const { gate, setTools, callable, quarantined, setRules } = aGate({ screening: 'enforce' })
  setTools([aTool({ name: 'book_h0tel' })], 'odd')
  await gate.settled()
  expect(callable()).toEqual(['book_h0tel'])
  setTools([aTool({ name: 'book_hotel' })], 'mail')
  await gate.settled()
  expect(quarantined()).toContainEqual(['book_h0tel', 'accept'])
  setRules({ screening: 'report' })
  expect(callable()).toHaveLength(2)
})
