import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { createSchemaChecker } from '../../../catalog/schema.ts'
import { RULE_VALUES_MAX } from '../../limits.ts'
import type { MatchWhen, WhenMatch } from './judge.ts'
import { createJudgeWhen } from './judge-when.ts'

const schemas = createSchemaChecker()
const matches: MatchWhen = (when, input) =>
  schemas.validateOutput(when, JSON.stringify(when), input).kind === 'valid' ? 'yes' : 'no'

function judge(when: JsonObject, input: JsonObject): WhenMatch {
  return createJudgeWhen(when, matches)(input)
}

const LARGE = { properties: { amount: { exclusiveMinimum: 100 } }, required: ['amount'] }
const SMALL = { properties: { amount: { maximum: 100 } }, required: ['amount'] }

describe('a rule on a number', () => {
  test.each<JsonValue>(['500', '5e2', ' 500 ', '５００', '0x1f4', [500], [[500]], { value: 500 }, true, null, 'many'])(
    'neither takes %j for a large nor for a small one',
    (amount) => {
      expect([judge(LARGE, { amount }), judge(SMALL, { amount })]).toEqual(['undecided', 'undecided'])
      const typed = { properties: { amount: { type: 'number', exclusiveMinimum: 100 } }, required: ['amount'] }
      expect(judge(typed, { amount })).toBe('undecided')
      expect(judge({ not: SMALL }, { amount })).toBe('undecided')
    },
  )

  test.each<JsonObject>([
    { Amount: 500 },
    { AMOUNT: 500 },
    { ' amount ': 500 },
    { a_mount: 500 },
    { ａｍｏｕｎｔ: 500 },
    { order: { amount: 500 } },
    { orders: [{ n: 1 }, { Amount: 500 }] },
    { amount: 1, Amount: 500 },
    { amount: 1, order: { amount: 500 } },
    { amount: 1, order: { amount: '500' } },
  ])('is not evaded by %j', (input) => {
    expect(judge(LARGE, input)).toBe('undecided')
    expect(judge(SMALL, input)).not.toBe('yes')
  })

  test('is decided where every such value says the same, and where there is none', () => {
    expect(judge(LARGE, { amount: 101, order: { amount: 900 } })).toBe('yes')
    expect(judge(LARGE, { amount: 7, order: { amount: 9 } })).toBe('no')
    expect(judge(LARGE, { order: { amount: 9 } })).toBe('no')
    expect([judge(LARGE, {}), judge(LARGE, { other: 500 })]).toEqual(['no', 'no'])
    expect(judge({ properties: { amount: { maximum: 5 } } }, { order: { amount: 9 } })).toBe('undecided')
    expect(judge({ properties: { amount: { multipleOf: 5 } } }, { amount: 9 })).toBe('no')
  })
})

describe('a rule on a text', () => {
  const etc = { properties: { path: { pattern: '^/etc' } }, required: ['path'] }
  test('does not decide by lists, numbers and objects', () => {
    expect([judge(etc, { path: '/etc/x' }), judge(etc, { path: '/home' })]).toEqual(['yes', 'no'])
    for (const path of [['/etc/x'], 5, { p: '/etc' }]) expect(judge(etc, { path })).toBe('undecided')
    expect(judge(etc, { files: [{ path: '/home/a' }, { path: '/home/b' }] })).toBe('no')
    expect(judge(etc, { files: [{ path: '/home/a' }, { path: '/etc/b' }] })).toBe('undecided')
  })

  test('with a branch for each kind of value means the one for what came', () => {
    const path = {
      anyOf: [
        { type: 'string', pattern: '^/etc' },
        { type: 'array', contains: { pattern: '^/etc' } },
      ],
    }
    const both = { properties: { path }, required: ['path'] }
    const given = ['/etc/x', '/home', ['/home', '/etc/x'], ['/home'], [['/etc/x']]]
    expect(given.map((each) => judge(both, { path: each }))).toEqual(['yes', 'no', 'yes', 'no', 'undecided'])
    expect(judge(both, { path: { a: 1 } })).toBe('undecided')
  })

  test('that names a word leaves other letters of it, and other kinds, open', () => {
    const named = (action: JsonValue) => ({ properties: { action }, required: ['action'] })
    for (const when of [named({ const: 'delete' }), named({ enum: ['drop', 'delete'] })]) {
      const given = ['delete', 'list', 'Delete', ' DELETE ', ['delete'], 3]
      const open = Array.from({ length: 4 }, () => 'undecided')
      expect(given.map((action) => judge(when, { action }))).toEqual(['yes', 'no', ...open])
    }
    expect(judge(named({ const: true }), { action: 'true' })).toBe('undecided')
  })
})

/** From a text: an object that is written with a `then` is taken for a promise. */
function conditional(test: JsonObject, positive: JsonObject, negative: JsonObject | boolean = true): JsonObject {
  const [condition, yes, no] = [test, positive, negative].map((part) => JSON.stringify(part))
  return JSON.parse(`{"if":${condition},"then":${yes},"else":${no}}`)
}

