import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { shownOutput } from './shown-output.ts'

const text = { type: 'string' }
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties })

/** As a client with the SDK 1.x takes a list: one validator for all of its tools. */
function takesAll(schemas: readonly JsonObject[], value: JsonValue): readonly boolean[] {
  const validator = new AjvJsonSchemaValidator()
  return schemas.map((schema) => validator.getValidator({ ...schema })(value).valid)
}

test.each<[string, JsonObject, JsonValue]>([
  ['bounds of draft 4', object({ n: { type: 'number', minimum: 0, exclusiveMinimum: true } }), { n: 1 }],
  ['a pattern of Python', object({ s: { type: 'string', pattern: '(?i)abc' } }), { s: 'ABC' }],
  ['a pattern that is one without Unicode alone', object({ s: { type: 'string', pattern: '^a\\-b$' } }), { s: 'a-b' }],
  ['nothing where a keyword is', object({ s: { type: 'string', enum: null, pattern: null } }), { s: 'a' }],
  ['a choice of nothing', object({ s: { type: 'string', enum: [] } }), { s: 'a' }],
  ['what may be null and has no type', object({ s: { nullable: true } }), { s: null }],
  ['a tuple and nothing after it', object({ l: { prefixItems: [text], items: false } }), { l: ['a'] }],
  ['what need not be contained', object({ l: { type: 'array', contains: text, minContains: 0 } }), { l: [1] }],
  ['one that promises its validator', { ...object({ s: text }), $async: true }, { s: 'a' }],
])('%s compiles at a client, and takes what the tool answers', (_, schema, value) => {
  const shown = shownOutput({ outputSchema: schema })
  expect(shown && takesAll([shown], value)).toEqual([true])
})

test('of two tools whose schemas have one name each is held against its own', () => {
  const outputs = [text, { type: 'number' }].map((a): JsonObject => ({
    $id: 'https://x.example/out',
    ...object({ a }),
  }))
  const shown = outputs.map((outputSchema) => shownOutput({ outputSchema }) ?? {})
  expect(takesAll(outputs, { a: 'x' })).toEqual([true, true])
  expect(takesAll(shown, { a: 'x' })).toEqual([true, false])
})

test.each<[string, JsonObject]>([
  ['a reference out of it', object({ a: { $ref: 'https://x.example/other' } })],
  ['one to a part that is not there', object({ a: { $ref: '#/$defs/gone' } })],
  ['one into a tuple', object({ a: { type: 'array', items: [text] }, b: { $ref: '#/properties/a/items/0' } })],
  ['keys by a pattern that is none', { type: 'object', patternProperties: { '(?i)x': text } }],
])('a schema with %s is left out: the tool is shown without one', (_, outputSchema) => {
  expect(shownOutput({ outputSchema })).toBeUndefined()
})

test('what compiles is shown as it is, names of properties included, and made once', () => {
  const $defs = { node: { ...object({ id: text, next: { $ref: '#/$defs/node' } }), required: ['id'] } }
  const outputSchema = { ...object({ id: text, $id: text, pattern: text, of: { $ref: '#/$defs/node' } }), $defs }
  expect(shownOutput({ outputSchema })).toEqual(outputSchema)
  expect(shownOutput({ outputSchema })).toBe(shownOutput({ outputSchema }))
  expect(shownOutput({})).toBeUndefined()
})
