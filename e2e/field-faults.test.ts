import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeUpstream, ScriptedCall, Step } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'
import { connectClient } from './testing/mcp-clients.ts'
import { waitUntil } from './testing/wait-until.ts'

/** What went wrong in the field with names, schemas, lists, results and calls of models; one gateway for all of it. */
let gateway: GatewayProcess
let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream()
  gateway = await startGateway({ config: configIn('code') })
  await waitUntil('the server is connected', async () => {
    const { sourceDetails } = (await gateway.api.get('/readyz')).body
    return sourceDetails.some(
      ({ owner, state }: { owner: string; state: { kind: string } }) => owner === 'faults' && state.kind === 'ready',
    )
  })
})

afterAll(async () => {
  await gateway?.remove()
  await upstream?.close()
})

const configIn = (mode: string) => ({
  models: {
    default: 'fake/model-1',
    providers: { fake: { api: 'openai-chat', baseUrl: upstream.baseUrl, apiKey: 'upstream-key-123456', retries: 0 } },
  },
  mcp: { servers: { faults: server('faults.mjs'), mute: server('mute.mjs') } },
  tools: { toolSearch: { mode } },
})
const server = (file: string) => ({ command: process.execPath, args: [path.join(FIXTURES, 'servers', file)] })

async function useMode(mode: string): Promise<void> {
  await gateway.writeConfig(configIn(mode))
  await waitUntil(`mode ${mode} is in force`, async () => (await gateway.api.get('/readyz')).body.mode.inForce === mode)
}

/** What the model is told of its calls, in their order. */
async function told(...calls: readonly ScriptedCall[]): Promise<readonly string[]> {
  return toldAfter({ calls })
}

async function toldAfter(step: Step): Promise<readonly string[]> {
  upstream.script(step, { say: 'Done.' })
  const { status, body } = await gateway.api.chat('Do it')
  expect([status, body.choices?.[0].message.content]).toEqual([200, 'Done.'])
  // Calls of the gateway's own tools are no business of the client's.
  expect(body.choices[0].finish_reason).toBe('stop')
  expect(body.choices[0].message.tool_calls).toBeUndefined()
  const results = upstream.messages(2).filter((message: { role: string }) => message.role === 'tool')
  return results.map((message: { content: string }) => message.content)
}

const call = async (tool: string, args: object = {}) => (await gateway.api.call(tool, args)).body
const LONG = 'a_name_that_is_longer_than_every_provider_takes_and_shares_its_beginning_with'

describe('names', () => {
  test.each([
    ['read-file', 'read-file'],
    ['read_file', 'read_file'],
    ['delete', 'delete'],
    ['a.b/c-d', 'a.b/c-d'],
    ['_status', '_status'],
    [`${LONG}_one`, `${LONG}_one`],
    [`${LONG}_two`, `${LONG}_two`],
  ])('%s is called by its id and by its name, and no other is', async (name, value) => {
    expect(await call(`mcp:faults:${name}`)).toMatchObject({ outcome: 'ok', value })
    expect(await call(name)).toMatchObject({ outcome: 'ok', value })
  })

  test.each([
    'readfile',
    'read file',
    'Read_File',
    ' delete',
    'mcp:faults:delet',
    'faults:delete',
    'mcp:FAULTS:delete',
  ])('%j is none of them: suggestions, and nothing runs', async (name) => {
    const answer = await call(name)
    expect(answer).toMatchObject({ outcome: 'unknown-tool', effect: 'none' })
    expect(answer.suggestions.length).toBeGreaterThan(0)
  })

  test('in a program twins do not cross, and what an identifier cannot spell is met', async () => {
    const run = await gateway.api.run(`
      const { faults } = tools
      return [await faults['read-file'](), await faults.read_file(), await faults.delete(), await faults.a_b_c_d()]`)
    expect(run.value).toEqual(['read-file', 'read_file', 'delete', 'a.b/c-d'])
  })
})

