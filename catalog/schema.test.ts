import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { startCpuClock } from './testing/start-cpu-clock.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { hashJson, isJsonObject } from './json.ts'
import { createSchemaChecker } from './schema.ts'

// oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema; nothing here is awaited

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

/** A deep copy as JSON text gives it: `__proto__` as an own key, nothing undefined. */
function parsed(text: string): JsonValue {
  return JSON.parse(text)
}

function anObject(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more }
}

function validate(schema: JsonObject, value: JsonValue) {
  return createSchemaChecker().validate(schema, hashJson(schema), value)
}

function accepts(schema: JsonObject, value: JsonValue): boolean {
  return validate(schema, value).kind === 'valid'
}

function keywordsOf(schema: JsonObject, value: JsonValue): readonly string[] {
  const result = validate(schema, value)
  return result.kind === 'valid' ? [] : result.errors.map((error) => error.keyword)
}

function nested(depth: number): JsonObject {
  let schema: JsonObject = { type: 'string' }
  for (let level = 0; level < depth; level += 1) schema = anObject({ a: schema })
  return schema
}

function doublingChain(length: number): JsonObject {
  const definitions = Array.from({ length }, (_, index): [string, JsonObject] => {
    const next = { $ref: `#/$defs/d${index + 1}` }
    return [`d${index}`, index === length - 1 ? { type: 'string' } : { anyOf: [next, next] }]
  })
  return anObject({ a: { $ref: '#/$defs/d0' } }, { $defs: Object.fromEntries(definitions) })
}

