import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { JsonValue } from '../../catalog/json.ts'
import { createAbuseGateway } from './abuse/abuse-catalog.ts'
import { NEVER, aRequest } from './abuse/program-request.ts'
import { COMPUTING_PER_CORE, CORES_MIN } from './limits.ts'
import { createIsolatePool } from './pool.ts'
import type { Answer, ProgramEnd, ProgramHost, ProgramRequest, RunClock } from './program-host.ts'

let pool: ProgramHost
const defects: unknown[] = []
beforeAll(async () => {
  pool = await createIsolatePool({ workersMin: 2, workersMax: 6, onDefect: (error) => defects.push(error) })
})
afterAll(() => pool.close())

const run = (code: string, options?: Parameters<typeof aRequest>[1]): Promise<ProgramEnd> =>
  pool.run(aRequest(code, options), NEVER)

async function valueOf(code: string, options?: Parameters<typeof aRequest>[1]): Promise<JsonValue> {
  const end = await run(code, options)
  if (end.kind !== 'value') throw new Error(JSON.stringify(end))
  return end.value
}

const value = (json: JsonValue): Answer => ({ kind: 'value', value: json })

describe('a program', () => {
  test('searches, describes and calls through its hits', async () => {
    const code = `const [hit] = await tools.search('add')
const about = await hit.describe()
return [about.id, await hit.call({ a: 2, b: 3 }), await about.call({ a: 1, b: 1 })]`
    expect(await valueOf(code)).toEqual(['plugin:math:add', { sum: 5 }, { sum: 2 }])
  })

  test('gets notes and cursor of a search as hidden properties of the list', async () => {
    const answer = async (): Promise<Answer> => value({ hits: [{ id: 'x' }], notes: ['weak'], cursor: 'next' })
    const code = "const hits = await tools.search('x')\nreturn [hits.length, hits.notes, hits.cursor, hits]"
    expect(await valueOf(code, { answer })).toEqual([1, ['weak'], 'next', [{ id: 'x' }]])
  })

  test('finds the hits under the names that other APIs give them', async () => {
    const code = `const { hits } = await tools.search('add')
const { results } = await tools.search('add')
return [hits[0].id, results.length === hits.length, await hits[0].call({ a: 2, b: 3 }), JSON.stringify(hits).includes('results')]`
    expect(await valueOf(code)).toEqual(['plugin:math:add', true, { sum: 5 }, false])
  })

  test('gets the hits of several queries as lists with methods', async () => {
    const answer: ProgramRequest['answer'] = async (operation) =>
      operation.kind === 'search'
        ? value({
            results: [
              { query: 'a', hits: [{ id: 'x' }], notes: [] },
              { query: 'b', hits: [], notes: [] },
            ],
          })
        : value({
            called: operation.kind === 'call' && operation.selector.kind === 'text' ? operation.selector.text : null,
          })
    const code = `const found = await tools.search({ queries: ['a', 'b'] })
return [found.length, found.results[0].query, await found[0].hits[0].call(), found[1].hits]`
    expect(await valueOf(code, { answer })).toEqual([2, 'a', { called: 'x' }, []])
  })

  test('is told how to call a hit when it took the method off', async () => {
    const code = "const [{ call }] = await tools.search('add')\ntry { await call({}) } catch (e) { return e.message }"
    expect(await valueOf(code)).toContain('hit.call(args)')
  })

  test('names a tool by its id, part by part, for the three sources', async () => {
    const asked: unknown[] = []
    const answer: ProgramRequest['answer'] = async (operation) => {
      asked.push(operation.kind === 'call' && operation.selector)
      return value(null)
    }
    await run('await tools.plugin.math.add({ a: 1 })\nawait tools.mcp.x.y()\nawait tools.client.open()', { answer })
    expect(asked).toEqual([
      { kind: 'text', text: 'plugin:math:add' },
      { kind: 'text', text: 'mcp:x:y' },
      { kind: 'path', owner: 'client', name: 'open' },
    ])
    expect(await valueOf('return [typeof tools.math.add.execute, typeof (await tools.plugin.math)]')).toEqual([
      'undefined',
      'function',
    ])
  })

  test('leaves other forms of a list of calls to the gateway', async () => {
    const asked: unknown[] = []
    const answer: ProgramRequest['answer'] = async (operation) => {
      if (operation.kind === 'call') asked.push([operation.selector, operation.args])
      return value(null)
    }
    await run("await tools.callAll([['x', { a: 1 }], { name: 'y', params: { a: 2 } }, { id: 'z', a: 3 }])", { answer })
    expect(asked).toEqual([
      [{ kind: 'text', text: 'x' }, { a: 1 }],
      [{ kind: 'text', text: 'y' }, { a: 2 }],
      [{ kind: 'text', text: { id: 'z', a: 3 } }, {}],
    ])
  })

  test('names a tool by owner and name, or by its unique name', async () => {
    const asked: unknown[] = []
    const answer: ProgramRequest['answer'] = async (operation) => {
      asked.push(operation)
      return value(null)
    }
    await run("await tools.math.add({ a: 1 })\nawait tools.add({ a: 2 })\nawait tools['a-b']['c d']()", { answer })
    expect(asked).toEqual([
      { kind: 'call', selector: { kind: 'path', owner: 'math', name: 'add' }, args: { a: 1 }, options: {} },
      { kind: 'call', selector: { kind: 'text', text: 'add' }, args: { a: 2 }, options: {} },
      { kind: 'call', selector: { kind: 'path', owner: 'a-b', name: 'c d' }, args: {}, options: {} },
    ])
  })

  test('calls many tools at once and gets every outcome', async () => {
    const code = `return await tools.callAll([
  { id: 'plugin:math:add', args: { a: 1, b: 1 } },
  { id: 'plugin:fail:leaky' },
])`
    expect(await valueOf(code)).toEqual([
      { id: 'plugin:math:add', status: 'fulfilled', value: { sum: 2 } },
      {
        id: 'plugin:fail:leaky',
        status: 'rejected',
        reason: {
          $error: { name: 'ToolError', message: 'cannot open the file', effect: 'unknown', code: 'failed' },
        },
      },
    ])
  })

  test('reads an outcome as its value and by other names, and tells which is right', async () => {
    const code = `const [a, b] = await tools.callAll([{ id: 'plugin:math:add', args: { a: 1, b: 1 } }, { id: 'plugin:fail:leaky' }])
return [a.sum, a.ok, a.data.sum, b.success, b.error.code, a.error, b.nothing, a.sum, Object.keys(a), { ...a }]`
    const end = await run(code)
    const outcome = { id: 'plugin:math:add', status: 'fulfilled', value: { sum: 2 } }
    expect(end).toMatchObject({
      kind: 'value',
      value: [2, true, 2, false, 'failed', null, null, 2, ['id', 'status', 'value'], outcome],
    })
    expect(end.logs.map(({ text }) => text.split(': ')[1])).toEqual([
      '.sum was read as that of its value',
      '.ok was read as status === "fulfilled"',
      '.data was read as .value',
      '.success was read as status === "fulfilled"',
    ])
  })

  test('gives what was to be given where the store has nothing', async () => {
    expect(await valueOf("return [await tools.store.get('n', 7), await tools.store.get('n')]")).toEqual([7, null])
  })

  test('keeps values for later programs of the session', async () => {
    expect(await valueOf("await tools.store.set('k', { a: [1] })\nreturn await tools.store.get('k')")).toEqual({
      a: [1],
    })
  })

  test('is told so when it changes a part of the tools', async () => {
    const code = `const told = []
for (const change of [() => { tools.store.n = 1 }, () => { tools.x = 1 }, () => { tools.call = 1 }, () => { tools.math.add = 1 }, () => { tools.plugin.math.add = 1 }, () => { delete tools.store.get }, () => { tools.search.x = 1 }, () => { tools.store.get.x = 1 }, () => { tools.math.add.x = 1 }, () => { delete tools.call.name }])
  try { change() } catch (e) { told.push(e.name + ': ' + e.message) }
return told`
    const told = await valueOf(code)
    expect(told).toHaveLength(10)
    expect(told).toEqual(
      expect.arrayContaining([expect.stringMatching(/^TypeError: .*await tools\.store\.set\(key, value\)/)]),
    )
  })

  test('is told so when it looks for a value in the store itself, or takes the tools for a list', async () => {
    const code = `const told = []
for (const read of [() => tools.store.total, () => tools.store['a b'], () => tools.length, () => tools[0].id, () => Array.from(tools)])
  try { read(); told.push('nothing') } catch (e) { told.push(e.name + ': ' + e.message) }
return told`
    const store = expect.stringMatching(/^TypeError: tools\.store has no ".{3,5}"; .*tools\.store\.get\(key\)/)
    const list = expect.stringMatching(/^TypeError: tools is no list: await tools\.search/)
    expect(await valueOf(code)).toEqual([store, store, list, list, list])
    // What the language itself asks of any object is no such look.
    expect(
      await valueOf('console.log(tools.store, tools)\nreturn [await tools.store, `${tools.store.toJSON}`]'),
    ).toEqual([{ get: { $function: 'get' }, set: { $function: 'set' } }, 'undefined'])
  })

  test('waits a millisecond where it names no time that a timer can wait', async () => {
    const code = `let fired = 0
for (const ms of [NaN, Infinity, -Infinity, -1, 2 ** 31, 1e300, 'x', {}, undefined, null]) setTimeout(() => fired++, ms)
await new Promise((resolve) => setTimeout(resolve, 50)); return fired`
    expect(await valueOf(code)).toBe(10)
  })

  test('gets the details of a failed call on the error', async () => {
    const answer = async (): Promise<Answer> => ({
      kind: 'error',
      code: 'unknown-tool',
      message: 'no tool "x"',
      effect: 'none',
      details: { suggestions: ['y'] },
    })
    const code =
      "try { await tools.call('x') } catch (e) { return [e.code, e.effect, e.suggestions, e instanceof Error] }"
    expect(await valueOf(code, { answer })).toEqual(['unknown-tool', 'none', ['y'], true])
  })

  test('that throws says where, in its own lines and columns', async () => {
    const end = await run("const a = 1\n\n  throw new TypeError('bad')")
    expect(end).toMatchObject({
      kind: 'error',
      code: 'program-error',
      name: 'TypeError',
      message: 'bad',
      line: 3,
      column: 9,
    })
  })

  test('whose call fails says where it called', async () => {
    expect(await run("const x = 1\nawait tools.call('plugin:none:none')")).toMatchObject({
      code: 'program-error',
      line: 2,
    })
  })

  test('says what several promises failed of, and what caused an error', async () => {
    const many = await run("await Promise.any([Promise.reject(new TypeError('a')), Promise.reject('b')])")
    expect(many).toMatchObject({ name: 'AggregateError', message: 'All promises were rejected: TypeError: a; b' })
    const caused = await run("throw new Error('outer', { cause: new RangeError('inner') })")
    expect(caused).toMatchObject({ message: 'outer (cause: RangeError: inner)' })
  })

  test('that returns while calls are under way gives what they fill in, with the whole of their log', async () => {
    const code = `const sums = []
;[1, 2, 3].forEach(async (n) => {
  const { sum } = await tools.call('plugin:math:add', { a: n, b: 1 })
  await null
  sums.push(sum)
  console.log(sum)
})
return sums`
    const end = await run(code)
    expect(end).toMatchObject({ kind: 'value', value: [2, 3, 4], awaitedAfterReturn: 3 })
    expect(end.kind !== 'busy' && end.logs.map(({ text }) => text)).toEqual(['2', '3', '4'])
  })

  test('fills the marks of a text that it logs', async () => {
    const code = `console.log('%s has %d of %j%c, 5%% off, %o', 'a', 5, { b: 1 }, 'color: red', [1], 'more', 2)
console.log('100% sure', 1); console.log('%s'); console.log('%s %s', 'one')`
    const end = await run(code)
    expect(end.kind !== 'busy' && end.logs.map(({ text }) => text)).toEqual([
      'a has 5 of {"b":1}, 5% off, [1] more 2',
      '100% sure 1',
      '%s',
      'one %s',
    ])
  })

  test.each([
    ['{ toJSON: () => tools.math.add({ a: 1, b: 1 }) }', { sum: 2 }],
    [
      '{ toJSON: () => ({ sums: [tools.math.add({ a: 1, b: 1 }), tools.math.add({ a: 1, b: 1 })] }) }',
      { sums: [{ sum: 2 }, { sum: 2 }] },
    ],
    [
      '{ get sum() { return tools.math.add({ a: 1, b: 1 }) }, other: tools.math.add({ a: 1, b: 1 }) }',
      { sum: { sum: 2 }, other: { sum: 2 } },
    ],
    [
      'new Proxy({ a: 1, b: 1 }, { get: (t, key) => (key in t ? tools.math.add(t) : undefined) })',
      { a: { sum: 2 }, b: { sum: 2 } },
    ],
  ])('is asked once for a promise by a getter, a proxy or toJSON: %s', async (returned, wanted) => {
    const gateway = createAbuseGateway()
    expect(await valueOf(`return ${returned}`, { answer: gateway.answer })).toEqual(wanted)
    expect(gateway.calls()).toBeLessThanOrEqual(2)
  })

  test('says what failed while it closed what it used, and what before', async () => {
    const code = "using a = { [Symbol.dispose]() { throw new Error('closing') } }; throw new Error('body')"
    expect(await run(code)).toMatchObject({ message: expect.stringMatching(/closing.*body/) })
  })

  test('leaves a line of the log for a call that fails after the program has ended', async () => {
    const end = await run("tools.call('plugin:none:none', {})\nreturn 'done'")
    expect(end).toMatchObject({ kind: 'value', value: 'done' })
    expect(end.kind !== 'busy' && end.logs).toEqual([
      { level: 'error', text: 'a call failed after the program had ended: no such tool; search for one' },
    ])
  })

  test('may use every method of the console that only writes', async () => {
    const code = `console.table([{ a: 1 }]); console.dir({ b: 2 }); console.group('g'); console.groupEnd(); console.time('t')
console.trace('here'); console.assert(true, 'no'); console.assert(false, 'yes', { c: 3 }); return 1`
    const end = await run(code)
    expect(end.kind !== 'busy' && end.logs).toEqual([
      { level: 'log', text: '[{"a":1}]' },
      { level: 'log', text: '{"b":2}' },
      { level: 'log', text: 'g' },
      { level: 'log', text: 'here' },
      { level: 'error', text: 'assertion failed yes {"c":3}' },
    ])
  })

  test('that leaves a rejection behind as it returns tells of it in the log', async () => {
    const end = await run("Promise.reject(new Error('left behind'))\nreturn 1")
    expect(end).toMatchObject({ kind: 'value', value: 1 })
    expect(end.kind !== 'busy' && end.logs).toEqual([{ level: 'error', text: expect.stringContaining('left behind') }])
  })

  test('that does not parse is a program-error', async () => {
    expect(await run('return )')).toMatchObject({ kind: 'error', code: 'program-error', name: 'SyntaxError' })
  })

  test('that imports hears what there is instead', async () => {
    expect(await run("await import('node:fs')")).toMatchObject({ message: expect.stringContaining('tools') })
  })

  test('that waits for what can never settle ends at once', async () => {
    const end = await run("console.log('before')\nawait new Promise(() => {})", { limits: { wallMs: 60_000 } })
    expect(end).toMatchObject({
      code: 'program-error',
      message: expect.stringContaining('never settle'),
      worker: 'kept',
    })
    expect(end.logs).toEqual([{ level: 'log', text: 'before' }])
  })

  test('that returns with calls in flight has them awaited, and starts no other', async () => {
    const code = "tools.call('plugin:slow:wait', { ms: 20 }).then(() => tools.math.add({ a: 1, b: 1 }))\nreturn 'done'"
    expect(await run(code)).toMatchObject({ kind: 'value', value: 'done', awaitedAfterReturn: 1 })
  })

  test('that returns promises inside its value has them awaited', async () => {
    const code =
      'return { all: [1, 2].map(async (n) => (await tools.math.add({ a: n, b: 1 })).sum), m: new Map([[1, Promise.resolve(2)]]) }'
    expect(await valueOf(code)).toEqual({ all: [2, 3], m: { $map: [[1, 2]] } })
  })

  test.each([
    'return JSON.stringify({ sum: tools.math.add({ a: 1, b: 1 }) })',
    "return 'the sum is ' + tools.math.add({ a: 1, b: 1 })",
    'return `${tools.search("add")}`',
  ])('that writes a promise into text hears that await is missing: %s', async (code) => {
    expect(await run(code)).toMatchObject({
      kind: 'error',
      code: 'program-error',
      message: expect.stringContaining('write await in front of it'),
    })
  })

  test.each([
    'return { total: tools.math.add({ a: 1, b: 1 }).sum }',
    'const { sum } = tools.math.add({ a: 1, b: 1 })\nreturn sum ?? 0',
    "const hits = tools.search('add')\nfor (let i = 0; i < hits.length; i++) return hits[i]",
    'const add = async () => ({ sum: 2 })\nreturn add().sum === 2',
    'return Promise.all([tools.math.add({ a: 1, b: 1 })])[0] ?? null',
  ])('that reads a field of a promise hears that await is missing: %s', async (code) => {
    expect(await run(code)).toMatchObject({
      kind: 'error',
      code: 'program-error',
      message: expect.stringContaining('write await in front of the promise'),
    })
  })

  test('reads what a promise has, what is or will be put on it, and unset fields of promises of its own class', async () => {
    const code = `class Task extends Promise { get state() { return this.hidden ?? 'open' } }
const own = Object.assign(Promise.resolve(1), { tag: 't' })
const made = tools.math.add({ a: 1, b: 1 })
const marked = made.then(() => { marked.done = true })
const before = marked.done
await marked
return [before, marked.done, Task.resolve(1).state, own.tag, typeof made.then, made instanceof Promise, made instanceof Object,
  made.hasOwnProperty('x'), Object.getPrototypeOf(made) === made.__proto__, 'x' in made, String(made[Symbol.iterator])]`
    expect(await valueOf(code)).toEqual([
      null,
      true,
      'open',
      't',
      'function',
      true,
      true,
      false,
      true,
      false,
      'undefined',
    ])
  })

  test('logs what nothing caught in callbacks', async () => {
    const code = `setTimeout(() => { throw new Error('in timer') }, 1)
queueMicrotask(() => { throw new Error('in microtask') })
void (async () => { throw new Error('in nobody') })()
await new Promise((resolve) => setTimeout(resolve, 20))`
    const { logs } = await run(code)
    expect(logs.map((entry) => entry.text).join('\n')).toMatch(/in microtask[^]*in nobody[^]*in timer/)
  })

  test('sees time move only when something is delivered, and always the same random numbers', async () => {
    const code = `const before = Date.now()
for (let i = 0; i < 1e5; i++);
const same = Date.now() === before && +new Date() === before
await new Promise((resolve) => setTimeout(resolve, 15))
return [before, same, Date.now() - before >= 14, Math.random(), typeof Temporal]`
    const first = await valueOf(code)
    expect(first).toEqual([1_700_000_000_000, true, true, expect.any(Number), 'undefined'])
    const second = await valueOf(code)
    expect(second).toEqual(first)
  })

  test('says what it used', async () => {
    const end = await run('let sum = 0\nfor (let i = 0; i < 1e6; i++) sum += i\nreturn sum')
    expect(end.cpuMs).toBeGreaterThan(1)
    expect(end.heapPeakBytes).toBeGreaterThan(100_000)
    expect(Math.min(end.wallMs, end.bytesIn, end.bytesOut)).toBeGreaterThan(0)
  })

  test('has URL, text coding, structuredClone and base64', async () => {
    const code = `const url = new URL('../b?x=1', 'https://h.example/a/c')
url.searchParams.set('y', 'ä b')
return [url, url.pathname, new TextDecoder().decode(new TextEncoder().encode('ä€😀')), atob(btoa('hi!')),
  structuredClone({ d: new Date(0), s: new Set([1]) }), new TextDecoder().decode(new Uint8Array([0xe4, 0x41, 0xf0, 0x9f]))]`
    expect(await valueOf(code)).toEqual([
      'https://h.example/b?x=1&y=%C3%A4+b',
      '/b',
      'ä€😀',
      'hi!',
      { d: '1970-01-01T00:00:00.000Z', s: { $set: [1] } },
      '�A�',
    ])
  })
})

