import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../catalog/json.ts'
import { aTool } from '../../catalog/testing/a-tool.ts'
import { anIndex } from '../../catalog/testing/an-index.ts'
import { aView } from '../../catalog/testing/a-view.ts'
import { answerOperation } from './answer-operation.ts'
import type { Answer, Operation } from '../isolate/program-host.ts'
import { createQueryMemory } from '../surface/query-memory.ts'
import type { ToolSurface } from '../surface/tool-surface.ts'
import { aToolSurface } from '../testing/a-tool-surface.ts'

const add = aTool({ owner: 'math', name: 'add', description: 'Add two numbers' })
const say = aTool({ owner: 'echo', name: 'say', description: 'Say a text' })
const NEVER = new AbortController().signal

interface Asked {
  readonly answer: Answer
  /** Id and arguments of each call that was made. */
  readonly calls: readonly unknown[]
  readonly notices: readonly string[]
}

/** Answers one operation on a surface of two tools, and tells what reached the dispatcher. */
async function ask(operation: Operation): Promise<Asked> {
  const calls: unknown[] = []
  const surface = aSurface((id, args) => calls.push([id, args]))
  const answer = await answerOperation(operation, { surface, ...others }, NEVER)
  return { answer, calls, notices: surface.notices().map(({ code }) => code) }
}

function aSurface(onCall: (id: unknown, args: JsonValue) => void): ToolSurface {
  const tools = [add, say]
  const view = aView(tools)
  return aToolSurface(
    {
      index: anIndex(tools),
      dispatch: async ({ callId, target, args }) => {
        onCall(target.kind === 'text' ? target.text : target, args)
        const outcome = { kind: 'ok', value: 1, result: { content: [] }, effect: 'done' } as const
        return { callId, requested: 'x', receiptId: 'r', notices: [], ms: 1, outcome }
      },
    },
    { view, caller: { tenant: 't', agent: 'default' }, memory: createQueryMemory() },
  )
}

const others = {
  values: { get: async () => undefined, set: async () => ({ stored: true, usedBytes: 0 }) },
  artifacts: {
    put: async () => ({ id: 'a', bytes: 1, mimeType: 'text/plain', preview: '' }),
    read: async () => undefined,
  },
  warn: () => undefined,
  onArtifact: () => undefined,
  resultIntoIsolateBytes: 100_000,
  held: {
    hold: {
      begin: () => Promise.reject(new Error('nothing waits here')),
      end: async () => {},
      parked: NEVER,
      reachesClient: false,
    },
    frozen: undefined,
  },
}

const aCall = (text: JsonValue, args: JsonValue = {}): Operation => ({
  kind: 'call',
  selector: { kind: 'text', text },
  args,
  options: {},
})
const aHit = { id: add.id, name: 'add', description: 'Add', source: 'plugin', owner: 'math', signature: '()', score: 1 }
const args = { a: 2, b: 3 }

describe('a call of a program', () => {
  test.each<[string, Operation]>([
    ['an id and arguments', aCall(add.id, args)],
    ['an object of both', aCall({ id: add.id, args })],
    ['a hit and arguments', aCall(aHit, args)],
    ['a hit with arguments', aCall({ ...aHit, args })],
    ['an object with the id, and arguments', aCall({ id: add.id }, args)],
  ])('of %s is made, and nothing is said', async (_, operation) => {
    expect(await ask(operation)).toMatchObject({ calls: [[add.id, args]], notices: [] })
  })

  test.each<[string, Operation]>([
    ['other names for both', aCall({ name: add.id, arguments: args })],
    ['another name for the id', aCall({ tool: add.id }, args)],
    ['arguments as JSON text', aCall({ toolId: add.id, input: JSON.stringify(args) })],
    ['arguments beside the id', aCall({ id: add.id, ...args })],
    ['dotted arguments', aCall({ id: add.id, args: {}, 'args.a': 2, 'args.b': 3 })],
  ])('with %s is made, and it is said', async (_, operation) => {
    const { calls, notices } = await ask(operation)
    expect(calls).toEqual([[add.id, args]])
    expect(notices).toContain('call-repaired')
  })

  test.each<[string, Operation, string]>([
    ['nothing', aCall(null), 'got nothing; a search hit has it as hit.id'],
    ['a number', aCall(5), 'got a number'],
    ['a list', aCall([add.id]), 'got a list'],
    ['an object without an id', aCall({ args }), 'no tool is named'],
    ['two ids', aCall({ id: add.id, toolId: say.id, args }), 'two tools are named'],
    ['arguments twice', aCall({ id: add.id, args: { a: 1 } }, args), 'given twice'],
  ])('of %s is refused, and nothing is called', async (_, operation, words) => {
    const { answer, calls } = await ask(operation)
    expect(calls).toEqual([])
    expect(answer).toMatchObject({ kind: 'error', code: 'invalid-input', message: expect.stringContaining(words) })
  })
})

