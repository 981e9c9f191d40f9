import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toJsonForm } from './json-form.js'

const form = (value: unknown, mode: 'value' | 'strict' = 'value', limit = 10_000): ReturnType<typeof toJsonForm> =>
  toJsonForm(value, { mode, limit, depth: 16, settled: undefined, reads: undefined })

const cycle: { name: string; inner: unknown } = { name: 'c', inner: undefined }
cycle.inner = [cycle]

class Point {
  readonly x = 1
}

/** Shows nothing of itself. */
class Secretive {
  readonly #count = 1
  next(): number {
    return this.#count + 1
  }
}

class HidingError extends Error {
  constructor() {
    super('no')
    Object.defineProperty(this, 'code', { value: 'E1', enumerable: false })
  }
}

const symbolKeyed = { [Symbol('a')]: 1, [Symbol('a')]: { b: 2 } }
const hidden = Object.defineProperty({}, 'secret', { value: 1, enumerable: false })
const namedItems: unknown[] = Object.assign([], { first: 1 })

function* count(): Generator<number> {
  yield 1
}

describe('a value', () => {
  test.each<readonly [string, unknown, unknown]>([
    ['undefined', undefined, null],
    ['an undefined member', { a: undefined }, { a: null }],
    ['a hole', Array.from({ length: 2 }), [null, null]],
    [
      'NaN and infinities',
      [NaN, Infinity, -Infinity],
      [{ $number: 'NaN' }, { $number: 'Infinity' }, { $number: '-Infinity' }],
    ],
    ['-0', -0, 0],
    ['a BigInt', 12n, { $bigint: '12' }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(NaN), { $invalid: 'Date' }],
    ['a map', new Map([[{ k: 1 }, [2]]]), { $map: [[{ k: 1 }, [2]]] }],
    ['a set', new Set([1, 'a']), { $set: [1, 'a'] }],
    ['bytes', new Uint8Array([1, 255]), { $typed: 'Uint8Array', values: [1, 255] }],
    ['a buffer', new Uint8Array([7]).buffer, { $typed: 'ArrayBuffer', values: [7] }],
    ['a regular expression', /a\/b/gi, { $regexp: '/a\\/b/gi' }],
    ['a function', function named() {}, { $function: 'named' }],
    ['a symbol', Symbol('s'), { $symbol: 'Symbol(s)' }],
    ['an instance', new Point(), { $class: 'Point', x: 1 }],
    ['a boxed primitive', [Object(1), Object('a'), Object(true)], [1, 'a', true]],
    [
      'a getter',
      {
        get a() {
          return 7
        },
      },
      { a: 7 },
    ],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no')
        },
      },
      { a: { $threw: 'no' } },
    ],
    ['toJSON', { toJSON: () => ({ b: 1, toJSON: 2 }) }, { b: 1, toJSON: 2 }],
    ['a cycle', cycle, { name: 'c', inner: [{ $cycle: '$' }] }],
    ['a value twice, which is no cycle', [cycle.name, [1], [1]], ['c', [1], [1]]],
    ['a lone surrogate', '\ud800x', '\ufffdx'],
    ['keys that look like tags', { $map: 1, $$set: 2, $ref: 3 }, { $$map: 1, $$$set: 2, $ref: 3 }],
    ['a WeakMap', new WeakMap(), { $class: 'WeakMap' }],
    ['a formatter', new Intl.NumberFormat('en'), { $class: 'NumberFormat' }],
    ['an instance that shows nothing', new Secretive(), { $class: 'Secretive' }],
    ['a proxy of a map', new Proxy(new Map([[1, 2]]), {}), { $class: 'Map' }],
    ['a proxy of an object', new Proxy({ a: 1 }, {}), { a: 1 }],
    [
      'symbols as keys',
      symbolKeyed,
      {
        $symbols: [
          ['Symbol(a)', 1],
          ['Symbol(a)', { b: 2 }],
        ],
      },
    ],
    [
      'symbols beside names',
      { n: 0, ...symbolKeyed },
      {
        n: 0,
        $symbols: [
          ['Symbol(a)', 1],
          ['Symbol(a)', { b: 2 }],
        ],
      },
    ],
    ['members that are not enumerable', hidden, { $hidden: 'secret' }],
    ['a namespace', Math, { $hidden: expect.stringMatching(/^abs, acos, .* more$/) }],
    ['the values of a map', new Map([[1, 2]]).values(), { $iterator: 'Map Iterator' }],
    ['a generator', count(), { $iterator: 'Generator' }],
    ['an iterator that maps', [1].values().map(String), { $iterator: 'Iterator Helper' }],
    ['a list with names in place of items', namedItems, { $list: { first: 1 } }],
    ['a boxed symbol', Object(Symbol('s')), { $symbol: 'Symbol(s)' }],
    ['a view of a buffer', new DataView(new Uint8Array([1, 2]).buffer), { $typed: 'DataView', values: [1, 2] }],
    ['an error that hides its code', new HidingError(), { $error: { name: 'Error', message: 'no', code: 'E1' } }],
    ['an empty object', [{}, Object.create(null), []], [{}, {}, []]],
  ])('%s has its documented form', (_name, value, expected) => {
    expect(JSON.parse(form(value).text)).toEqual(expected)
  })

  test('an error keeps its members, its cause and its errors', () => {
    const error = Object.assign(new AggregateError([new TypeError('in')], 'out', { cause: 1 }), { code: 'E' })
    expect(JSON.parse(form(error).text)).toEqual({
      $error: {
        name: 'AggregateError',
        message: 'out',
        errors: [{ $error: { name: 'TypeError', message: 'in' } }],
        cause: 1,
        code: 'E',
      },
    })
  })

  test('of plain JSON is the JSON that it is, in both modes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const plain = JSON.parse(JSON.stringify(value))
        expect(JSON.parse(form(plain, 'value', 1e6).text)).toEqual(plain)
        expect(JSON.parse(form(plain, 'strict', 1e6).text)).toEqual(plain)
      }),
    )
  })

  test('of anything is JSON that parses', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
        (value) => {
          const { text, problem } = form(value, 'value', 1e6)
          expect(problem).toBeUndefined()
          expect(() => JSON.parse(text)).not.toThrow()
        },
      ),
    )
  })

  test('stops at its limit and at its depth', () => {
    expect(form(Array.from({ length: 1e6 }, () => 1)).problem).toBe('size')
    expect(form(Array.from({ length: 1e6 }, () => 1)).text.length).toBeLessThan(10_100)
    expect(form('x'.repeat(20_000)).problem).toBe('size')
    let deep: unknown = 1
    for (let level = 0; level < 20; level++) deep = [deep]
    expect(form(deep).problem).toBe('depth')
  })
})

