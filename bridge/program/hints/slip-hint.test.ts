import { expect, test } from 'vitest'
import { prepareProgram } from '../prepare-program.ts'

test.each([
  ['const x\nx = 5\nreturn x', 'declare it with let'],
  ['if (r.sum > 3 {\n  return 1\n}', 'condition is not closed'],
  ['return [1, 2].map((n) { return n })', 'an arrow is missing'],
  ['return await tools.math.add({ a: 2; b: 3 })', 'parted by commas'],
  ["return await tools.call('x',, { a: 2 })", 'a comma too much'],
  ["const n = 5\nreturn 'n is ' + ${n}", 'in backquotes'],
  ["return await tools.call('x', { ... })", 'the dots stand for something'],
  ['const default = 1\nreturn default', 'a word of the language'],
  ['const r = 1\nbreak', 'stand in loops'],
  ['try { await tools.a.b({}) }\nreturn 1', 'catch (error)'],
  ['const r = f()\nf() = 2', '=== compares'],
  ['$r = Invoke-Tool -Name "add" -Arguments @{ a = 2 }', 'a command of a shell'],
  ['return [1, 2].map(n -> n * 2)', 'an arrow is written =>'],
  ['const f = function(x) => x * 2', 'either function (x) { … } or (x) => …'],
  ['if (a) { f() }\nelseif (b) { g() }', 'else if (condition)'],
  ['{"code": "return (await tools.a.b({})).sum', 'JSON that was cut off'],
])('%j is told what is wrong with it', (source, words) => {
  const prepared = prepareProgram(source, { sourceBytes: 10_000 })
  expect(prepared.kind === 'invalid' ? prepared.error.hint : 'it runs').toContain(words)
})

test.each([
  ['const o = { m() { return 1; }; }', 'parted by commas'],
  ['class A { m() { return 1 } } }', 'too much'],
  ['function f() { return (1; }', 'not closed'],
])('%j is told of its bracket', (source, words) => {
  const prepared = prepareProgram(source, { sourceBytes: 10_000 })
  expect(prepared.kind === 'invalid' ? prepared.error.hint : 'it runs').toContain(words)
})