describe('inspect', () => {
  const checker = createSchemaChecker()

  test.each<[string, JsonObject, string]>([
    ['a type that does not exist', anObject({ a: { type: 'strng' } }), 'type'],
    ['an empty list of types', anObject({ a: { type: [] } }), 'type'],
    ['required as a string', anObject({}, { required: 'a' }), 'required'],
    ['properties as a list', { type: 'object', properties: ['a'] }, 'properties'],
    ['a property that is no schema', { type: 'object', properties: { a: 'string' } }, 'properties'],
    ['enum as an object', anObject({ a: { enum: { x: 1 } } }), 'enum'],
    ['a negative length', anObject({ a: { minLength: -1 } }), 'minLength'],
    ['a minimum in quotes', anObject({ a: { minimum: '1' } }), 'minimum'],
    ['a multiple of nothing', anObject({ a: { multipleOf: 0 } }), 'multipleOf'],
    ['an empty anyOf', anObject({ a: { anyOf: [] } }), 'anyOf'],
    ['anyOf as an object', anObject({ a: { anyOf: { type: 'string' } } }), 'anyOf'],
    ['a pattern that is no text', anObject({ a: { pattern: 5 } }), 'pattern'],
    ['a remote reference', anObject({ a: { $ref: 'https://example.com/schema.json' } }), '$ref'],
    ['a reference to a file', anObject({ a: { $ref: 'other.json#/a' } }), '$ref'],
    ['a reference to nothing', anObject({ a: { $ref: '#/$defs/missing' } }), '$ref'],
    ['a reference to text', anObject({ a: { $ref: '#/title' } }, { title: 'x' }), '$ref'],
    ['a reference that is no text', anObject({ a: { $ref: 1 } }), '$ref'],
    ['a reference to itself', anObject({ a: { $ref: '#/properties/a' } }), '$ref'],
    ['a cycle that never goes into the value', anObject({ a: { allOf: [{ $ref: '#/properties/a' }] } }), '$ref'],
    ['a doubling chain of references', doublingChain(20), '$ref'],
    ['a root that is a string', { type: 'string' }, 'type'],
    ['a root of alternatives without an object', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'type'],
  ])('quarantines %s and names the keyword', (_what, schema, keyword) => {
    expect(checker.inspect(schema)).toMatchObject({ kind: 'quarantined', keyword })
  })

  test.each<[string, JsonObject]>([
    ['64 KB', anObject({}, { description: 'x'.repeat(70_000) })],
    [
      '64 KB of names',
      anObject(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`property number ${i}`, true]))),
    ],
    ['1,000 subschemas', anObject(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`p${i}`, {}])))],
    ['depth 32', nested(33)],
    ['depth 3,000', nested(3_000)],
    ['100 patterns', anObject({ a: { allOf: Array.from({ length: 101 }, (_, i) => ({ pattern: `a${i}` })) } })],
    ['150 references in a row', chain(200)],
  ])('quarantines a schema past %s', (_what, schema) => {
    expect(checker.inspect(schema)).toMatchObject({ kind: 'quarantined' })
  })

  test('lets pass what is just within the bounds', () => {
    expect(checker.inspect(nested(31))).toMatchObject({ kind: 'sound' })
    expect(checker.inspect(anObject({}, { description: 'x'.repeat(65_000) }))).toMatchObject({ kind: 'sound' })
    expect(checker.inspect(chain(140))).toMatchObject({ kind: 'sound' })
    expect(accepts(chain(140), { a: 'text' })).toBe(true)
    expect(checker.inspect(doublingChain(10))).toMatchObject({ kind: 'sound' })
  })

  test('null in place of a keyword is read as absent, and said to be', () => {
    const schema = anObject({ a: { type: 'string', enum: null, const: null } }, { required: null, $defs: null })
    const verdict = checker.inspect(schema)
    expect(verdict.kind === 'sound' ? verdict.notes.join() : '').toContain('keyword "required" is null')
    expect(accepts(schema, {})).toBe(true)
    expect(accepts(schema, { a: 'x' })).toBe(false)
  })

  test.each<[string, JsonObject]>([
    ['[] for no properties', { type: 'object', properties: [] }],
    ['whether a property is required, at the property', anObject({ a: { type: 'string', required: true } })],
    ['whether a property is required, at the property', anObject({ a: { type: 'string', required: false } })],
  ])('%s is read as absent, and said to be', (_what, schema) => {
    const verdict = checker.inspect(schema)
    expect(verdict.kind === 'sound' ? verdict.notes.join() : '').toContain('is read as absent')
    expect(accepts(schema, { a: 'x' })).toBe(true)
  })

  test('an output schema may be of any type', () => {
    expect(checker.inspect({ type: 'array', items: { type: 'string' } }, 'output')).toMatchObject({ kind: 'sound' })
    expect(checker.inspect({ title: 'no type' }, 'output')).toMatchObject({ kind: 'sound' })
    expect(checker.inspect({ type: 'array' }, 'input')).toMatchObject({ kind: 'quarantined' })
  })

  test('says what it will not enforce', () => {
    const schema = anObject({
      a: { type: 'string', pattern: '^(?!x)' },
      b: { type: 'string', format: 'postcode' },
      c: { type: 'string', optional: true },
    })
    const verdict = checker.inspect(schema)
    expect(verdict).toMatchObject({ kind: 'sound' })
    const notes = verdict.kind === 'sound' ? verdict.notes.join('\n') : ''
    expect(notes).toContain('pattern "^(?!x)" at #/properties/a is not enforced: it has lookaround')
    expect(notes).toContain('unknown format "postcode" is ignored')
    expect(notes).toContain('unknown keyword "optional" is ignored')
    expect(accepts(schema, { a: 'xyz', b: 'anything', c: 'here' })).toBe(true)
  })

  test('its messages hold nothing invisible, however hostile the schema', () => {
    const verdict = checker.inspect(anObject({ a: { type: `x\u202E\u001b[31m\n${'y'.repeat(5_000)}` } }))
    expect(verdict).toMatchObject({ kind: 'quarantined' })
    const reason = verdict.kind === 'quarantined' ? verdict.reason : ''
    expect(reason).toMatch(/^[\x20-\x7e]{1,200}$/)
  })

  test('any JSON object gets a verdict and any value an answer', () => {
    fc.assert(
      fc.property(fc.oneof(aStrangeSchema(), fc.jsonValue()), fc.jsonValue(), (raw, rawValue) => {
        const schema = parsed(JSON.stringify(raw))
        const value = parsed(JSON.stringify(rawValue))
        if (!isJsonObject(schema)) return
        const verdict = checker.inspect(schema, 'output')
        const result = checker.validate(schema, hashJson(schema), value)
        const isUnusable = result.kind === 'invalid' && result.errors[0]?.keyword === 'schema'
        // What inspection lets pass compiles, and nothing else is ever compiled.
        const isUnsafe = result.kind === 'invalid' && result.errors[0]?.keyword === 'unsafe'
        expect(isUnusable).toBe(verdict.kind === 'quarantined' && !isUnsafe)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('validate', () => {
  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    ['types', anObject({ a: { type: 'integer' } }), { a: 1 }, { a: 1.5 }],
    ['lists of types', anObject({ a: { type: ['string', 'null'] } }), { a: null }, { a: 1 }],
    ['required', anObject({ a: {} }, { required: ['a'] }), { a: 1 }, {}],
    ['required names of Object.prototype', anObject({}, { required: ['toString'] }), { toString: 1 }, {}],
    ['enum', anObject({ a: { enum: ['x', 1, null, { y: [1] }] } }), { a: { y: [1] } }, { a: 'y' }],
    ['an empty enum', anObject({ a: { enum: [] } }), {}, { a: 1 }],
    ['const', anObject({ a: { const: [1, { b: 2 }] } }), { a: [1, { b: 2 }] }, { a: [1] }],
    ['nullable', anObject({ a: { type: 'string', nullable: true } }), { a: null }, { a: 1 }],
    ['nullable beside enum', anObject({ a: { type: 'string', enum: ['x'], nullable: true } }), { a: null }, { a: 'y' }],
    [
      'nullable beside $ref',
      anObject({ a: { $ref: '#/$defs/s', nullable: true } }, { $defs: { s: { type: 'string' } } }),
      { a: null },
      { a: 1 },
    ],
    ['boolean schemas', anObject({ a: true, b: false }), { a: 1 }, { b: 1 }],
    ['additionalProperties', anObject({ a: {} }, { additionalProperties: { type: 'number' } }), { b: 1 }, { b: 'x' }],
    [
      'patternProperties',
      { type: 'object', patternProperties: { '^n_': { type: 'number' } } },
      { n_a: 1 },
      { n_a: 'x' },
    ],
    ['propertyNames', { type: 'object', propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    ['minProperties', { type: 'object', minProperties: 1 }, { a: 1 }, {}],
    [
      'a draft-07 tuple',
      { $schema: DRAFT_07, ...anObject({ a: { items: [{ type: 'string' }, { type: 'number' }] } }) },
      { a: ['x', 1] },
      { a: [1, 'x'] },
    ],
    [
      'additionalItems',
      { $schema: DRAFT_07, ...anObject({ a: { items: [{ type: 'string' }], additionalItems: false } }) },
      { a: ['x'] },
      { a: ['x', 1] },
    ],
    [
      'definitions',
      anObject({ a: { $ref: '#/definitions/s' } }, { definitions: { s: { type: 'string' } } }),
      { a: 'x' },
      { a: 1 },
    ],
    [
      'dependencies on names',
      { $schema: DRAFT_07, type: 'object', dependencies: { a: ['b'] } },
      { a: 1, b: 1 },
      { a: 1 },
    ],
    [
      'dependencies on schemas',
      { $schema: DRAFT_07, type: 'object', dependencies: { a: { required: ['b'] } } },
      { a: 1, b: 1 },
      { a: 1 },
    ],
    ['dependentRequired', { type: 'object', dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }],
    ['dependentSchemas', { type: 'object', dependentSchemas: { a: { required: ['b'] } } }, { b: 1 }, { a: 1 }],
    [
      'prefixItems',
      anObject({ a: { prefixItems: [{ type: 'string' }], items: { type: 'number' } } }),
      { a: ['x', 1] },
      { a: ['x', 'y'] },
    ],
    ['$defs at the root', anObject({ a: { $ref: '#/$defs/s' } }, { $defs: { s: { minimum: 3 } } }), { a: 3 }, { a: 2 }],
    [
      'an anchor',
      anObject({ a: { $ref: '#s' } }, { $defs: { s: { $anchor: 's', type: 'string' } } }),
      { a: 'x' },
      { a: 1 },
    ],
    [
      'a draft-07 anchor',
      { $schema: DRAFT_07, ...anObject({ a: { $ref: '#s' } }, { definitions: { s: { $id: '#s', type: 'string' } } }) },
      { a: 'x' },
      { a: 1 },
    ],
    [
      'a reference by the own $id',
      anObject(
        { a: { $ref: 'https://example.com/t#/$defs/s' } },
        { $id: 'https://example.com/t', $defs: { s: { type: 'string' } } },
      ),
      { a: 'x' },
      { a: 1 },
    ],
    [
      'a reference to an embedded $id',
      anObject(
        { a: { $ref: 's.json' } },
        { $id: 'https://example.com/t.json', $defs: { x: { $id: 's.json', type: 'string' } } },
      ),
      { a: 'x' },
      { a: 1 },
    ],
    [
      'a pointer inside an embedded resource',
      anObject(
        { a: { $ref: '#/$defs/x' } },
        { $defs: { x: { $id: 'urn:x', $ref: '#/$defs/y', $defs: { y: { type: 'string' } } } } },
      ),
      { a: 'x' },
      { a: 1 },
    ],
    [
      'a pointer with escapes',
      anObject({ a: { $ref: '#/$defs/a~1b%20c~0' } }, { $defs: { 'a/b c~': { type: 'string' } } }),
      { a: 'x' },
      { a: 1 },
    ],
    [
      'keywords beside $ref',
      anObject({ a: { $ref: '#/$defs/s', maxLength: 2 } }, { $defs: { s: { type: 'string' } } }),
      { a: 'xy' },
      { a: 'xyz' },
    ],
    [
      'recursion',
      anObject({ v: { type: 'number' }, n: { $ref: '#' } }),
      { n: { n: { v: 1 } } },
      { n: { n: { v: 'x' } } },
    ],
    [
      'recursion by $dynamicRef',
      { $dynamicAnchor: 'node', ...anObject({ v: { type: 'number' }, n: { $dynamicRef: '#node' } }) },
      { n: { v: 1 } },
      { n: { v: 'x' } },
    ],
    [
      'unevaluatedProperties',
      { type: 'object', allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1 },
      { b: 1 },
    ],
    [
      'unevaluatedProperties through $ref',
      { type: 'object', $ref: '#/$defs/x', unevaluatedProperties: false, $defs: { x: { properties: { a: {} } } } },
      { a: 1 },
      { b: 1 },
    ],
    ['unevaluatedItems', anObject({ a: { prefixItems: [{}], unevaluatedItems: false } }), { a: [1] }, { a: [1, 2] }],
    [
      'if, then, else',
      { type: 'object', if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
      { a: 1, b: 1 },
      { a: 1 },
    ],
    ['root oneOf', { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }, { a: 1, b: 1 }],
    [
      'root anyOf without a type',
      { anyOf: [anObject({}, { required: ['a'] }), anObject({}, { required: ['b'] })] },
      { b: 1 },
      {},
    ],
    [
      'root allOf',
      { allOf: [anObject({}, { required: ['a'] }), anObject({}, { required: ['b'] })] },
      { a: 1, b: 1 },
      { a: 1 },
    ],
    ['not', anObject({ a: { not: { type: 'string' } } }), { a: 1 }, { a: 'x' }],
    ['contains', anObject({ a: { contains: { const: 1 }, minContains: 2 } }), { a: [1, 1] }, { a: [1] }],
    [
      'uniqueItems',
      anObject({ a: { uniqueItems: true } }),
      {
        a: [
          { x: 1, y: 2 },
          { x: 1, y: 3 },
        ],
      },
      {
        a: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      },
    ],
    ['multipleOf', anObject({ a: { multipleOf: 0.5 } }), { a: 1.5 }, { a: 1.7 }],
    ['cents', anObject({ a: { multipleOf: 0.01 } }), { a: 19.99 }, { a: 19.999 }],
    ['cents of millions', anObject({ a: { multipleOf: 0.01 } }), { a: 42_949_672.07 }, { a: 42_949_672.075 }],
    ['a boolean exclusiveMinimum', anObject({ a: { minimum: 1, exclusiveMinimum: true } }), { a: 2 }, { a: 1 }],
    ['a pattern', anObject({ a: { pattern: '^a+(b|c)$' } }), { a: 'aab' }, { a: 'aa' }],
    ['a date', anObject({ a: { format: 'date' } }), { a: '2024-02-29' }, { a: '2023-02-29' }],
    ['an address', anObject({ a: { format: 'email' } }), { a: 'a@example.com' }, { a: 'example.com' }],
    ['a url', anObject({ a: { format: 'url' } }), { a: 'https://example.com/a?b' }, { a: 'javascript:x' }],
    [
      '$async, which would make a promise of the answer',
      { $async: true, ...anObject({ a: { type: 'string' } }) },
      { a: 'x' },
      { a: 1 },
    ],
    [
      '$data, which would read the value',
      anObject({ a: { enum: [{ $data: '1/b' }] }, b: {} }),
      { a: { $data: '1/b' } },
      { a: 1, b: 1 },
    ],
  ])('%s', (...[, schema, good, bad]) => {
    expect(createSchemaChecker().inspect(schema)).toMatchObject({ kind: 'sound' })
    expect(validate(schema, good)).toMatchObject({ kind: 'valid' })
    expect(validate(schema, bad)).toMatchObject({ kind: 'invalid' })
  })

  test('a pattern for property names that is not enforced lets other keys pass too', () => {
    const schema: JsonObject = { type: 'object', patternProperties: { '^(?=x)': {} }, additionalProperties: false }
    expect(accepts(schema, { xy: 1 })).toBe(true)
  })

  test('two schemas with one $id, and two under one hash, do not meet', () => {
    const checker = createSchemaChecker()
    const text = { $id: 'https://example.com/same', ...anObject({ a: { type: 'string' } }) }
    const number = { $id: 'https://example.com/same', ...anObject({ a: { type: 'number' } }) }
    expect(checker.validate(text, 'hash', { a: 'x' }).kind).toBe('valid')
    expect(checker.validate(number, 'hash', { a: 'x' }).kind).toBe('invalid')
    expect(checker.validateOutput(text, 'hash', { a: 1 }).kind).toBe('invalid')
  })

  test('tells several errors at once, at most 32, as plain bounded JSON', () => {
    const schema = anObject({
      rows: { type: 'array', items: anObject({ a: { type: 'string' } }, { required: ['b'] }) },
    })
    const result = validate(schema, { rows: Array.from({ length: 5_000 }, () => ({ a: 1 })) })
    const errors = result.kind === 'invalid' ? result.errors : []
    expect(errors).toHaveLength(32)
    expect(errors.slice(0, 2).map((error) => [error.instancePath, error.keyword])).toEqual([
      ['/rows/0', 'required'],
      ['/rows/0/a', 'type'],
    ])
    const long = validate(anObject({ a: { enum: Array.from({ length: 3_000 }, (_, i) => `value ${i}`) } }), { a: 'x' })
    expect(JSON.stringify(long).length).toBeLessThan(4_000)
  })

  test.each(['__proto__', 'constructor', 'prototype'])('refuses the own key %s at any depth', (key) => {
    const value = parsed(`{"a":[{"b":{"${key}":{"x":1}}}]}`)
    expect(validate({ type: 'object' }, value)).toMatchObject({
      kind: 'invalid',
      errors: [{ keyword: 'unsafe', instancePath: `/a/0/b/${key}` }],
    })
  })

  test('refuses a value that is nested deeper than 64 levels, whatever its schema', () => {
    const value = parsed(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(keywordsOf({ type: 'object' }, { a: value })).toEqual(['unsafe'])
  })

  test('lets nothing pass by a schema that is too large to be enforced', () => {
    expect(createSchemaChecker().validate(nested(40), 'deep', { a: {} })).toMatchObject({
      kind: 'invalid',
      errors: [{ keyword: 'schema' }],
    })
  })
})

describe('defaults', () => {
  test('fill what is absent, in a copy, through references, allOf and lists', () => {
    const schema = anObject(
      {
        limit: { type: 'integer', default: 20 },
        page: { $ref: '#/$defs/page' },
        rows: { type: 'array', items: anObject({ kind: { default: 'plain' } }) },
        sort: { $ref: '#/$defs/sort', default: 'up' },
      },
      {
        allOf: [{ properties: { also: { default: [1] } } }],
        $defs: { page: anObject({ at: { default: 0 } }), sort: { enum: ['up'] } },
      },
    )
    const value = { page: {}, rows: [{}, { kind: 'x' }] }
    const before = structuredClone(value)
    const result = validate(schema, value)
    expect(result).toEqual({
      kind: 'valid',
      value: { limit: 20, also: [1], sort: 'up', page: { at: 0 }, rows: [{ kind: 'plain' }, { kind: 'x' }] },
    })
    expect(value).toEqual(before)
  })

  test('do not reach back into the schema', () => {
    const schema = anObject({ tags: { type: 'array', default: ['a'] } })
    const result = validate(schema, {})
    const filled = result.kind === 'valid' && isJsonObject(result.value) ? result.value['tags'] : undefined
    if (Array.isArray(filled)) filled.push('b')
    expect(validate(schema, {})).toEqual({ kind: 'valid', value: { tags: ['a'] } })
  })

  test('stay out of alternatives', () => {
    const schema: JsonObject = {
      type: 'object',
      anyOf: [anObject({ a: { default: 1 } }), anObject({ b: { default: 2 } })],
    }
    expect(validate(schema, {})).toEqual({ kind: 'valid', value: {} })
  })

  test('are left out where they do not fit their type, their schema or the value', () => {
    expect(validate(anObject({ a: { type: 'integer', default: '5' } }), {})).toEqual({ kind: 'valid', value: {} })
    expect(validate(anObject({ a: { type: 'integer', minimum: 9, default: 5 } }), {})).toEqual({
      kind: 'valid',
      value: {},
    })
    const either = anObject({ a: { default: 1 }, b: {} }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] })
    expect(validate(either, { b: 1 })).toEqual({ kind: 'valid', value: { b: 1 } })
  })

  test('bring no forbidden key', () => {
    const schema = parsed(
      '{"type":"object","properties":{"a":{"default":{"__proto__":{"x":1}}},"__proto__":{"default":1}}}',
    )
    if (!isJsonObject(schema)) throw new Error('not an object')
    expect(validate(schema, {})).toEqual({ kind: 'valid', value: {} })
  })

  test('are not given to results', () => {
    const schema = anObject({ a: { default: 1 } })
    expect(createSchemaChecker().validateOutput(schema, 'h', {})).toEqual({ kind: 'valid', value: {} })
  })
})

describe('the cache', () => {
  test('is bounded and forgets what was used least recently', () => {
    const checker = createSchemaChecker({ compiledMaxCount: 2 })
    const schemas = ['a', 'b', 'c', 'a'].map((name) => anObject({ [name]: { type: 'string' } }, { required: [name] }))
    for (const [index, schema] of schemas.entries()) {
      expect(checker.validate(schema, `hash ${index}`, { a: 'x', b: 'x', c: 'x' }).kind).toBe('valid')
    }
  })
})

describe('hostile schemas and values', () => {
  // An honest schema of the largest size, compiled and failed once on this machine, now.
  let yardstick = 0

  beforeAll(() => {
    const properties = Array.from({ length: 900 }, (_, i) => [`p${i}`, { type: 'string', maxLength: i }])
    yardstick = Math.max(
      20,
      cpuMs(() => validate(anObject(Object.fromEntries(properties)), { p1: 'too long' })),
    )
  })

  const wide = Array.from({ length: 480 }, (_, i) => anObject({ [`p${i}`]: { minLength: i } }, { required: [`p${i}`] }))
  let deep: JsonValue = { v: 1 }
  for (let level = 0; level < 60; level += 1) deep = { n: deep }
  const branch = anObject({ n: { $ref: '#/$defs/n' }, v: { type: 'string' } })
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key${i}`, 'text']))

  test.each<[string, JsonObject, JsonValue]>([
    ['2¹⁴ alternatives', alternatives(14), { a: 1 }],
    ['2⁸ alternatives', alternatives(8), { a: 1 }],
    ['480 alternatives of objects', { type: 'object', anyOf: wide }, {}],
    ['480 exclusive alternatives', { type: 'object', oneOf: wide }, {}],
    ['a doubling chain within the bound', doublingChain(12), { a: 1 }],
    [
      'recursion that doubles at each level',
      { ...branch, anyOf: [branch, branch], $defs: { n: { anyOf: [branch, branch] } } },
      deep,
    ],
    [
      'recursion into a hundred alternatives',
      { type: 'object', $ref: '#/$defs/n', $defs: { n: { oneOf: Array.from({ length: 100 }, () => branch) } } },
      deep,
    ],
    ['an exponential pattern', anObject({ a: { pattern: '^(a+)+$' } }), { a: `${'a'.repeat(5_000)}!` }],
    [
      'a pattern whose automaton explodes',
      anObject({ a: { pattern: '(?:a|b)*a(?:a|b){200}c' } }),
      { a: 'ab'.repeat(100_000) },
    ],
    ['a quadratic format', anObject({ a: { format: 'url' } }), { a: `http://${'a:'.repeat(50_000)}@` }],
    [
      '50,000 keys in 480 branches',
      { type: 'object', anyOf: wide.map((_, i) => ({ additionalProperties: { minLength: i + 5 } })) },
      many,
    ],
    [
      'a text of a million characters in 900 branches',
      anObject({ a: { anyOf: Array.from({ length: 900 }, () => ({ minLength: 2e6 })) } }),
      { a: 'x'.repeat(1e6) },
    ],
    [
      '100,000 values against 5,000',
      anObject({ a: { items: { enum: Array.from({ length: 5_000 }, (_, i) => `v${i}`) } } }),
      { a: Array.from({ length: 1e5 }, () => 'v4999') },
    ],
    ['50,000 errors', anObject({ a: { items: { type: 'string' } } }), { a: Array.from({ length: 5e4 }, () => 1) }],
  ])('%s end within the time of a few honest schemas, and refused', (_what, schema, value) => {
    const checker = createSchemaChecker()
    let kind = ''
    const taken = cpuMs(() => {
      checker.inspect(schema)
      kind = checker.validate(schema, 'hash', value).kind
    })
    expect(kind).toBe('invalid')
    // Unbounded, the mildest of these takes some fifty times the yardstick and most of them never end.
    expect(taken / yardstick).toBeLessThan(20)
  })

  test('400,000 honest values are not refused for their number alone', () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => ({ a: 'x', b: i, c: true }))
    const row = anObject(
      { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } },
      { required: ['a'], additionalProperties: false },
    )
    expect(accepts(anObject({ rows: { type: 'array', items: row } }), { rows })).toBe(true)
  })
})