test('what is undefined is counted, and the first are named by their place', () => {
  const { absent, absentAt } = form({ a: undefined, b: [1, undefined, { c: undefined }], d: undefined, e: null })
  expect({ absent, absentAt }).toEqual({ absent: 4, absentAt: '$.a, $.b[1], $.b[2].c' })
  expect(form(undefined)).toMatchObject({ absent: 1, absentAt: '$' })
  expect(form({ ['k'.repeat(9_000)]: undefined }).absentAt.length).toBeLessThan(201)
  expect(form([null, 0, '', {}, NaN])).toMatchObject({ absent: 0, absentAt: '' })
})

test('what does not fit is begun, so that a line of the log shows the start of a long text', () => {
  const { text, problem } = form({ id: 1, body: 'x'.repeat(20_000), last: 2 })
  expect(problem).toBe('size')
  expect(text.slice(0, 20)).toBe('{"id":1,"body":"xxxx')
  expect(text).not.toContain('}')
})

test('a key of the program that looks like a tag of what would be empty is told from it', () => {
  const value = { $symbols: 1, $hidden: 2, $iterator: 3, $list: 4 }
  expect(JSON.parse(form(value).text)).toEqual({ $$symbols: 1, $$hidden: 2, $$iterator: 3, $$list: 4 })
})

test('symbols as keys count towards depth and size like all else', () => {
  let deep: unknown = 1
  for (let level = 0; level < 8; level++) deep = { [Symbol('s')]: deep }
  expect(form(deep).problem).toBe('depth')
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, place) => [Symbol(`${place}`), 'x'.repeat(20)]))
  expect(form(wide).problem).toBe('size')
})

describe('arguments', () => {
  test.each<readonly [string, unknown, string]>([
    ['NaN', { a: [1, NaN] }, '$.a[1] is NaN'],
    ['a BigInt', 1n, 'the value is a BigInt'],
    ['a function', { f: () => 1 }, '$.f is a function'],
    ['a map', { m: new Map() }, '$.m is a Map'],
    [
      'a map under a key that is no name',
      { 'a\nb': { '': { 1: new Map() } } },
      String.raw`$["a\nb"][""]["1"] is a Map`,
    ],
    ['a map under a foreign name', { größe: { $_1: new Map() } }, '$.größe.$_1 is a Map'],
    ['bytes', { b: new Uint8Array(1) }, '$.b is a Uint8Array'],
    ['a promise', { p: Promise.resolve() }, '$.p is a promise'],
    ['a cycle', cycle, '$.inner[0] contains itself'],
    ['symbols as keys', { a: symbolKeyed }, '$.a has the key Symbol(a), which JSON cannot carry'],
    ['symbols beside names', { n: 0, ...symbolKeyed }, 'the value has the key Symbol(a)'],
    ['hidden members', { a: hidden }, '$.a has only members that are not enumerable (secret)'],
    ['a WeakMap', { w: new WeakMap() }, '$.w is an instance of WeakMap that shows no members'],
    ['an instance that shows nothing', new Secretive(), 'the value is an instance of Secretive that shows no members'],
    ['a generator', { g: count() }, '$.g is an iterator; give Array.from(iterator)'],
    ['a list with names', { l: namedItems }, '$.l is a list with names in place of items; give an object'],
    [
      'a throwing getter',
      {
        get a() {
          throw new Error('no')
        },
      },
      '$.a threw while it was read: no',
    ],
  ])('that hold %s are refused with the place', (_name, value, message) => {
    const { problem, message: said } = form(value, 'strict')
    expect(problem).toBe('refused')
    expect(said).toContain(message)
  })

  test('leave out what is undefined, and carry dates and toJSON', () => {
    const value = { a: undefined, b: [undefined], d: new Date(0), j: { toJSON: () => 1 }, $map: 2 }
    expect(JSON.parse(form(value, 'strict').text)).toEqual({ b: [null], d: '1970-01-01T00:00:00.000Z', j: 1, $map: 2 })
  })

  test('that are empty, or whose members are all undefined, are empty objects', () => {
    const value = { a: {}, b: { c: undefined }, d: Object.create(null), e: [] }
    expect(form(value, 'strict').text).toBe('{"a":{},"b":{},"d":{},"e":[]}')
    expect(form(Object.assign(new Point(), { x: undefined }), 'strict').text).toBe('{}')
  })
})
