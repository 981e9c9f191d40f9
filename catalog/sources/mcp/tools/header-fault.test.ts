import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../json.ts'
import { headerFault } from './header-fault.ts'

const header = (name: JsonValue, type: JsonValue = 'string'): JsonObject => ({ type, 'x-mcp-header': name })

test.each<JsonObject>([
  { properties: { region: header('Region'), inner: { properties: { on: header('On', 'boolean') } } } },
  { properties: { 'x-mcp-header': { type: 'string' } } },
  { properties: { a: { default: header('A') } }, examples: [header('B')] },
  { properties: { a: { type: 'string' } } },
])('%j may be used', (schema) => {
  expect(headerFault(schema)).toBeUndefined()
})

test.each<[JsonObject, string]>([
  [{ properties: { a: header('has space') } }, 'is no header name'],
  [{ properties: { a: header('') } }, 'is no header name'],
  [{ properties: { a: header(7) } }, 'is no header name'],
  [{ properties: { a: header('A', 'number') } }, 'is not on a string, integer or boolean'],
  [{ properties: { a: header('A', ['string', 'null']) } }, 'is not on a string, integer or boolean'],
  [{ properties: { a: header('Same'), b: header('same') } }, 'is used twice'],
  [{ properties: { a: { items: header('A') } } }, 'cannot be reached'],
  [{ anyOf: [{ properties: { a: header('A') } }] }, 'cannot be reached'],
  [header('Root'), 'cannot be reached'],
])('%j is left out: %s', (schema, reason) => {
  expect(headerFault(schema)).toContain(reason)
})
