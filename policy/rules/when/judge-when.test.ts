import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { createSchemaChecker } from '../../../catalog/schema.ts'
import { RULE_KEYS_MAX, RULE_VALUES_MAX } from '../../limits.ts'
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
    { 'order.amount': 500 },
    { 'orders[0][amount]': 500 },
    { 'amount.value': 500 },
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

describe('a rule on keys', () => {
  const small = { patternProperties: { '^total_amount$': { maximum: 100 } } }
  test.each<JsonObject>([
    { Total_Amount: 500 },
    { totalAmount: 500 },
    { 'total-amount': 500 },
    { TOTALAMOUNT: 500 },
    { 'order.total_amount': 500 },
    { order: { total_amount: 500 } },
    { orders: [{ n: 1 }, { TotalAmount: '500' }] },
    { total_amount: 5, TotalAmount: 500 },
    { total_amount: 500, totalAmount: 5 },
  ])('by a pattern is not evaded by %j', (input) => {
    expect([judge(small, input), judge({ not: small }, input)]).toEqual(['undecided', 'undecided'])
  })

  test('by a pattern is decided where all that it may be about says the same', () => {
    expect(judge(small, { totalAmount: 5, order: { total_amount: 6 } })).toBe('yes')
    expect([judge(small, { total_amount: 500 }), judge(small, { amount: 500 }), judge(small, {})]).toEqual([
      'no',
      'yes',
      'yes',
    ])
    const prefixed = { patternProperties: { '^x-': { maximum: 1 } } }
    expect([judge(prefixed, { xylophone: 5 }), judge(prefixed, { 'X-rate': 5 })]).toEqual(['yes', 'undecided'])
  })

  test('that there should be no others of leaves another writing of a named one open', () => {
    const closed = { properties: { amount: { maximum: 5 } }, additionalProperties: false }
    expect([judge(closed, { Amount: 3 }), judge(closed, { other: 3 })]).toEqual(['undecided', 'no'])
    const patterned = { patternProperties: { '^amount$': true }, additionalProperties: false }
    expect([judge(patterned, { Amount: 3 }), judge(patterned, { other: 3 })]).toEqual(['undecided', 'no'])
  })

  test.each<JsonObject>([
    { dependentRequired: { force: ['reason'] } },
    { dependentSchemas: { force: { required: ['reason'] } } },
  ])('that %j needs finds another writing of them', (when) => {
    const given = [{ force: true }, { force: true, reason: 'x' }, { other: 1 }]
    expect(given.map((input) => judge(when, input))).toEqual(['no', 'yes', 'yes'])
    const open = [{ Force: true }, { 'options.force': true }, { options: { force: true } }, { force: 1, Reason: 'x' }]
    for (const input of open)
      expect([judge(when, input), judge({ not: when }, input)]).toEqual(['undecided', 'undecided'])
  })

  test('of all names leaves another writing of a name open', () => {
    const without = (part: JsonObject) => ({ propertyNames: { not: part } })
    for (const when of [without({ const: 'amount' }), without({ pattern: '^amount$' })]) {
      const given = [{ amount: 1 }, { Amount: 1 }, { other: 1 }]
      expect(given.map((input) => judge(when, input))).toEqual(['no', 'undecided', 'yes'])
    }
  })

  test('is not decided of very many keys', () => {
    const keys = Array.from({ length: RULE_KEYS_MAX + 1 }, (_, index) => [`key${index}`, 1] as const)
    expect(judge(small, Object.fromEntries(keys))).toBe('undecided')
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

  test('a reference whose percent signs encode nothing names what it says', () => {
    const when = { ...amount({ $ref: '#/$defs/100%' }), $defs: { '100%': { exclusiveMinimum: 100 } } }
    expect([5, 500].map((value) => judge(when, { amount: value }))).toEqual(['no', 'yes'])
    expect(judge(amount({ $ref: '#/$defs/%E0%A4%A' }), { amount: 5 })).toBe('undecided')
  })

  test('older forms of a keyword say what they stand for', () => {
    expect(judge(amount({ minimum: 5, exclusiveMinimum: true }), { amount: 5 })).toBe('no')
    expect(judge(amount({ type: 'number', nullable: true }), { amount: null })).toBe('yes')
    expect(judge({ dependencies: { n: ['m'] } }, { n: 1 })).toBe('no')
    const listed = amount({ items: [{ const: 'a' }], additionalItems: { maximum: 9 } })
    expect([judge(listed, { amount: ['a', 5] }), judge(listed, { amount: ['a', 50] })]).toEqual(['yes', 'no'])
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
