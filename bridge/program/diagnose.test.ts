import { assert, integer, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProgramEnd } from '../isolate/program-host.ts'
import type { RunErrorCode } from '../run.ts'
import { diagnose } from './diagnose.ts'
import type { PreparedProgram } from './prepared-program.ts'
import { prepareProgram } from './prepare-program.ts'

type Ready = Extract<PreparedProgram, { kind: 'ready' }>
type ErrorEnd = Extract<ProgramEnd, { kind: 'error' }>

function aProgram(source: string): Ready {
  const prepared = prepareProgram(source, { sourceBytes: 10_000 })
  if (prepared.kind === 'invalid') throw new Error(prepared.error.message)
  return prepared
}

const anEnd = (more: Partial<ErrorEnd>): ErrorEnd => ({
  logs: [], logBytesDropped: 0, cpuMs: 0, wallMs: 0, heapPeakBytes: 0, bytesIn: 0, bytesOut: 0, worker: 'kept', awaitedAfterReturn: 0,
  kind: 'error', code: 'program-error', message: 'boom', ...more,
}) // prettier-ignore

const program = aProgram('return 1')
const hintOf = (message: string): string => diagnose(anEnd({ message }), program).hint ?? ''

describe('the place of an error', () => {
  test("is told in the model's own source, with the line and a caret", () => {
    const fenced = aProgram('Here:\n```js\nconst a = 1\nconst x = null; return x.y\n```')
    const error = diagnose(
      anEnd({ name: 'TypeError', message: "Cannot read properties of null (reading 'y')", line: 2, column: 26 }),
      fenced,
    )
    expect(error).toMatchObject({ code: 'program-error', line: 4, column: 26 })
    expect(error.message).toContain(
      "TypeError: Cannot read properties of null (reading 'y') (line 4, column 26)\n  const x = null; return x.y\n  ",
    )
    expect(error.message.split('\n')[2]).toBe(`  ${' '.repeat(25)}^`)
  })

  test('counts columns without what was put in front of the line', () => {
    const arrow = aProgram('async () => missing.x')
    const column = arrow.code.indexOf('missing') + 1
    expect(diagnose(anEnd({ line: 1, column }), arrow)).toMatchObject({ line: 1, column: 13 })
  })

  test.each([
    ['const list = [\n  1,\n  gone(2),\n]', 3, 3],
    ['return {\n  gone: 1, a: x.gone, b: [...gone],\n}', 2, 30],
    ['// gone\nconst s = `gone ${gone}`', 2, 19],
  ])('of a missing name in %j is the name itself', (source, line, column) => {
    expect(diagnose(anEnd({ message: 'gone is not defined', line: 1, column: 1 }), aProgram(source))).toMatchObject({
      line,
      column,
    })
  })

  test('of a missing name whose member the engine names is the name itself, not the next place of it', () => {
    const twice = aProgram('for (const item of gone.all()) use(item)\nreturn gone.all()')
    expect(diagnose(anEnd({ message: 'gone is not defined', line: 1, column: 25 }), twice)).toMatchObject({
      line: 1,
      column: 20,
    })
  })

  test('of a missing name that the program does not show stays where the engine saw it', () => {
    const end = anEnd({ message: 'gone is not defined', line: 1, column: 8 })
    expect(diagnose(end, aProgram('return eval("go" + "ne")'))).toMatchObject({ line: 1, column: 8 })
  })

  test('of a long line is shown with the part around it', () => {
    const long = aProgram(`return [${'1, '.repeat(500)}missing]`)
    const error = diagnose(anEnd({ line: 1, column: 1_509 }), long)
    expect(error.message.length).toBeLessThan(400)
    expect(error.message).toContain('missing')
  })

  test('is left out where none is known', () => {
    expect(diagnose(anEnd({ code: 'timeout', message: 'cpu time: 2000 ms used' }), program)).not.toHaveProperty('line')
  })
})