describe('schemas', () => {
  test('each bad one costs its own tool, which is named with the reason and found nowhere', async () => {
    const { quarantined } = (await gateway.api.get('/readyz')).body
    const bad = ['bad_type', 'takes_text', 'bad_result']
    expect(quarantined.map(({ id }: { id: string }) => id)).toEqual(bad.map((name) => `mcp:faults:${name}`))
    for (const name of bad) {
      const found = JSON.stringify(await gateway.api.search(name.replace('_', ' ')))
      expect(found).not.toContain(`mcp:faults:${name}`)
      expect(await call(`mcp:faults:${name}`)).toMatchObject({ outcome: 'unavailable' })
      expect((await gateway.api.get(`/v1/tools/mcp:faults:${name}`)).status).toBe(404)
    }
  })

  test('alternatives, conditions and types at the root are enforced', async () => {
    expect(await call('either_way')).toMatchObject({
      outcome: 'invalid-input',
      problems: [{ expected: 'either "city" or "latitude"' }],
    })
    expect(await call('either_way', { city: 'Oslo', latitude: 1 })).toMatchObject({ outcome: 'invalid-input' })
    expect(await call('either_way', { city: 'Oslo' })).toMatchObject({ outcome: 'ok' })
    expect(await call('if_then', { urgent: true })).toMatchObject({
      outcome: 'invalid-input',
      problems: [{ path: '/reason' }],
    })
    expect(await call('if_then', { urgent: true, reason: 'fire' })).toMatchObject({ outcome: 'ok' })
  })

  test('what a server lists survives, and what is no business of a model does not', async () => {
    const { body, text } = await gateway.api.get('/v1/tools/mcp:faults:fit_window')
    expect(body).toMatchObject({
      title: 'Fit a window',
      annotations: { readOnlyHint: true, destructiveHint: false },
      inputSchema: { $defs: { App: { properties: { opens: { $ref: '#/$defs/App' } } } } },
    })
    expect(text).not.toMatch(/defer_loading|internal-value/)
    // A comment cannot be closed from inside, and recursion is named.
    expect(body.signature).toBe(
      '(args: { app: App /* ends * / here */ }) => Promise<unknown>\ntype App = { name?: string; opens?: App }',
    )
  })
})

describe('results', () => {
  test.each([[[1, null]], [null], [7], [''], [false], [{}], [{ a: [] }]])(
    'structured %j comes as it is',
    async (value) => {
      expect(await call('give', { value })).toMatchObject({ outcome: 'ok', value })
      const run = await gateway.api.run(`return [await tools.faults.give({ value: ${JSON.stringify(value)} })]`)
      expect(run.value).toEqual([value])
    },
  )

  test('without content is the empty text; with a result schema that names no type it is checked by what it says', async () => {
    expect(await call('give_nothing')).toMatchObject({ outcome: 'ok', value: '' })
    expect(await call('untyped_result')).toMatchObject({ outcome: 'ok', value: { n: 1 } })
  })

  test('that are errors keep the words of the tool, whatever its result schema asks for', async () => {
    expect(await call('fails_by_schema')).toMatchObject({ outcome: 'failed', message: 'the disk is full' })
  })
})

describe('searches', () => {
  test.each(['delete', ' DELETE ', 'mcp:faults:delete', 'MCP:FAULTS:Delete'])(
    '%j finds what it names first',
    async (query) => {
      const { hits, notes } = await gateway.api.search(query)
      expect(hits[0].id).toBe('mcp:faults:delete')
      expect(notes.join('\n')).toMatch(/still connecting: mute/)
    },
  )

  test('for what is not there end the hunt', async () => {
    const { hits, notes } = await gateway.api.search('frobnicate the quux')
    expect(hits).toEqual([])
    expect(notes[0]).toMatch(/nothing matches.*faults.*searching again will not find one/)
  })

  test('see a tool as soon as its server lists it', async () => {
    expect((await gateway.api.search('juggle oranges')).hits).toEqual([])
    await call('learn')
    const hit = await waitUntil('it is found', async () => (await gateway.api.search('juggle oranges')).hits[0])
    expect(hit.id).toBe('mcp:faults:juggle_oranges')
    expect(await call('juggle_oranges')).toMatchObject({ value: 'juggle_oranges' })
  })
})

test('an id of another kind is told from one that never was', async () => {
  const { body: ended } = await gateway.api.call('mcp:faults:delete', {})
  expect((await gateway.api.get(`/v1/runs/${ended.receipt}`)).body.error.message).toContain('the id of a receipt')
  expect((await gateway.api.get('/v1/approvals/run_1')).body.error.message).toContain('the id of a run')
})