describe('against ajv itself', () => {
  test('accepts what ajv accepts of honest schemas, and nothing else', () => {
    let valid = 0
    let checked = 0
    fc.assert(
      fc.property(anHonestSchema(), fc.array(aValue(), { minLength: 4, maxLength: 8 }), (schema, values) => {
        const plain = parsed(JSON.stringify(schema))
        if (!isJsonObject(plain)) return
        const isOld = plain['$schema'] === DRAFT_07
        const formats = { ...fullFormats }
        const options = { strict: false, logger: false, ownProperties: true, validateSchema: false, formats } as const
        const oracle = (isOld ? new Ajv(options) : new Ajv2020(options)).compile(plain)
        const checker = createSchemaChecker()
        for (const value of values) {
          const isWanted = verdictOf(() => oracle(value))
          if (isWanted === undefined) continue
          const isValid = checker.validateOutput(plain, 'h', value).kind === 'valid'
          checked += 1
          if (isValid) valid += 1
          expect([JSON.stringify(value), isValid]).toEqual([JSON.stringify(value), isWanted])
        }
      }),
      { numRuns: 60 },
    )
    // Neither answer may be rare, or the comparison says little.
    expect(valid / checked).toBeGreaterThan(0.1)
    expect(valid / checked).toBeLessThan(0.9)
  })
})