describe('the parts of a schema', () => {
  const amount = (part: JsonObject): JsonObject => ({ properties: { amount: part }, required: ['amount'] })
  test.each<readonly [JsonObject, JsonValue, WhenMatch]>([
    [{ allOf: [{ minimum: 1 }, { maximum: 9 }] }, 5, 'yes'],
    [{ allOf: [{ minimum: 1 }, { const: 'x' }] }, 0, 'no'],
    [{ anyOf: [{ minimum: 1 }, { pattern: 'x' }] }, 5, 'yes'],
    [{ anyOf: [{ minimum: 9 }, { pattern: 'x' }] }, 5, 'undecided'],
    [{ oneOf: [{ minimum: 1 }, { maximum: 9 }] }, 5, 'no'],
    [{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, 5, 'yes'],
    [{ oneOf: [{ minimum: 1 }, { pattern: 'x' }] }, 5, 'undecided'],
    [conditional({ minimum: 1 }, { maximum: 3 }, true), 5, 'no'],
    [conditional({ minimum: 1 }, { maximum: 3 }), 0, 'yes'],
    [conditional({ minimum: 1 }, { const: 'x' }, { const: 'y' }), 'z', 'no'],
    [conditional({ minimum: 1 }, { const: 'z' }, { const: 'y' }), 'z', 'undecided'],
    [{ type: 'integer' }, 5.5, 'no'],
    [{ type: 'null' }, 5, 'no'],
    [{ type: ['string', 'null'] }, 5, 'undecided'],
    [{ items: { maximum: 9 } }, [1, 5], 'yes'],
    [{ items: { maximum: 9 } }, [1, 50], 'no'],
    [{ items: { maximum: 9 } }, [1, '50'], 'undecided'],
    [{ prefixItems: [{ const: 'a' }], items: { maximum: 9 }, minItems: 2 }, ['a', 5], 'yes'],
    [{ minItems: 3 }, ['a', 5], 'no'],
    [{ contains: { maximum: 9 }, minContains: 2 }, [1, 5, 50], 'yes'],
    [{ contains: { maximum: 9 }, maxContains: 1 }, [1, '5'], 'undecided'],
    [{ properties: { n: { minimum: 1 } }, additionalProperties: false }, { n: 5 }, 'yes'],
    [{ properties: { n: { minimum: 1 } }, additionalProperties: false }, { n: 5, m: 1 }, 'no'],
    [{ type: ['integer', 'null'] }, 5.5, 'no'],
    [{ type: ['integer', 'number'] }, 5.5, 'yes'],
    [{ prefixItems: [{ const: 'a' }], unevaluatedItems: false }, ['a'], 'undecided'],
    [{ unevaluatedItems: false }, [], 'yes'],
    [{ patternProperties: { '^n': { maximum: 9 } } }, { n: '50' }, 'undecided'],
    [{ patternProperties: { '^n': { maximum: 9 } } }, { n: 5, m: '50' }, 'yes'],
    [{ patternProperties: { '^n': { maximum: 9 } }, additionalProperties: false }, { n: 5, m: 1 }, 'no'],
    [{ additionalProperties: { maximum: 9 } }, { n: '50' }, 'undecided'],
    [{ additionalProperties: { maximum: 9 } }, { n: 50 }, 'no'],
    [{ dependentSchemas: { n: { properties: { m: { maximum: 9 } } } } }, { n: 1, m: '50' }, 'undecided'],
    [{ dependentSchemas: { n: { properties: { m: { maximum: 9 } } } } }, { m: '50' }, 'yes'],
    [{ allOf: [{ properties: { n: true } }], unevaluatedProperties: false }, { n: 5 }, 'undecided'],
    [{ const: ['delete', 5] }, ['Delete', '5'], 'undecided'],
    [{ const: { do: 'delete' } }, { Do: 'delete' }, 'undecided'],
    [{ const: 'delete' }, 'delete\u0000', 'undecided'],
    [{ const: 'delete' }, 'del\u200Bete', 'undecided'],
    [{ properties: { n: { minimum: 1 } } }, '{"n":5}', 'undecided'],
    [{ $ref: '#/$defs/none' }, 5, 'undecided'],
    [{ $ref: '#' }, 5, 'undecided'],
  ])('%j of %j is %s', (...[part, value, expected]) => {
    expect(judge(amount(part), { amount: value })).toBe(expected)
  })

  test('a reference is followed within the rule', () => {
    const when = { ...amount({ $ref: '#/$defs/large' }), $defs: { large: { exclusiveMinimum: 100 } } }
    expect([5, 500, '500'].map((value) => judge(when, { amount: value }))).toEqual(['no', 'yes', 'undecided'])
  })

  test('of arguments with very many values nothing is decided', () => {
    const rows = Array.from({ length: RULE_VALUES_MAX }, () => 1)
    expect(judge(LARGE, { amount: 1, rows })).toBe('undecided')
  })
})

test('where every value is of the kind that is compared it says what JSON Schema says', () => {
  const number = fc.constantFrom(-1, 0, 5, 5.5, 100, 101, 1e9)
  const bound = fc.constantFrom('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')
  const leaf = fc.oneof(
    fc.tuple(bound, fc.constantFrom(1, 5, 100)).map(([keyword, value]) => ({ [keyword]: value })),
    fc.constant({ type: 'number' }),
    fc.array(number, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  )
  const { part } = fc.letrec<{ readonly part: JsonObject }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      leaf,
      tie('part').map((not) => ({ not })),
      fc
        .tuple(fc.constantFrom('allOf', 'anyOf', 'oneOf'), fc.array(tie('part'), { minLength: 1, maxLength: 3 }))
        .map(([keyword, parts]) => ({ [keyword]: parts })),
    ),
  }))
  const when = fc.record(
    { properties: fc.dictionary(fc.constantFrom('a', 'b'), part), required: fc.subarray(['a', 'b']) },
    { requiredKeys: [] },
  )
  const input = fc.dictionary(fc.constantFrom('a', 'b', 'other'), number)
  fc.assert(
    fc.property(when, input, (schema, given) => judge({ ...schema }, given) === matches({ ...schema }, given)),
    { numRuns: 400 },
  )
})
