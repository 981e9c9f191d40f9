import { isDeepStrictEqual } from 'node:util'
import { anything, array, assert, constantFrom, dictionary, integer, json, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { repairArguments } from './repair.ts'

const aSchema = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const repaired = (input: unknown, schema: JsonObject): JsonValue => repairArguments(input, schema).args

const numbers = aSchema({ a: { type: 'number' }, b: { type: 'number' } }, { required: ['a', 'b'] })
const text = aSchema({ text: { type: 'string' } })

function isUntouched(input: JsonValue, schema: JsonObject): boolean {
  const { args, notices } = repairArguments(input, schema)
  return isDeepStrictEqual(args, input) && notices.length === 0
}

test('arguments in a list of one are taken out of it, and it is said', () => {
  const { args, notices } = repairArguments([{ a: '2', b: 3 }], numbers)
  expect(args).toEqual({ a: 2, b: 3 })
  expect(notices.map(({ message }) => message)).toContain(
    'the arguments stood in a list of one and were taken out of it; send them directly',
  )
  for (const input of [[], [2, 3], [{ a: 2 }, { b: 3 }], ['a']]) expect(isUntouched(input, numbers)).toBe(true)
})

describe('JSON text where the schema wants something else', () => {
  test('the whole arguments as JSON text are read, and it is said', () => {
    const { args, notices } = repairArguments('{"a":2,"b":3}', numbers)
    expect(args).toEqual({ a: 2, b: 3 })
    expect(notices).toEqual([{ code: 'argument-repaired', message: expect.stringContaining('the arguments') }])
  })

  test.each<[string, JsonObject, readonly [JsonValue, JsonValue]]>([
    ['a number', { type: 'number' }, ['2.5', 2.5]],
    ['an integer', { type: 'integer' }, ['7', 7]],
    ['a number with spaces around', { type: 'number' }, [' 7 ', 7]],
    ['a boolean', { type: 'boolean' }, ['true', true]],
    ['a boolean in the manner of Python', { type: 'boolean' }, ['False', false]],
    ['a list', { type: 'array', items: { type: 'string' } }, ['["x"]', ['x']]],
    ['an object', { type: 'object', properties: { n: { type: 'number' } } }, ['{"n":"1"}', { n: 1 }]],
    ['an object, encoded twice', { type: 'object' }, [JSON.stringify('{"n":1}'), { n: 1 }]],
    ['null', { type: ['number', 'null'] }, ['null', null]],
    ['one of several types', { type: ['number', 'boolean'] }, ['true', true]],
    ['one of the allowed numbers', { enum: [1, 2] }, ['2', 2]],
    ['a number or null, written as a union', { anyOf: [{ type: 'number' }, { type: 'null' }] }, ['4', 4]],
  ])('%s', (_, schema, [given, wanted]) => {
    const { args, notices } = repairArguments({ x: given }, aSchema({ x: schema }))
    expect(args).toEqual({ x: wanted })
    expect(notices.length).toBeGreaterThan(0)
  })
})

describe('real strings stay strings', () => {
  test.each<[string, JsonObject, JsonValue]>([
    ['JSON text where text is wanted', { type: 'string' }, '{"a":1}'],
    ['digits where text is wanted', { type: 'string' }, '5'],
    ['where text is one of the types', { type: ['string', 'number'] }, '5'],
    ['where a union takes text', { anyOf: [{ type: 'string' }, { type: 'object' }] }, '{"a":1}'],
    ['where the schema says nothing', {}, '5'],
    ['a list of texts that look like numbers', { type: 'array', items: { type: 'string' } }, ['5', 'true']],
  ])('%s', (_, schema, given) => expect(isUntouched({ x: given }, aSchema({ x: schema }))).toBe(true))
})

describe('what can be read in two ways is left', () => {
  test.each<[string, JsonObject, JsonValue]>([
    ['a union of an object and a list', { oneOf: [{ type: 'object' }, { type: 'array' }] }, '{"a":1}'],
    ['text with a comma where a list is wanted', { type: 'array', items: { type: 'string' } }, 'a, b'],
    ['empty text where a list is wanted', { type: 'array', items: { type: 'string' } }, ''],
    ['a broken list', { type: 'array', items: { type: 'string' } }, '[a'],
    ['an object with numbered keys', { type: 'array', items: { type: 'object' } }, { 0: { a: 1 }, 1: { a: 2 } }],
    ['an object around a list', { type: 'array', items: { type: 'object' } }, { item: [{ a: 1 }] }],
    ['a fraction for an integer', { type: 'integer' }, '2.5'],
    ['digits that a number cannot hold', { type: 'integer' }, '12345678901234567890'],
    ['one and zero for a boolean', { type: 'boolean' }, 1],
    ['a number outside of the allowed ones', { enum: [1, 2] }, '3'],
    ['a list of one where one is wanted', { type: 'number' }, [1]],
    ['words for a number', { type: 'number' }, 'two'],
  ])('%s', (_, schema, given) => expect(isUntouched({ x: given }, aSchema({ x: schema }))).toBe(true))
})

describe('numbers where text is wanted', () => {
  test('a number or boolean becomes its text', () => {
    expect(repaired({ text: 5 }, text)).toEqual({ text: '5' })
    expect(repaired({ text: true }, text)).toEqual({ text: 'true' })
  })

  test('not where the text is none of the allowed ones', () => {
    expect(isUntouched({ size: 5 }, aSchema({ size: { type: 'string', enum: ['s', 'm'] } }))).toBe(true)
  })
})

describe('null', () => {
  const schema = aSchema(
    { a: { type: 'number' }, b: { type: 'number' }, c: { type: ['number', 'null'] }, d: {} },
    { required: ['a'] },
  )

  test('is left out for an optional argument, and it is said', () => {
    const { args, notices } = repairArguments({ a: 1, b: null }, schema)
    expect(args).toEqual({ a: 1 })
    expect(notices[0]?.message).toContain('"b"')
  })

  test('stays where the schema takes it, where it says nothing, and where the argument is required', () => {
    expect(isUntouched({ a: null, c: null, d: null, e: null }, schema)).toBe(true)
  })

  test('is left out inside nested objects and lists of objects', () => {
    const inner = aSchema({ n: { type: 'number' } })
    const nested = aSchema({ o: inner, l: { type: 'array', items: inner } })
    expect(repaired({ o: { n: null }, l: [{ n: null }, { n: '1' }] }, nested)).toEqual({ o: {}, l: [{}, { n: 1 }] })
  })
})

describe('one value for a list', () => {
  test.each<[string, JsonObject, readonly [JsonValue, JsonValue]]>([
    ['a text', { type: 'string' }, ['x', ['x']]],
    ['a number', { type: 'number' }, [5, [5]]],
    ['a number as text', { type: 'number' }, ['5', [5]]],
    ['an object', { type: 'object', properties: { n: { type: 'number' } } }, [{ n: '1' }, [{ n: 1 }]]],
    ['a listed value with a comma', { enum: ['a,b', 'c'] }, ['a,b', ['a,b']]],
  ])('%s', (_, items, [given, wanted]) => {
    expect(repaired({ x: given }, aSchema({ x: { type: 'array', items } }))).toEqual({ x: wanted })
  })

  test('a list that may also be one value is left', () => {
    expect(isUntouched({ x: 'a' }, aSchema({ x: { type: ['array', 'string'], items: { type: 'string' } } }))).toBe(true)
  })

  test('nothing is said where no list is made', () => {
    expect(isUntouched({ x: { n: 'no' } }, aSchema({ x: { type: 'array', items: { type: 'string' } } }))).toBe(true)
  })
})

describe('dotted and wrapped arguments', () => {
  const nested = aSchema({
    a: aSchema({ b: { type: 'number' }, c: aSchema({ d: { type: 'string' } }) }),
    path: { type: 'string' },
  })

  test('a dotted key goes into the object that the schema has', () => {
    expect(repaired({ 'a.b': '1', 'a.c.d': 'x' }, nested)).toEqual({ a: { b: 1, c: { d: 'x' } } })
    expect(repaired({ a: { b: 2 }, 'a.c.d': 'x' }, nested)).toEqual({ a: { b: 2, c: { d: 'x' } } })
  })

  test('a dotted key stays where it has a name of its own, a map takes it, or the place is taken', () => {
    expect(isUntouched({ 'a.b': 1 }, aSchema({ 'a.b': { type: 'number' }, a: aSchema({ b: {} }) }))).toBe(true)
    expect(
      isUntouched({ 'a.b': 1 }, aSchema({ a: aSchema({ b: {} }) }, { additionalProperties: { type: 'number' } })),
    ).toBe(true)
    expect(isUntouched({ 'a.b': 1, a: { b: 2 } }, nested)).toBe(true)
    expect(isUntouched({ 'x.y': 1 }, nested)).toBe(true)
  })

  test.each([
    'args',
    'arguments',
    'input',
    'inputs',
    'params',
    'parameters',
    'payload',
    'data',
    'tool_input',
    'toolArgs',
  ])('arguments inside "%s" are taken out', (wrapper) => {
    expect(repaired({ [wrapper]: { a: 2, b: '3' } }, numbers)).toEqual({ a: 2, b: 3 })
    expect(repaired({ [wrapper]: '{"a":2,"b":3}' }, numbers)).toEqual({ a: 2, b: 3 })
    expect(repaired({ [`${wrapper}.a`]: 2, [`${wrapper}.b`]: 3 }, numbers)).toEqual({ a: 2, b: 3 })
  })

  test('an argument that is really called args or input stays', () => {
    expect(isUntouched({ input: { a: 2 } }, aSchema({ input: { type: 'object' }, a: { type: 'number' } }))).toBe(true)
    expect(isUntouched({ 'args.a': 1, a: 2 }, numbers)).toBe(true)
  })

  test('a wrapper with names that the tool does not have stays', () => {
    expect(isUntouched({ input: { z: 2 } }, numbers)).toBe(true)
    expect(isUntouched({ args: {} }, numbers)).toBe(true)
  })
})

describe('schemas', () => {
  test('local references, allOf and recursive schemas are followed', () => {
    const schema: JsonObject = {
      type: 'object',
      $defs: { node: { type: 'object', properties: { n: { type: 'number' }, next: { $ref: '#/$defs/node' } } } },
      allOf: [{ properties: { root: { $ref: '#/$defs/node' } } }],
    }
    expect(repaired({ root: { n: '1', next: { n: '2', next: '{"n":"3"}' } } }, schema)).toEqual({
      root: { n: 1, next: { n: 2, next: { n: 3 } } },
    })
  })

  test('a reference that goes round in a circle or leads out is no reason to fail', () => {
    const schema = aSchema({
      x: { $ref: '#/properties/x' },
      y: { $ref: 'https://x.test/schema' },
      z: { $ref: '#/a/b' },
    })
    expect(isUntouched({ x: '1', y: '1', z: '1' }, schema)).toBe(true)
  })

  test('values of a map and of a tuple are repaired', () => {
    expect(
      repaired({ m: { k: '1' } }, aSchema({ m: { type: 'object', additionalProperties: { type: 'number' } } })),
    ).toEqual({ m: { k: 1 } })
    expect(
      repaired(
        { t: ['1', '2'] },
        aSchema({ t: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] } }),
      ),
    ).toEqual({ t: ['1', 2] })
  })
})