const toolsFile = path.resolve(import.meta.dirname, '../../shared/bench/tools.jsonl')

describe.skipIf(!existsSync(toolsFile))('the schemas of public tools', () => {
  test('are inspected without a defect, and nearly all are sound', () => {
    const checker = createSchemaChecker()
    const lines = readFileSync(toolsFile, 'utf8').trim().split('\n')
    let sound = 0
    for (const [index, line] of lines.entries()) {
      const schema: JsonObject = JSON.parse(line).inputSchema
      const isSound = checker.inspect(schema).kind === 'sound'
      if (isSound) sound += 1
      if (index % 50 !== 0 || !isSound) continue
      const result = checker.validate(schema, hashJson(schema), {})
      expect(result.kind === 'invalid' && result.errors.some((error) => error.keyword === 'schema')).toBe(false)
    }
    expect(sound / lines.length).toBeGreaterThan(0.99)
  })
})

/** Ajv 8.20 makes functions that throw a ReferenceError from some schemas; then it has no verdict. */
function verdictOf(check: () => unknown): boolean | undefined {
  try {
    return check() === true
  } catch (error) {
    if (error instanceof ReferenceError) return undefined
    throw error
  }
}

function chain(length: number): JsonObject {
  const definitions = Array.from({ length }, (_, index): [string, JsonObject] => [
    `d${index}`,
    index === length - 1 ? { type: 'string' } : { $ref: `#/$defs/d${index + 1}` },
  ])
  return anObject({ a: { $ref: '#/$defs/d0' } }, { $defs: Object.fromEntries(definitions) })
}