describe('limits', () => {
  test('wall time ends a program that waits', async () => {
    const end = await run("console.log('x')\nawait tools.call('plugin:slow:wait', { ms: 60000 })", {
      limits: { wallMs: 100 },
    })
    expect(end).toMatchObject({ code: 'timeout', worker: 'retired', message: expect.stringContaining('100 ms') })
    expect(end.logs).toHaveLength(1)
  })

  test('wall time does not pass while a person is waited for', async () => {
    let clock: RunClock | undefined
    const answer = async (): Promise<Answer> => {
      clock?.pause()
      await new Promise((resolve) => setTimeout(resolve, 300))
      clock?.resume()
      return value('approved')
    }
    const end = await run('return await tools.x()', {
      answer,
      onClock: (given) => (clock = given),
      limits: { wallMs: 150 },
    })
    expect(end).toMatchObject({ kind: 'value', value: 'approved' })
  })

  test('CPU time ends a program that computes, and its log is kept', async () => {
    const end = await run("console.log('x')\nfor (;;);", { limits: { cpuMs: 100 } })
    expect(end).toMatchObject({ code: 'timeout', worker: 'retired', message: expect.stringContaining('CPU') })
    expect(end.logs).toHaveLength(1)
  })

  test('memory counts array buffers', async () => {
    const end = await run('const a = []\nfor (;;) { try { a.push(new Uint8Array(1e6)) } catch { a.push({}) } }', {
      limits: { cpuMs: 3000 },
    })
    expect(end).toMatchObject({ kind: 'error', worker: 'retired' })
    expect(end.kind === 'error' && ['memory', 'timeout'].includes(end.code)).toBe(true)
  })

  test('one call too many ends the run before any of that step starts', async () => {
    let calls = 0
    const answer = async (): Promise<Answer> => {
      calls++
      return value(null)
    }
    const code = 'await tools.x()\nawait Promise.all(Array.from({ length: 5 }, () => tools.x()))'
    const end = await run(code, { answer, limits: { calls: 5 } })
    expect(end).toMatchObject({ code: 'limit', message: expect.stringContaining('5 calls') })
    expect(calls).toBe(1)
  })

  test('so many calls are in flight, the rest start in order', async () => {
    let inFlight = 0
    let most = 0
    const order: unknown[] = []
    const answer: ProgramRequest['answer'] = async (operation) => {
      most = Math.max(most, ++inFlight)
      order.push(operation.kind === 'call' ? operation.args : undefined)
      await new Promise((resolve) => setTimeout(resolve, 5))
      inFlight--
      return value(null)
    }
    await run('await Promise.all(Array.from({ length: 12 }, (_, n) => tools.x(n)))', {
      answer,
      limits: { callsInFlight: 4 },
    })
    expect(most).toBe(4)
    expect(order).toEqual(Array.from({ length: 12 }, (_, n) => n))
  })

  test('arguments that are too large are refused without a call', async () => {
    const code =
      "return await tools.call('plugin:echo:say', { text: 'ä'.repeat(700) }).catch((e) => [e.code, e.effect])"
    expect(await valueOf(code, { limits: { argumentBytes: 1000 } })).toEqual(['invalid-input', 'none'])
  })

  test('a result that is too large becomes an error that says so', async () => {
    const answer = async (): Promise<Answer> => value('x'.repeat(5000))
    const code = 'return await tools.x().catch((e) => [e.code, e.effect])'
    expect(await valueOf(code, { answer, limits: { resultIntoIsolateBytes: 1000 } })).toEqual([
      'invalid-output',
      'done',
    ])
  })

  test('a value over the bound ends the run, counted in bytes', async () => {
    expect(await run("return 'ä'.repeat(600)", { limits: { outputBytes: 1000 } })).toMatchObject({ code: 'limit' })
    expect(await run("return 'ä'.repeat(400)", { limits: { outputBytes: 1000 } })).toMatchObject({ kind: 'value' })
  })

  test('the log is cut at its bound and says how much is gone', async () => {
    const end = await run("for (let i = 0; i < 100; i++) console.log('x'.repeat(99))", { limits: { logBytes: 1000 } })
    expect(end.logs).toHaveLength(10)
    expect(end.logBytesDropped).toBe(90 * 99)
  })

  test('a source over the bound is not run', async () => {
    expect(await run(`return 1 //${'x'.repeat(300_000)}`)).toMatchObject({ code: 'limit' })
  })
})