describe('hints', () => {
  test.each([
    ['require', 'no modules'],
    ['fetch', 'tools.search'],
    ['process', 'no process'],
    ['Buffer', 'Uint8Array'],
    ['fs', 'no files'],
    ['window', 'no web page'],
    ['document', 'no web page'],
    ['XMLHttpRequest', 'no network'],
    ['__dirname', 'no files'],
    ['WebAssembly', 'left out'],
    ['performance', 'Date.now()'],
    ['AbortController', 'Promise.race'],
    ['WeakRef', 'garbage collection'],
    ['len', 'list.length'],
    ['asyncio', 'Promise.all'],
    ['module', 'no modules'],
    ['tool_call', 'tools.call(id, args)'],
    ['callTool', 'tools.call(id, args)'],
    ['search', 'tools.search'],
    ['tool_search', 'tools.search'],
    ['mcp', 'the bridge is called tools'],
    ['print', 'console.log'],
    ['None', 'JavaScript'],
    ['tool', 'tools'],
    ['consol', 'did you mean console'],
    ['whatever', 'declares itself'],
  ])('%s is not defined', (name, words) => {
    const error = diagnose(anEnd({ name: 'ReferenceError', message: `${name} is not defined` }), program)
    expect(error.hint).toContain(words)
    expect(error.message).toContain(`ReferenceError: ${name} is not defined`)
    expect(error.message).toContain(words)
  })

  test.each([
    ['tools.serch is not a function', 'did you mean tools.search'],
    ['tools.tool_call is not a function', 'tools.call(id, args)'],
    ['tools.github.create_issue is not a function', 'find its id'],
    ['r.json is not a function', 'value itself'],
    ['hit.execute is not a function', 'call(args)'],
    ['hits.map is not a function', 'await is missing'],
    ['TypeError: fetch is not a function', 'no network'],
    ['foo is not a function', 'console.log the value'],
    ['xs.append is not a function', 'list.push(value)'],
    ['console.prnt is not a function', 'console has log'],
    ['Array buffer allocation failed', 'in parts'],
    ["Cannot access 'tools' before initialization", 'another name'],
    ['hits is not iterable', 'await is missing'],
    ['WebSocket is not a constructor', 'no network'],
    ["Cannot read properties of undefined (reading 'call')", 'found nothing'],
    ["Cannot read properties of undefined (reading 'items')", '.items'],
    ['Assignment to constant variable.', 'let'],
    ['Maximum call stack size exceeded', 'loop'],
    ['Unexpected token o in JSON at position 1', 'not JSON text'],
    ["Cannot read properties of undefined (reading 'name')", 'what stands before .name'],
    ['window is not defined', 'globalThis'],
    ['localStorage is not defined', 'tools.store.get'],
    ['final_answer is not defined', 'given by return'],
    ['a timer needs a function to call', 'the function comes first'],
    ['the program waits for something that can never settle: no call is pending', 'without new Promise'],
  ])('%s', (message, words) => expect(hintOf(message)).toContain(words))

  test.each([
    ['require is not defined', "const a = require('axios')", 'no network'],
    ['there is no tool "tools.math.call"', "return tools.math.call('add', {})", 'tools.math.add(args)'],
    ['there is no tool "tools.math.search"', "return tools.math.search('add')", 'tools.search('],
    ['there is no tool "tools.artifacts.read"', "return tools.artifacts.read('a')", 'tools.artifact'],
    ['tools.artifact.get is not a function', "return tools.artifact.get('a')", 'await tools.artifact(…)'],
    ['there is no tool "math"', "return tools.call('math', 'add', {})", 'tools.math.add(args)'],
    ['there is no tool "math"', 'return tools.math({ a: 1 })', 'tools.math.<name>(args)'],
    ['tool id: the value is a function', 'return tools.call(tools.math.add, {})', 'await tools.math.add(args)'],
    ['there is no tool "call_all"', 'return tools.call_all([])', 'tools.callAll'],
    ['Promise.map is not a function', 'return Promise.map([], f)', 'Promise has all'],
    ['ToolError is not defined', 'if (e instanceof ToolError) return 1', 'error.code'],
    ['process is not defined', 'process.nextTick(go)', 'queueMicrotask'],
    ['Deno is not defined', "await Deno.readTextFile('x')", 'no files'],
    ['import() is not there: a program has no modules', "await import('node:fs')", 'no files'],
    ['math is not defined', 'return await math.add({ a: 1 })', 'tools.math.add(args)'],
    ['plugin is not defined', 'return await plugin.math.add({ a: 1 })', 'tools.plugin.math.add(args)'],
    ['openclaw is not defined', "await openclaw.tools.search('x')", 'without "openclaw."'],
    ['add is not defined', 'return await add({ a: 1 })', 'tools.call(id, args)'],
    ['process is not defined', 'main().then(() => process.exit(0))', 'leave process.exit out'],
    ['process is not defined', 'process.stdout.write("x")', 'console.log'],
    ["Cannot access 'r' before initialization", '[r.sum, r.sum]', 'semicolon'],
    ['tools.call(...) is not a function', '(async () => 1)()', 'semicolon'],
    [
      'arguments: the value is a function; call it',
      "tools.call('x', {}, (error, result) => result)",
      'takes a callback',
    ],
    ['search: the value is a function; call it', "tools.search('x', (hits) => hits)", 'takes a callback'],
    ["Cannot read properties of undefined (reading 'a')", 'return input.a', 'given nothing'],
    ["Cannot read properties of undefined (reading 'data')", 'return e.response.data', 'use error.code'],
    ["Cannot read properties of undefined (reading 'map')", '[1].map(f)', 'semicolon'],
    [
      'the arguments for "plugin:math:add" do not fit: /a',
      'tools.math.add.call({ a: 1 })',
      'await tools.math.add(args)',
    ],
    ['MCPClient is not defined', 'const c = new MCPClient()', 'the bridge is called tools'],
    ['input is not defined', 'return input.a', 'given nothing'],
    ['there is no tool "execute"; search for what you need', "tools.execute('x')", 'tools.call(id, args)'],
    ['there is no tool "list"; search for what you need', 'tools.list()', 'tools.search'],
    ['there is no tool "tools.search"; search for what you need', "tools.call('tools.search')", 'tools.search'],
    ['tools is not iterable', 'for (const t of tools) {}', 'no list'],
    ['time is not defined', 'await time.sleep(1)', 'setTimeout'],
    [
      'the arguments for "plugin:math:add" do not fit: the arguments: expected object { a, b }, got 2. Signature: …',
      "await tools.call('plugin:math:add', a=2, b=3)",
      'one object',
    ],
    ['", ".join is not a function', 'return ", ".join(names)', 'list.join'],
    ['r.trim is not a function', 'return r.trim()', 'no text'],
    ['r.get is not a function', 'return r.get("sum")', 'object[name]'],
    ['hits.length is not a function', 'return hits.length()', 'leave the () out'],
    [
      'object is not iterable (cannot read property Symbol(Symbol.iterator))',
      'await Promise.all({ a })',
      'takes a list',
    ],
    ['{(intermediate value)} is not iterable', 'for (const x of { a: 1 }) f(x)', 'Object.entries'],
    [
      'tools.search(...) is not a function or its return value is not async iterable',
      'for await (const h of tools.search("x")) f(h)',
      'of await tools.search',
    ],
    ['r is not defined', 'r = 5', 'const r ='],
    ['System is not defined', 'System.out.println("x")', 'console.log'],
    ['tools is not a function', "tools('x')", 'tools.call(id, args)'],
    ['arguments: the value is a function; call it and give its result', 'tools.map((t) => t)', 'no list'],
    ['tool is not a function', 'await tool({})', 'hit.call(args)'],
    ['tools.plugins.math.add is not a function', 'tools.plugins.math.add({})', 'tools.math.add(args)'],
    ['tools.math.add.execute is not a function', 'tools.math.add.execute({})', 'tools.math.add(args)'],
    [
      'tools.search is not a function or its return value is not iterable',
      'for (const h of tools.search("x"))',
      'await is missing',
    ],
    [
      "Cannot destructure property 'id' of 'hits.find(...)' as it is undefined.",
      'const { id } = hits.find(f)',
      'gave nothing',
    ],
    ["Cannot read properties of undefined (reading '0')", 'return r.content[0].text', '.content is undefined'],
    [
      "Cannot read properties of undefined (reading 'sum')",
      'const { data } = r; return data.sum',
      '.data is undefined',
    ],
    ["Cannot read properties of undefined (reading 'b')", 'await tools.call(f(1), {}).a.b', 'before it was awaited'],
    [
      "Cannot read properties of undefined (reading 'b')",
      '(await tools.call(f(1).x, {})).a.b',
      'what stands before .b',
    ],
  ])('%s in %s', (message, line, words) => {
    const error = diagnose(anEnd({ message, line: 1, column: 1 }), {
      ...program,
      toSource: () => ({ line: 1, column: 1 }),
      sourceLine: () => line,
    })
    expect(error.hint).toContain(words)
  })

  test.each([
    [
      "Cannot read properties of undefined (reading 'toFixed')",
      'const r = tools.call("x", {})\nreturn r.sum.toFixed()',
      '"r" comes from a promise',
    ],
    ['hits.map is not a function', 'let hits = tools.search("x")\nreturn hits.map(String)', 'write hits = await tools'],
    [
      '"length" was read of a promise, which has no such thing; write await in front of the promise',
      'const hits = tools.search("x")\nreturn hits.length',
      'write hits = await tools',
    ],
    ['undefined is not iterable', 'const [hit] = tools.search("x"); return hit', 'write [hit] = await tools'],
    [
      'r.map is not a function',
      'const [h] = await tools.search("x"); const r = h.call({})\nreturn r.map(String)',
      '"r" comes from a promise',
    ],
  ])('%s where a promise was not awaited', (message, source, words) => {
    const error = diagnose(
      anEnd({ name: 'TypeError', message, line: source.split('\n').length, column: 1 }),
      aProgram(source),
    )
    expect(error.hint).toContain(words)
  })

  test.each([
    [
      'const { data } = await tools.call("x", {})\nreturn data.sum',
      "Cannot read properties of undefined (reading 'sum')",
      '"data" is no field',
    ],
    [
      'const { rows: found } = await hit.call({})\nreturn found[0].id',
      "Cannot read properties of undefined (reading '0')",
      '"found" is no field',
    ],
    [
      'const { user } = await tools.call("x", {})\nreturn user.address.city',
      "Cannot read properties of undefined (reading 'city')",
      'what stands before .city',
    ],
    [
      'const r = await tools.search("x")\nreturn r.content[0].text',
      "Cannot read properties of undefined (reading '0')",
      'list of hits itself',
    ],
    [
      'const [h] = await tools.search("x")\nreturn h.parameters.properties',
      "Cannot read properties of undefined (reading 'properties')",
      'hit.describe()',
    ],
    [
      'const d = await tools.describe("x")\nreturn d.input_schema.properties',
      "Cannot read properties of undefined (reading 'properties')",
      'inputSchema',
    ],
    [
      'const hit = await tools.search("x", { limit: 1 })\nreturn hit.call({})',
      'hit.call is not a function',
      '"hit" is the list of hits',
    ],
    [
      'const found = await tools.search("x")\nreturn tools.call(found.id, {})',
      'call wants a tool id as text, got nothing; a search hit has it as hit.id',
      'const [found] =',
    ],
    [
      'const t = await tools.search("x")\nreturn tools.call(t, {})',
      'call wants a tool id as text, got a list; a search hit has it as hit.id',
      'or t[0]',
    ],
    [
      'const page = await tools.artifact("art_1")\nreturn page.content.split("x")',
      "Cannot read properties of undefined (reading 'split')",
      'a part of an artifact has text',
    ],
  ])('%j reads what is not there', (source, message, words) => {
    const error = diagnose(anEnd({ name: 'TypeError', message, line: 2, column: 1 }), aProgram(source))
    expect(error.hint).toContain(words)
  })

  test('a tool that is called by a wrong id is not taken for a wrong name of the bridge', () => {
    const message = 'there is no tool "mcp__math__add"; did you mean "plugin:math:add"?'
    const end = anEnd({ name: 'ToolError', message, line: 1, column: 1 })
    expect(diagnose(end, aProgram('return tools.call("mcp__math__add", {})')).hint).toBeUndefined()
  })

  test('a list of hits of which one is taken is not what is wrong', () => {
    const end = anEnd({ name: 'TypeError', message: 'x.call is not a function', line: 2, column: 1 })
    const source =
      'const hits = await tools.search("x")\nconst x = hits[0].id; return x.call({}) || hits.map((h) => h.id)'
    expect(diagnose(end, aProgram(source)).hint).not.toContain('list of hits')
  })

  test('a promise that is awaited where it is read is not what is wrong', () => {
    const message = "Cannot read properties of undefined (reading 'toFixed')"
    const end = anEnd({ name: 'TypeError', message, line: 2, column: 1 })
    const hint = diagnose(end, aProgram('const p = tools.call("x", {})\nreturn (await p).sum.toFixed()')).hint
    expect(hint).not.toContain('promise')
  })

  test('a name that is nearly one of the program is suggested', () => {
    const end = anEnd({ name: 'ReferenceError', message: 'result is not defined', line: 2, column: 8 })
    expect(diagnose(end, aProgram('const results = []\nreturn result.length')).hint).toContain('did you mean results')
  })

  test.each(['boom', 'x is not defined here', '', 'after two'])('"%s" has none', (message) =>
    expect(hintOf(message)).toBe(''),
  )

  test.each([
    ['const end = Date.now() + 50\nwhile (Date.now() < end) {}', 'clock of a program stands still'],
    ['do {} while (new Date() - start < 100)', 'clock of a program stands still'],
    ['while (true) { await tools.search("x") }', 'fewer calls or rounds'],
  ])('a loop that ran out of time is told apart from one that waits for the clock: %j', (source, words) => {
    expect(diagnose(anEnd({ code: 'timeout', message: 'cpu' }), aProgram(source)).hint).toContain(words)
  })

  test('a value that is too large is told apart from too much work', () => {
    expect(diagnose(anEnd({ code: 'limit', message: 'the value is larger than 5 bytes' }), program).hint).toContain(
      'only the fields',
    )
    expect(diagnose(anEnd({ code: 'limit', message: 'more than its 64 calls' }), program).hint).toContain('split')
  })

  test('a name that a strict program assigns without declaring it is told where it is assigned', () => {
    const end = anEnd({ name: 'ReferenceError', message: 'r is not defined', line: 2, column: 3 })
    expect(diagnose(end, aProgram("'use strict'\nr = 5\nreturn r"))).toMatchObject({ line: 2, column: 1 })
  })

  test.each<RunErrorCode>(['timeout', 'memory', 'limit', 'worker-lost', 'replay-diverged'])(
    '%s says what to do',
    (code) => {
      expect(diagnose(anEnd({ code, message: 'used up' }), program)).toMatchObject({
        code,
        hint: expect.stringMatching(/\w{3}/),
      })
    },
  )
})

describe('bounds', () => {
  test('a message is at most 4 KB, whole characters, and keeps the place', () => {
    const error = diagnose(anEnd({ message: '😀'.repeat(5_000), line: 1, column: 1 }), program)
    expect(Buffer.byteLength(error.message)).toBeLessThanOrEqual(4_096)
    expect(error.message.isWellFormed()).toBe(true)
    expect(error.message).toContain('(line 1, column 1)')
  })

  test('whatever the message and place, it makes an error', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 300 }), integer(), integer(), (message, line, column) => {
        const error = diagnose(anEnd({ message, line, column }), program)
        expect(error.line).toBeGreaterThanOrEqual(1)
        expect(error.column).toBeGreaterThanOrEqual(1)
      }),
    )
  })
})
