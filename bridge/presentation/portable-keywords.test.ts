import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../catalog/json.ts'
import { portableKeywords } from './portable-keywords.ts'

const text = { type: 'string' }

test.each<[string, JsonObject, JsonObject]>([
  ['a list that does not say of what', { type: 'array' }, { type: 'array', items: {} }],
  ['a list that may be absent', { type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
  ['a list of anything', { type: 'array', items: true }, { type: 'array', items: {} }],
  [
    'a tuple of draft 7',
    { type: 'array', items: [text, { type: 'number' }, text] },
    { type: 'array', items: { anyOf: [text, { type: 'number' }] } },
  ],
  [
    'a tuple of 2020-12',
    { type: 'array', prefixItems: [true, text] },
    { type: 'array', prefixItems: [{}, text], items: {} },
  ],
  [
    'what is required and not described',
    { properties: {}, required: ['a'] },
    { properties: { a: {} }, required: ['a'] },
  ],
  ['a constant', { const: 'a' }, { enum: ['a'] }],
  ['a constant that is no text', { const: 7 }, { const: 7 }],
  ['a choice of nothing', { type: 'string', enum: [] }, { type: 'string' }],
  [
    'bounds of draft 4',
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 0 },
  ],
  ['bounds that are not', { maximum: 5, exclusiveMaximum: false }, { maximum: 5 }],
  [
    'no value where one may be left out',
    { type: 'string', description: null, enum: null, default: null },
    { type: 'string', default: null },
  ],
  ['PHP without properties', { type: 'object', properties: [] }, { type: 'object' }],
  ['what draft 3 requires', { type: 'string', required: true }, { type: 'string' }],
  [
    'the name of the dialect',
    { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    { type: 'object' },
  ],
])('%s is written as every provider takes it, at every depth', (_what, schema, shown) => {
  const deep = (inner: JsonObject): JsonObject => ({
    type: 'object',
    properties: { items: { anyOf: [{ type: 'object', properties: { const: inner }, additionalProperties: inner }] } },
    additionalProperties: true,
  })
  expect(portableKeywords(schema)).toEqual(shown)
  expect(portableKeywords(deep(schema))).toEqual(deep(shown))
})

test('what is data stays, whatever it looks like', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { default: { const: 'x', items: true }, enum: [null, { const: 'x' }], examples: [{ type: 'array' }] },
    },
  }
  expect(portableKeywords(schema)).toBe(schema)
})

test('any JSON is read in bounded depth', () => {
  let deep: JsonObject = { type: 'array' }
  for (let level = 0; level < 400; level += 1) deep = { type: 'array', items: deep }
  expect(portableKeywords(deep)).toEqual(deep)
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('type', 'items', 'enum', 'const', 'properties', 'anyOf', 'minimum', 'exclusiveMinimum'),
        fc.jsonValue(),
      ),
      (schema) => {
        const read: JsonObject = JSON.parse(JSON.stringify(schema))
        const shown = portableKeywords(read)
        expect(portableKeywords(shown)).toEqual(shown)
      },
    ),
  )
})
