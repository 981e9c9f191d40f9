import { expect, test } from 'vitest'
import { toToolResult } from './tool-result.ts'

test('a string is text without structured content', () => {
  expect(toToolResult('done')).toEqual({ content: [{ type: 'text', text: 'done' }] })
})

test.each([[[1, 2]], [{ total: 3 }], [0], [false]])('the JSON value %j is structured content and text', (value) => {
  expect(toToolResult(value)).toEqual({
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structured: value,
  })
})

test('nothing counts as null', () => {
  expect(toToolResult(undefined)).toEqual({ content: [{ type: 'text', text: 'null' }], structured: null })
})

test('a full result stands as it is', () => {
  const result = {
    content: [
      { type: 'text', text: 'a chart' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'b' } },
    ],
    structured: { points: 2 },
    isError: true,
  }
  expect(toToolResult(result)).toEqual(result)
})

test.each([
  [{ content: 'a document' }],
  [{ content: ['a'] }],
  [{ content: [{ type: 'text', text: 'a' }], author: 'b' }],
  [{ content: [{ type: 'heading', text: 'a' }] }],
])('the record %j only looks like a result and is a value', (value) => {
  expect(toToolResult(value).structured).toEqual(value)
})

test('what the plugin changes later does not reach the result', () => {
  const rows = [{ id: 1 }]
  const result = toToolResult(rows)
  rows.push({ id: 2 })
  expect(result.structured).toEqual([{ id: 1 }])
})

test.each([
  ['a function', () => 1],
  ['a bigint', 1n],
])('%s is refused as no JSON', (_, value) => {
  expect(() => toToolResult(value)).toThrow('not JSON')
})

test('a cycle is refused as no JSON', () => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  expect(() => toToolResult(loop)).toThrow('not JSON')
})
