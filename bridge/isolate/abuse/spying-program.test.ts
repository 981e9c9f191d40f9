import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIsolatePool } from '../pool.ts'
import type { ProgramHost } from '../program-host.ts'
import { NEVER, aRequest } from './program-request.ts'
import type { SpiedStep } from './spying-program.ts'
import { spyingProgram } from './spying-program.ts'

let pool: ProgramHost
beforeAll(async () => {
  pool = await createIsolatePool({ workersMin: 1, workersMax: 1 })
})
afterAll(() => pool.close())

/** Everything of ours that a program can call, and what crosses. */
const STEPS: readonly SpiedStep[] = [
  { name: 'search', given: "{ limit: 2, filter: ['a'] }", does: "await tools.search('add', given)" },
  { name: 'searches', given: "['add', 'say']", does: 'await tools.search(given)' },
  { name: 'describe', does: "await tools.describe('plugin:math:add')" },
  {
    name: 'hit',
    given: "(await tools.search('add'))[0]",
    does: 'await given.describe(); await given.call({ a: 1, b: 2 })',
  },
  { name: 'call', given: '{ a: 1, b: 2 }', does: "await tools.call('plugin:math:add', given)" },
  {
    name: 'nested',
    given: '{ a: [1, { b: [null, "x"] }], get c() { return 1 } }',
    does: "await tools.call('x', given)",
  },
  { name: 'refused', given: '{ a: new Map([[1, 2]]) }', does: "await tools.call('x', given)" },
  { name: 'failed', does: "await tools.call('plugin:fail:leaky')" },
  { name: 'owner', given: '{ a: 1, b: 2 }', does: 'await tools.math.add(given); await tools.plugin.math.add(given)' },
  {
    name: 'callAll',
    given: "[['plugin:math:add', { a: 1, b: 2 }], { id: 'x', args: 1 }]",
    does: 'await tools.callAll(given)',
  },
  { name: 'store', given: '{ a: [1] }', does: "await tools.store.set('k', given); await tools.store.get('k', 1)" },
  { name: 'artifact', does: "await tools.artifact('a')" },
  { name: 'plain log', given: '{ a: [1, { b: undefined }] }', does: "console.log('a', 1, 2n, given, null, undefined)" },
  { name: 'log of a map', given: 'new Map([[{}, new Set([1])]])', does: 'console.log(given)' },
  { name: 'log of bytes', given: '[new Uint8Array(2), new ArrayBuffer(2)]', does: 'console.table(given)' },
  { name: 'log of a class', given: 'new (class A { x = 1; get y() { return 1 } })()', does: 'console.dir(given)' },
  { name: 'log of names', given: '[new Date(), Object("s"), Symbol("s"), () => 1]', does: 'console.info(given)' },
  { name: 'log of no members', given: '[new WeakMap(), [][Symbol.iterator]()]', does: 'console.log(given)' },
  { name: 'format', given: '{ a: 1 }', does: "console.log('%s %o %%', 'a', given, 5)" },
  { name: 'counts', does: "console.count('a'); console.countReset('a'); console.assert(false, 'a'); console.time()" },
  { name: 'timer', given: 'Promise.withResolvers()', does: 'setTimeout(given.resolve, 1, 2); await given.promise' },
  { name: 'interval', does: 'clearInterval(setInterval(() => 1, 5))' },
  { name: 'microtask', given: '() => { throw 1 }', does: 'queueMicrotask(given)' },
  { name: 'clock', does: 'new Date(); Date(); Math.random()' },
  { name: 'stack', given: 'new TypeError("a")', does: 'given.stack' },
  { name: 'clone', given: '[{ a: 1 }, new Map([[1, 2]]), new Set([1]), new Date()]', does: 'structuredClone(given)' },
  {
    name: 'clone of bytes',
    given: '[new Uint8Array(2), new DataView(new ArrayBuffer(2))]',
    does: 'structuredClone(given)',
  },
  {
    name: 'text',
    given: '[new Map([[1, 2]]), new Map([[{}, 1]]), new Set([1]), new Error("a")]',
    does: 'JSON.stringify(given)',
  },
  { name: 'base64', does: "atob(btoa('hello'))" },
  { name: 'encoder', given: 'new Uint8Array(9)', does: "new TextEncoder().encodeInto('aé😀', given)" },
  {
    name: 'decoder',
    given: 'new Uint8Array([65, 195])',
    does: 'const d = new TextDecoder(); d.decode(given, { stream: true }); d.decode()',
  },
  {
    name: 'url',
    does: "const u = new URL('/c?d=1', 'http://a.b'); u.port = 81; u.searchParams.append('x', 'y'); u.search = ''; URL.parse('x')",
  },
  { name: 'wrong url', does: "new URL('x')" },
  {
    name: 'parameters',
    does: "const p = new URLSearchParams('a=1&b=2'); p.get('a'); p.getAll('a'); p.has('a', '1'); p.set('a', '3'); p.delete('b'); p.append('b', '1'); p.sort(); p.size; p.toString(); p.toJSON()",
  },
  { name: 'each parameter', given: '() => 1', does: "new URLSearchParams('a=1&b=2').forEach(given)" },
  { name: 'from an object', given: '{ a: 1 }', does: 'new URLSearchParams(given)' },
  { name: 'unawaited', given: "tools.search('add')", does: 'given.sum' },
]

/** What the program itself calls in a step. */
const MEANT: readonly string[] = [
  'clock: globalThis.Date',
  'clock: globalThis.Math.random',
  'clone: globalThis.structuredClone',
  'clone of bytes: globalThis.structuredClone',
  'text: globalThis.JSON.stringify',
  'text: globalThis.Map.prototype.toJSON',
  'text: globalThis.Set.prototype.toJSON',
  'text: globalThis.Error.prototype.toJSON',
  'base64: globalThis.atob',
  'base64: globalThis.btoa',
  'timer: globalThis.setTimeout',
  'interval: globalThis.clearInterval',
  'interval: globalThis.setInterval GOT OURS',
  'microtask: globalThis.queueMicrotask GOT OURS',
]

test('nothing of ours uses a builtin that a program could have replaced, nor hands it a function', async () => {
  const names = await namesOfPrelude()
  const end = await pool.run(aRequest(spyingProgram(names, STEPS)), NEVER)
  expect(end).toMatchObject({ kind: 'value' })
  const told = end.kind === 'value' && Array.isArray(end.value) ? end.value : []
  expect(new Set(told)).toEqual(new Set(MEANT))
})

/** Every word of its source: among them are all names of properties that it reads or writes. */
async function namesOfPrelude(): Promise<readonly string[]> {
  const folder = path.resolve(import.meta.dirname, '../prelude')
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const text = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n')
  const words = new Set(text.match(/[A-Za-z_$][\w$]*/g))
  // These the language itself asks every object for.
  for (const name of ['then', 'toJSON', 'constructor', '__proto__']) words.delete(name)
  return [...words]
}