function alternatives(depth: number): JsonObject {
  const tree = (level: number): JsonObject =>
    level === 0 ? { type: 'string' } : { anyOf: [tree(level - 1), tree(level - 1)] }
  return anObject({ a: tree(depth) })
}

function cpuMs(work: () => void): number {
  const spentMs = startCpuClock()
  work()
  return spentMs()
}

const NAMES = ['a', 'b', 'c'] as const

function aValue(): fc.Arbitrary<JsonValue> {
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>('x', 'abc', '2024-01-01', 0, 1, 2.5, -3, true, null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3 }),
    ),
  }))
  // As JSON text gives them: fast-check also makes objects without a prototype, which deep equality tells apart.
  return value.map((made) => parsed(JSON.stringify(made)))
}

/** Schemas of every keyword with small values, so that random values meet and miss them. */
function anHonestSchema(): fc.Arbitrary<JsonObject> {
  const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => {
    const sub = tie('schema')
    const names = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })
    const map = fc.dictionary(fc.constantFrom(...NAMES), sub, { maxKeys: 3 })
    const list = fc.array(sub, { minLength: 1, maxLength: 2 })
    const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null')
    return {
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.oneof(
          type.map((name) => ({ type: name })),
          fc.boolean(),
          fc.constant({ $ref: '#/$defs/leaf' }),
        ),
        fc.record<Record<string, JsonValue>>(
          {
            type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
            enum: fc.array(aValue(), { minLength: 1, maxLength: 3 }),
            minLength: fc.nat(2),
            maximum: fc.nat(2),
            pattern: fc.constantFrom('^a', 'c$', '^\\d'),
            format: fc.constantFrom('date', 'ipv4'),
            uniqueItems: fc.boolean(),
            maxItems: fc.nat(2),
          },
          { requiredKeys: [] },
        ),
        fc.record<Record<string, JsonValue>>(
          {
            properties: map,
            required: names,
            additionalProperties: sub,
            patternProperties: fc.record({ '^[ab]$': sub }),
            propertyNames: fc.constantFrom<JsonObject>({ enum: ['a', 'b'] }, { maxLength: 1 }),
            minProperties: fc.nat(1),
            unevaluatedProperties: sub,
            dependentRequired: fc.record({ a: names }),
            dependentSchemas: fc.record({ b: sub }),
          },
          { requiredKeys: [] },
        ),
        fc.record<Record<string, JsonValue>>(
          { prefixItems: list, items: sub, contains: sub, unevaluatedItems: sub },
          { requiredKeys: [] },
        ),
        fc.record<Record<string, JsonValue>>(
          { allOf: list, anyOf: list, oneOf: list, not: sub, if: sub, then: sub, else: sub },
          { requiredKeys: [] },
        ),
      ),
    }
  })
  const leaf: JsonObject = { type: 'object', properties: { a: { $ref: '#/$defs/leaf' } }, required: ['a'] }
  return fc.tuple(schema, schema, fc.boolean()).map(([first, second, isOld]) => ({
    ...(isOld
      ? { $schema: DRAFT_07, items: [first], additionalItems: second, dependencies: { a: ['b'], b: second } }
      : {}),
    anyOf: [first, second, { type: 'string' }],
    $defs: { leaf },
  }))
}

/** Schemas with the right words in the wrong places. */
function aStrangeSchema(): fc.Arbitrary<unknown> {
  const keywords = [
    'type',
    'properties',
    'items',
    'required',
    'enum',
    'const',
    'anyOf',
    'allOf',
    'not',
    '$ref',
    '$id',
    '$defs',
    'a',
    'pattern',
    'format',
    'default',
    'nullable',
    'additionalProperties',
    'prefixItems',
    'uniqueItems',
    'minLength',
    'if',
    'then',
    '$anchor',
    'dependencies',
    'unevaluatedProperties',
    '$dynamicRef',
  ]
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<unknown>(
        'string',
        'object',
        'array',
        '#',
        '#/$defs/a',
        '#a',
        '^a',
        '(',
        'date',
        'urn:x',
        true,
        false,
        0,
        1,
        -1,
        null,
      ),
      fc.array(tie('schema'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keywords), tie('schema'), { maxKeys: 4 }),
    ),
  }))
  return schema
}