describe('a model in code mode', () => {
  test.each([
    ['mcp:faults:delete', {}, 'return await tools.call("mcp:faults:delete", {})'],
    ['mcp__faults__read_file', { path: 'a' }, 'return await tools.call("mcp:faults:read_file", {"path":"a"})'],
    ['tools.search', { query: 'x' }, 'return await tools.search("x")'],
    ['tool_call', { id: 'delete', args: {} }, 'return await tools.call("delete", {})'],
  ])('that calls %s as if it were shown gets the program that does it', async (name, args, code) => {
    const [answer = ''] = await told({ name, args })
    expect(JSON.parse(answer).error).toContain(`tool_search_code with ${JSON.stringify({ code })}`)
  })

  test('whose program returns promises, or forgets to call its function, gets values', async () => {
    const code = (program: string) => ({ name: 'tool_search_code', args: { code: program } })
    const answers = await told(
      code('return { a: tools.faults.delete(), b: [tools.faults.give({ value: null })] }'),
      code('(async () => 42)()'),
      code('({ ok: true })'),
      code('return JSON.stringify(tools.faults.delete())'),
      code('return [NaN, 12n, undefined, { [Symbol("s")]: 1 }]'),
    )
    expect(answers.map((answer) => JSON.parse(answer).value)).toEqual([
      { a: 'delete', b: [null] },
      42,
      { ok: true },
      undefined,
      [{ $number: 'NaN' }, { $bigint: '12' }, null, { $symbols: [['Symbol(s)', 1]] }],
    ])
    expect(JSON.parse(answers[3] ?? '').error.message).toContain('write await in front of it')
  })
})

describe('a model in tools mode', () => {
  beforeAll(() => useMode('tools'))

  test('writes the arguments of a call in many ways, and what it wrote arrives', async () => {
    const id = 'mcp:faults:take_parts'
    const answers = await told(
      { name: 'tool_call', args: { id, args: {}, 'args.text': 'dotted' } },
      { name: 'tool_call', args: { id, args: '{"text":"as JSON"}' } },
      { name: 'tool_call', args: { id, text: 'beside' } },
      { name: 'tool_call', args: { id, args: { options: '{"a":1}', items: '["x"]', text: '{"a":1}' } } },
      { name: ' tool_call ', args: { toolId: id, input: { text: 'renamed' } } },
    )
    expect(answers.map((answer) => JSON.parse(answer).value)).toEqual([
      { text: 'dotted' },
      { text: 'as JSON' },
      { text: 'beside' },
      { options: { a: 1 }, items: ['x'], text: '{"a":1}' },
      { text: 'renamed' },
    ])
  })

  test('that calls a tool it found as if it were shown gets the exact call; a near name runs nothing', async () => {
    const [found = '', near = ''] = await told(
      { name: 'read_file', args: { path: 'a' } },
      { name: 'tool_call', args: { id: 'readfile', args: {} } },
    )
    expect(JSON.parse(found).error).toContain('{ "id": "mcp:faults:read_file", "args": {"path":"a"} }')
    expect(JSON.parse(near)).toMatchObject({ outcome: 'unknown-tool', effect: 'none' })
  })

  test('gets several searches and descriptions in one answer, the wrong one named', async () => {
    const [searched = '', described = ''] = await told(
      { name: 'tool_search', args: { queries: ['delete', 'juggle knives with a bear'] } },
      { name: 'tool_describe', args: { ids: ['mcp:faults:delete', 'mcp:faults:delet'] } },
    )
    const [first] = JSON.parse(searched).results
    expect([first.query, first.hits[0].id]).toEqual(['delete', 'mcp:faults:delete'])
    expect(JSON.parse(described)).toMatchObject([
      { id: 'mcp:faults:delete', inputSchema: { type: 'object' } },
      { id: 'mcp:faults:delet', error: { code: 'unknown-tool' } },
    ])
  })
})