describe('the pool', () => {
  test('ends a cancelled run and aborts its calls', async () => {
    const controller = new AbortController()
    let aborted = false
    const answer: ProgramRequest['answer'] = async (_operation, _id, signal) => {
      setTimeout(() => controller.abort(), 10)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      aborted = true
      return value(null)
    }
    const end = await pool.run(aRequest('await tools.x()', { answer }), controller.signal)
    expect(end).toMatchObject({ code: 'cancelled' })
    expect(aborted).toBe(true)
  })

  test('gives a rejected answer to the program as an internal error, and reports it', async () => {
    const answer = async (): Promise<Answer> => {
      throw new Error('secret /path')
    }
    const message = await valueOf('return await tools.x().catch((e) => e.message + e.effect)', { answer })
    expect(message).toBe('internal error of the gatewayunknown')
    expect(defects).toContainEqual(new Error('secret /path'))
  })

  test('ends `busy` when no worker comes free in time, and serves tenants in turn', async () => {
    const small = await createIsolatePool({ workersMin: 1, workersMax: 1, queueWaitMs: 400 })
    const order: string[] = []
    const submit = async (tenant: string, ms: number): Promise<ProgramEnd> => {
      const code = `await tools.call('plugin:slow:wait', { ms: ${ms} })`
      const end = await small.run(aRequest(code, { tenant }), NEVER)
      order.push(tenant)
      return end
    }
    await Promise.all([submit('a', 20), submit('a', 1), submit('a', 1), submit('b', 1)])
    expect(order.indexOf('b')).toBeLessThan(3)
    const [, waiting] = await Promise.all([submit('a', 900), submit('b', 1)])
    expect(waiting).toMatchObject({ kind: 'busy' })
    await small.close()
  })

  test('lets no program that computes keep another from starting', async () => {
    const small = await createIsolatePool({ workersMin: 2, workersMax: 6 })
    const over = new AbortController()
    const spinning = Array.from({ length: 3 }, (_, n) =>
      small.run(
        aRequest('for (;;);', { tenant: `spinner ${n}`, limits: { cpuMs: 30_000, wallMs: 60_000 } }),
        over.signal,
      ),
    )
    const first = await Promise.race([small.run(aRequest('return 1', { tenant: 'other' }), NEVER), ...spinning])
    expect(first).toMatchObject({ kind: 'value', value: 1 })
    over.abort()
    for (const end of await Promise.all(spinning)) expect(end).toMatchObject({ code: 'cancelled' })
    await small.close()
  })

  // As many programs as would crowd a large machine would also disturb all else on it.
  test.skipIf(availableParallelism() > 4)('lets who runs nothing start beside a crowd of another tenant', async () => {
    const most = COMPUTING_PER_CORE * Math.max(CORES_MIN, availableParallelism())
    const crowded = await createIsolatePool({ workersMin: 2, workersMax: most + 4 })
    const over = new AbortController()
    const limits = { cpuMs: 30_000, wallMs: 60_000 }
    const spinning = Array.from({ length: most + 3 }, () =>
      crowded.run(aRequest('for (;;);', { tenant: 'spinner', limits }), over.signal),
    )
    await vi.waitFor(() => expect(crowded.status()).toMatchObject({ busy: most, queued: 3 }), { timeout: 30_000 })
    expect(await crowded.run(aRequest('return 1', { tenant: 'other', limits }), NEVER)).toMatchObject({ value: 1 })
    over.abort()
    for (const end of await Promise.all(spinning)) expect(end).toMatchObject({ code: 'cancelled' })
    await crowded.close()
  })

  test('starts more workers only for programs that wait for their tools, and ends them when there is no more work', async () => {
    const growing = await createIsolatePool({ workersMin: 2, workersMax: 8, idleMs: 400 })
    const runAll = (code: string): Promise<readonly ProgramEnd[]> =>
      Promise.all(Array.from({ length: 6 }, () => growing.run(aRequest(code), NEVER)))
    for (let round = 0; round < 3; round++) await runAll('return 1')
    const few = growing.status().workers
    // The first may have gone again before the last has its end.
    let most = 0
    const looking = setInterval(() => (most = Math.max(most, growing.status().workers)), 10)
    const ends = await runAll("await tools.call('plugin:slow:wait', { ms: 600 })")
    clearInterval(looking)
    expect(ends.map((end) => end.kind)).toEqual(Array(6).fill('value'))
    expect(few).toBeLessThan(6)
    expect(most).toBeGreaterThan(few)
    await vi.waitFor(() => expect(growing.status().workers).toBe(2), { timeout: 30_000 })
    await growing.close()
  })

  test('says truthfully which layers stand', () => {
    const { layers, workers } = pool.status()
    expect(layers).toMatchObject({ permission: true, 'other-process': true, jitless: true })
    expect(workers).toBeGreaterThan(0)
  })

  test.skipIf(process.platform !== 'linux')(
    'carries a waiting run over the loss of its worker, repeating no call',
    async () => {
      const alone = await createIsolatePool({ workersMin: 2, workersMax: 3 })
      let calls = 0
      const answer: ProgramRequest['answer'] = async (operation) => {
        calls++
        const slow = operation.kind === 'call' && operation.args === 'slow'
        if (slow) {
          for (const pid of workerPids()) process.kill(pid, 'SIGKILL')
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        return value(calls)
      }
      const code = `console.log('one')
const first = await tools.x('fast')
const [second, third] = await Promise.all([tools.x('slow'), new Promise((r) => setTimeout(r, 5)).then(() => Math.random())])
return [first, second, await tools.x('last')]`
      const before = new Set(workerPids())
      const end = await alone.run(aRequest(code, { answer }), NEVER)
      expect(end).toMatchObject({ kind: 'value', value: [1, 2, 3], logs: [{ text: 'one' }] })
      expect(calls).toBe(3)
      expect(before.size).toBeGreaterThan(0)
      await alone.close()
    },
  )

  test('runs nothing after it is closed, and can be closed twice', async () => {
    const closing = await createIsolatePool({ workersMin: 1 })
    const running = closing.run(aRequest("await tools.call('plugin:slow:wait', { ms: 5000 })"), NEVER)
    await closing.close()
    await closing.close()
    expect(await running).toMatchObject({ code: 'cancelled' })
    expect(await closing.run(aRequest('return 1'), NEVER)).toMatchObject({ kind: 'busy' })
  })
})

/** Children of this process: the workers of every pool in it. */
function workerPids(): readonly number[] {
  const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}