describe('hostile and odd input', () => {
  test.each([undefined, null, '', '  '])('%j is no arguments', (input) => {
    expect(repairArguments(input, numbers)).toEqual({ args: {}, notices: [] })
  })

  test.each(['__proto__', 'constructor', 'prototype'])('an own key %s stays for validation to refuse', (key) => {
    const source = `{"o":{"l":[{"${key}":{"polluted":1}}]},"n":"1"}`
    const { args } = repairArguments(source, aSchema({ n: { type: 'number' } }))
    expect(JSON.stringify(args)).toBe(source.replace('"1"', '1'))
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('a dotted key cannot reach a prototype', () => {
    const schema = aSchema({ a: aSchema({ b: {} }) })
    expect(isUntouched({ 'a.__proto__': 1, '__proto__.b': 2, 'constructor.prototype': 3 }, schema)).toBe(true)
  })

  test('arguments nested a hundred thousand deep are no reason to fail', () => {
    let deep: JsonValue = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const schema = aSchema(
      { x: { $ref: '#/$defs/l' } },
      { $defs: { l: { type: 'array', items: { $ref: '#/$defs/l' } } } },
    )
    expect(repairArguments({ x: deep }, schema).notices).toEqual([])
  })

  test('a thousand repairs make few notices', () => {
    const schema = aSchema({ l: { type: 'array', items: { type: 'number' } } })
    const { args, notices } = repairArguments({ l: Array.from({ length: 1_000 }, () => '1') }, schema)
    expect(args).toEqual({ l: Array.from({ length: 1_000 }, () => 1) })
    expect(notices).toHaveLength(9)
    expect(notices.at(-1)?.message).toContain('992 more')
  })
})

describe('properties', () => {
  const aProperty = oneof(
    constantFrom<JsonObject>({ type: 'string' }, { type: 'number' }, { type: 'integer' }, { type: 'boolean' }, {}),
    constantFrom<JsonObject>(
      { type: ['string', 'null'] },
      { type: 'array', items: { type: 'number' } },
      { type: 'object' },
    ),
  )
  const schemas = dictionary(constantFrom('a', 'b', 'c', 'a.b'), aProperty).map((properties) => aSchema(properties))
  const values = oneof(
    json().map((source): JsonValue => JSON.parse(source)),
    string(),
    integer(),
    array(string()),
  )

  test('a second repair changes nothing', () => {
    assert(
      property(dictionary(constantFrom('a', 'b', 'c', 'args'), values), schemas, (input, schema) => {
        const once = repairArguments(input, schema)
        expect(repairArguments(once.args, schema).args).toEqual(once.args)
      }),
    )
  })

  test('what is changed is said, and what is not said is not changed', () => {
    assert(
      property(dictionary(constantFrom('a', 'b', 'c', 'args'), values), schemas, (input, schema) => {
        const { args, notices } = repairArguments(input, schema)
        expect(JSON.stringify(args) === JSON.stringify(input)).toBe(notices.length === 0)
      }),
    )
  })

  test('what fits at first sight is what the whole look finds nothing to repair in', () => {
    const given = oneof(values, string(), integer())
    assert(
      property(dictionary(constantFrom('a', 'b', 'a.b', 'args'), given), schemas, (input, schema) => {
        // A schema that stands behind another is always looked at whole.
        const behind = { type: 'object', allOf: [schema] }
        expect(repairArguments(input, schema)).toEqual(repairArguments(input, behind))
      }),
    )
  })

  test('nothing makes it throw', () => {
    assert(
      property(anything(), schemas, (input, schema) => {
        expect(repairArguments(input, schema)).toHaveProperty('args')
      }),
    )
  })
})