describe('a model that is shown every tool', () => {
  let shown: readonly { readonly function: { readonly name: string; readonly parameters: object } }[] = []
  const named = (start: string): string =>
    shown.find((tool) => tool.function.name.startsWith(start))?.function.name ?? ''

  beforeAll(async () => {
    await useMode('direct')
    upstream.script({ say: 'Hello.' })
    await gateway.api.chat('Hello')
    shown = upstream.seen[0]?.body.tools
  })

  test('gets names that every provider takes, each once', () => {
    const names = shown.map((tool) => tool.function.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name))).toEqual([])
    expect(names.filter((name) => name.startsWith('faults__a_name_that_is_longer'))).toHaveLength(2)
  })

  test('gets schemas that every provider takes, and nothing of the server besides', () => {
    for (const { function: definition } of shown) {
      expect(definition.parameters).toMatchObject({ type: 'object', properties: expect.any(Object) })
      expect(Object.keys(definition.parameters)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:oneOf|anyOf|allOf|if|not)$/)]),
      )
      expect(Object.keys(definition).toSorted()).toEqual(['description', 'name', 'parameters'])
    }
    expect(JSON.stringify(shown)).not.toMatch(/defer_loading|internal-value|icon\.png|taskSupport/)
  })

  test('is shown what the list of tools says, and can call it', async () => {
    const { tools, total } = (await gateway.api.get('/v1/tools?limit=200')).body
    expect([tools.length, shown.length]).toEqual([total, total])
    const names = shown.map((tool) => tool.function.name)
    upstream.script({ calls: names.slice(0, 8).map((name) => ({ name, args: {} })) }, { say: 'Done.' })
    await gateway.api.chat('Do it')
    expect(JSON.stringify(upstream.messages(2))).not.toMatch(/unknown-tool|there is no/)
  })

  test.each(['stateless', 'session'] as const)(
    'so is an MCP client of the %s protocol, with what hosts show of a tool',
    async (era) => {
      const client = await connectClient(era, { url: gateway.url, token: gateway.token })
      const { tools } = await client.listTools()
      const mine = tools.find((tool) => tool.name.startsWith('faults__fit_window'))
      expect(mine).toMatchObject({
        title: 'Fit a window',
        annotations: { readOnlyHint: true, destructiveHint: false },
        icons: [{ src: 'https://example.org/icon.png' }],
        _meta: { 'example/internal': 'internal-value-of-the-server' },
      })
      for (const value of [[1], null, 7, {}]) {
        const result = await client.callTool({ name: named('faults__give_'), arguments: { value } })
        // Before 2026 it had to be an object: anything else comes inside one.
        const isWrapped = era === 'session' && (Array.isArray(value) || typeof value !== 'object' || value === null)
        expect([result.structuredContent, result.isError ?? false]).toEqual([
          isWrapped ? { result: value } : value,
          false,
        ])
      }
      await client.close()
    },
  )

  test('gets the empty result of a tool of the client as a finished one', async () => {
    const note = { type: 'function', function: { name: 'take_note', parameters: { type: 'object', properties: {} } } }
    upstream.script({ calls: [{ name: 'take_note', args: {} }] }, { say: 'Done.' })
    const messages = [{ role: 'user', content: 'Do it' }]
    const ask = async (more: readonly object[]) =>
      (await gateway.api.chat('', { messages: [...messages, ...more], tools: [note] })).body.choices[0]
    const first = await ask([])
    expect(first.finish_reason).toBe('tool_calls')
    const [asked] = first.message.tool_calls
    const last = await ask([first.message, { role: 'tool', tool_call_id: asked.id, content: '' }])
    expect(last.message.content).toBe('Done.')
    expect(upstream.messages(2).at(-1)).toMatchObject({ role: 'tool', content: '' })
  })

  test('calls one tool twice alike, with white space around its name, and each call runs', async () => {
    const name = named('faults__delete')
    const answers = await told({ name, args: {} }, { name, args: {} }, { name: ` ${name} `, args: {} })
    expect(answers).toHaveLength(3)
    for (const answer of answers) expect(JSON.parse(answer)).toEqual({ outcome: 'ok', value: 'delete' })
  })

  test('is told of an empty result', async () => {
    expect((await told({ name: named('faults__give_nothing'), args: {} })).map((text) => JSON.parse(text))).toEqual([
      { outcome: 'ok', value: '' },
    ])
  })

  test('whose server sends parallel calls at one index and without ids has each of them run', async () => {
    const chunk = (delta: object, reason: string | null = null): string =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
    const part = (id: object) =>
      chunk({ tool_calls: [{ index: 0, ...id, function: { name: named('faults__delete'), arguments: '{}' } }] })
    for (const ids of [
      [{ id: 'a' }, { id: 'b' }],
      [{}, {}],
    ]) {
      const raw = `${ids.map(part).join('')}${chunk({}, 'stop')}data: [DONE]\n\n`
      expect(await toldAfter({ raw })).toHaveLength(2)
      const [asked] = upstream
        .messages(2)
        .filter((message: { tool_calls?: unknown }) => message.tool_calls !== undefined)
      expect(new Set(asked.tool_calls.map(({ id }: { id: string }) => id)).size).toBe(2)
    }
  })
})

describe('a command line', () => {
  test('finds by any spelling and calls by none but the exact one', async () => {
    const found = await gateway.cli('tools', 'search', ' DELETE', '--json')
    expect(JSON.parse(found.stdout).hits[0].id).toBe('mcp:faults:delete')
    const near = await gateway.cli('tools', 'call', 'delet')
    expect([near.code, near.stdout]).toEqual([1, ''])
    expect(near.stderr).toContain('did you mean "mcp:faults:delete"')
  })
})
