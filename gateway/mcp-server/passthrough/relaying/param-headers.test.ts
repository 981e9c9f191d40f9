import { expect, test } from 'vitest'
import { paramHeaders } from './param-headers.ts'

const schema = {
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    plain: { type: 'string' },
    bad: { type: 'string', 'x-mcp-header': 'a b\r\n' },
    nested: { type: 'object', 'x-mcp-header': 'Nested' },
  },
}

test('an argument that a header repeats is repeated as it is now', () => {
  expect(paramHeaders(schema, { region: 'eu-1', count: 3, plain: 'no', bad: 'x', nested: {} })).toEqual({
    'mcp-param-region': 'eu-1',
    'mcp-param-count': '3',
  })
})

test.each([
  ['zürich', '=?base64?esO8cmljaA==?='],
  ['a\r\nx-evil: 1', '=?base64?YQ0KeC1ldmlsOiAx?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
])('%j travels encoded', (value, encoded) => {
  expect(paramHeaders(schema, { region: value })).toEqual({ 'mcp-param-region': encoded })
})

test('an argument that is absent has no header', () => {
  expect(paramHeaders(schema, {})).toEqual({})
  expect(paramHeaders({}, { region: 'a' })).toEqual({})
})
