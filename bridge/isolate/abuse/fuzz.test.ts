import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIsolatePool } from '../pool.ts'
import type { ProgramEnd, ProgramHost } from '../program-host.ts'
import { NEVER, aRequest } from './program-request.ts'

const WORKERS_MAX = 6
let pool: ProgramHost
const defects: string[] = []
beforeAll(async () => {
  pool = await createIsolatePool({
    workersMin: 4,
    workersMax: WORKERS_MAX,
    queueWaitMs: 60_000,
    onDefect: (error) => defects.push(String(error)),
  })
})
afterAll(() => pool.close())

const one = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)

type Grammar = {
  readonly expression: string
  readonly value: string
  readonly object: string
}

/** An expression grammar that favours what a bridge may trip over. */
const { expression } = fc.letrec<Grammar>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    one(
      'undefined',
      'null',
      'NaN',
      '-0',
      '1n',
      "''",
      "'\\ud800'",
      "'__proto__'",
      '[,1]',
      '/x/g',
      'Symbol()',
      'Symbol.iterator',

      "'plugin:math:add'",
      "'plugin:admin:wipe'",
      '{ a: 1, b: 2 }',
      'new Date(NaN)',
      'new Proxy({}, {})',
      'tools',
      'console',

      'globalThis',
      'Object.create(null)',
      'new Uint8Array(3)',
      "'x'.repeat(5000)",
      'Promise.reject(new Error("r"))',
      'out',
    ),
    tie('object'),
    tie('expression'),
  ),
  object: fc.oneof(
    tie('value').map((v) => `{ a: ${v}, b: 1 }`),
    tie('value').map((v) => `{ get a() { return ${v} } }`),
    tie('value').map((v) => `{ toJSON() { return ${v} } }`),
    tie('value').map((v) => `{ toString() { return ${v} } }`),
    tie('value').map((v) => `{ then(resolve) { resolve(${v}) } }`),
    tie('value').map((v) => `new Proxy({ a: 1 }, { get() { return ${v} }, ownKeys() { return ['a', 'b'] } })`),
    tie('value').map((v) => `[${v}, ${v}]`),
    tie('value').map((v) => `new Map([[${v}, ${v}]])`),
    tie('value').map((v) => `Object.assign(new Error('m'), { cause: ${v} })`),
  ),
  expression: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    fc.tuple<[string, string]>(tie('value'), tie('value')).map(([a, b]) => `tools.call(${a}, ${b})`),
    tie('value').map((v) => `tools.search(${v}, ${v})`),
    tie('value').map((v) => `tools.describe(${v})`),
    tie('value').map((v) => `tools.callAll([${v}, { id: 'plugin:math:add', args: ${v} }])`),
    tie('value').map((v) => `tools.store.set(${v}, ${v})`),
    tie('value').map((v) => `tools.store.get(${v}, ${v})`),
    tie('value').map((v) => `tools.callAll([${v}]).then(([first]) => first?.error?.ok)`),
    tie('value').map((v) => `(${v})?.sum`),
    tie('value').map((v) => `console.count(${v})`),
    tie('value').map((v) => `tools.math.add(${v})`),
    tie('value').map((v) => `tools[${v}]`),
    tie('value').map((v) => `console.log(${v}, ${v})`),
    tie('value').map((v) => `structuredClone(${v})`),
    tie('value').map((v) => `setTimeout(() => ${v}, ${v})`),
    tie('value').map((v) => `new Promise((resolve) => resolve(${v}))`),
    tie('value').map((v) => `(${v})?.constructor?.constructor?.('return typeof process')()`),
    tie('value').map((v) => `JSON.stringify(${v})`),
    tie('value').map((v) => `new URL(${v})`),
    tie('value').map((v) => `new TextDecoder().decode(${v})`),
  ),
}))

const patch = one(
  'Object.prototype.then = function (r) { r(1) }',
  'Array.prototype[Symbol.iterator] = null',
  'Promise.prototype.then = () => { throw 1 }',
  "Object.defineProperty(Object.prototype, 'k', { set() { throw 2 } })",
  'Error.prepareStackTrace = (e, f) => f',
  'Error.stackTraceLimit = 0',
  'JSON.stringify = () => 1',
  'Object.defineProperty = null',
  'String.prototype.toWellFormed = () => { throw 3 }',
  'Function.prototype.call = Function.prototype.apply = null',
  "Object.prototype.toJSON = () => 'j'",
  'Reflect.apply = Reflect.ownKeys = () => []',
  'Object.setPrototypeOf(Promise.prototype, null)',
)
const statement = fc.oneof(
  { weight: 6, arbitrary: expression.map((e) => `try { out.push(await (${e})) } catch (e) { out.push(e) }`) },
  { weight: 2, arbitrary: expression.map((e) => `try { out.push(${e}) } catch (e) { console.error(e) }`) },
  { weight: 2, arbitrary: patch.map((p) => `try { ${p} } catch {}`) },
  { weight: 1, arbitrary: expression.map((e) => `queueMicrotask(() => ${e})`) },
  { weight: 1, arbitrary: expression.map((e) => `throw ${e}`) },
)
const program = fc
  .tuple(
    fc.array(statement, { minLength: 1, maxLength: 5 }),
    fc.oneof(one('out', 'out.length', 'undefined'), expression),
  )
  .map(([lines, result]) => `const out = []\n${lines.join('\n')}\nreturn ${result}`)

const ENDS = new Set(['program-error', 'timeout', 'memory', 'limit'])

test('two thousand programs that misuse the bridge all end in a documented way', async () => {
  const programs = fc.sample(program, { numRuns: 2000, seed: 20_261_129 })
  const wrong: unknown[] = []
  const next = programs[Symbol.iterator]()
  const work = async (): Promise<void> => {
    for (const code of next) {
      const end = await pool.run(aRequest(code, { limits: { wallMs: 1000, cpuMs: 500 } }), NEVER)
      if (!isDocumented(end)) wrong.push({ code, end })
    }
  }
  await Promise.all(Array.from({ length: 5 }, work))
  expect(wrong.slice(0, 3)).toEqual([])
  expect(defects).toEqual([])
  expect(pool.status().workers).toBeLessThanOrEqual(WORKERS_MAX)
  expect(pool.status()).toMatchObject({ busy: 0, queued: 0 })
}, 120_000)

function isDocumented(end: ProgramEnd): boolean {
  const text = JSON.stringify(end)
  const leaks = /drawbridge|worker\.mjs|prelude|node:internal|file:\/\//.test(text)
  if (leaks) return false
  return end.kind === 'value' || (end.kind === 'error' && ENDS.has(end.code))
}