test('an object that was written into an argument as text is told of', async () => {
  const args = { text: 'sum: [object Object]' }
  const selector = { kind: 'text', text: say.id } as const
  expect((await ask({ kind: 'call', selector, args, options: {} })).notices).toEqual(['object-as-text'])
})

test.each<[string, JsonValue]>([
  ['no artifact has', 'art_1'],
  ['is no text', { artifact: 'art_1' }],
])('an id of an artifact that %s is refused with where ids stand', async (_, id) => {
  const { answer } = await ask({ kind: 'artifact-read', id, options: {} })
  expect(answer).toMatchObject({ kind: 'error', message: expect.stringContaining('`artifact` of a result') })
})

test('a result that is too large is told of, with how to read it', async () => {
  const surface = aSurface(() => undefined)
  const answer = await answerOperation(aCall(add.id, args), { surface, ...others, resultIntoIsolateBytes: 0 }, NEVER)
  expect(answer).toMatchObject({ value: { artifact: 'a' } })
  expect(surface.notices()[0]?.message).toContain('tools.artifact(handle.artifact')
})

describe('a search of a program', () => {
  test('that finds nothing says what its hidden notes say, and in a loop not without end', async () => {
    const surface = aSurface(() => undefined)
    for (const word of ['zzqx', 'qqzy', 'yyzq', 'xxqz', 'wwqy', 'vvqz']) {
      const query = `${word} ${'long '.repeat(400)}${word}`
      await answerOperation({ kind: 'search', query, options: {} }, { surface, ...others }, NEVER)
    }
    const told = surface.notices().filter(({ code }) => code === 'search-note')
    expect(told.some(({ message }) => message.includes('nothing matches'))).toBe(true)
    expect(told.length).toBeLessThan(5)
    const found = await ask({ kind: 'search', query: 'add two numbers', options: {} })
    expect(found.notices).toEqual([])
  })

  const search = (query: JsonValue, options: JsonValue = {}): Promise<Asked> => ask({ kind: 'search', query, options })

  test.each<[string, JsonValue, JsonValue]>([
    ['a text', 'add numbers', {}],
    ['an object', { query: 'add numbers' }, {}],
    ['a text and a number of hits', 'add numbers', 1],
  ])('takes %s', async (_, query, options) => {
    expect((await search(query, options)).answer).toMatchObject({ value: { hits: [{ id: add.id }] } })
  })

  test('takes a list of texts as several queries', async () => {
    expect((await search(['add numbers', 'say text'])).answer).toMatchObject({
      value: { results: [{ query: 'add numbers', hits: [{ id: add.id }] }, { query: 'say text' }] },
    })
  })

  test('says what it does not have', async () => {
    expect((await search('add', { top_k: 1 })).notices).toEqual(['option-ignored'])
  })
})

describe('a description', () => {
  test.each<[string, JsonValue]>([
    ['an id', add.id],
    ['a hit', aHit],
    ['an object with the id', { id: add.id }],
  ])('is given for %s', async (_, ids) => {
    expect((await ask({ kind: 'describe', ids, options: {} })).answer).toMatchObject({ value: { id: add.id } })
  })

  test('is given for each hit of a list', async () => {
    const { answer } = await ask({ kind: 'describe', ids: [aHit, { ...aHit, id: say.id }], options: {} })
    expect(answer).toMatchObject({ value: [{ id: add.id }, { id: say.id }] })
  })

  test('of several ids wants them as one list', async () => {
    const { answer } = await ask({ kind: 'describe', ids: add.id, options: say.id })
    expect(answer).toMatchObject({ kind: 'error', message: expect.stringContaining('tools.describe([id, id])') })
  })

  test('of one wrong id among several does not cost the others', async () => {
    const { answer } = await ask({ kind: 'describe', ids: [add.id, 'plugin:math:ad', say.id], options: {} })
    expect(answer).toMatchObject({
      value: [
        { id: add.id },
        { id: 'plugin:math:ad', error: { code: 'unknown-tool', message: expect.stringContaining(add.id) } },
        { id: say.id },
      ],
    })
    const none = await ask({ kind: 'describe', ids: ['plugin:math:ad'], options: {} })
    expect(none.answer).toMatchObject({ kind: 'error', code: 'unknown-tool' })
  })
})
