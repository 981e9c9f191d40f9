import { assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { McpCallError } from '../errors.ts'
import { readTool } from './tool-definition.ts'
import { isDeeperThan, readToolResult } from './tool-result.ts'

test('any JSON is a result or a "bad-answer", never another error', () => {
  assert(
    property(jsonValue(), (raw) => {
      expect(['result', 'bad-answer']).toContain(endOfReading(raw))
    }),
  )
})

function endOfReading(raw: unknown): string {
  try {
    return readToolResult(raw).content.every((block) => typeof block.type === 'string') ? 'result' : 'untyped block'
  } catch (error) {
    return error instanceof McpCallError ? error.code : String(error)
  }
}

test('any JSON among the content is kept as a block, in its place', () => {
  assert(
    property(jsonValue(), jsonValue(), (first, second) => {
      const { content } = readToolResult({ content: [first, { type: 'text', text: 'between' }, second] })
      expect(content).toHaveLength(3)
      expect(content[1]).toEqual({ type: 'text', text: 'between' })
    }),
  )
})

test('any JSON in a list of tools is a tool, hidden or bad', () => {
  assert(
    property(jsonValue(), jsonValue(), (raw, schema) => {
      expect(['tool', 'hidden', 'bad']).toContain(readTool(raw).kind)
      expect(['tool', 'bad']).toContain(readTool({ name: 'x', inputSchema: schema, outputSchema: schema }).kind)
    }),
  )
})

test.each([
  [{ structuredContent: { a: 1 } }, { content: [], structured: { a: 1 } }],
  [
    { structuredContent: 0, content: [] },
    { content: [], structured: 0 },
  ],
  [{ structuredContent: false }, { content: [], structured: false }],
  [{ structuredContent: null }, { content: [], structured: null }],
  [
    { structuredContent: null, content: [{ type: 'text', text: 'null' }] },
    { content: [{ type: 'text', text: 'null' }], structured: null },
  ],
  [
    { structuredContent: null, isError: false, content: [{ type: 'text', text: 'all of it' }] },
    { content: [{ type: 'text', text: 'all of it' }] },
  ],
  [{ toolResult: 'of 2024' }, { content: [], structured: 'of 2024' }],
  [{ isError: true }, { content: [], isError: true }],
  [{ isError: 'yes' }, { content: [] }],
  [{ isError: 'True' }, { content: [], isError: true }],
  [{ isError: 1 }, { content: [], isError: true }],
  [{ isError: 0 }, { content: [] }],
  [
    { content: ['bare', { type: 'text', text: 21 }] },
    { content: ['bare', '21'].map((text) => ({ type: 'text', text })) },
  ],
  [{ type: 'text', text: 'bare' }, { content: [{ type: 'text', text: 'bare' }] }],
  [
    { celsius: 21, _meta: {} },
    { content: [], structured: { celsius: 21 } },
  ],
  [
    { isError: true, reason: 'no' },
    { content: [{ type: 'text', text: '{"reason":"no"}' }], isError: true },
  ],
  [{ content: 'alone' }, { content: [{ type: 'text', text: 'alone' }] }],
  [{ content: { type: 'text', text: 'alone' } }, { content: [{ type: 'text', text: 'alone' }] }],
  [
    { content: [{ type: 'image', data: 'data:image/png;base64,AA==' }] },
    { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] },
  ],
  [
    { content: [{ type: 'audio', data: 'AA==' }] },
    { content: [{ type: 'audio', data: 'AA==', mimeType: 'application/octet-stream' }] },
  ],
  [
    { isError: true, content: [{ type: 'text', text: 'no such row' }], structuredContent: { code: 5 } },
    { content: ['no such row', '{"code":5}'].map((text) => ({ type: 'text', text })), isError: true },
  ],
  [
    { isError: true, content: [{ type: 'text', text: '{ "code": 5 }' }], structuredContent: { code: 5 } },
    { content: [{ type: 'text', text: '{ "code": 5 }' }], isError: true },
  ],
  [
    { isError: true, content: [], structuredContent: { code: 5 } },
    { content: [], structured: { code: 5 }, isError: true },
  ],
  [
    { content: [], structured_content: { a: 1 } },
    { content: [], structured: { a: 1 } },
  ],
  [
    { content: ['no'], is_error: true },
    { content: [{ type: 'text', text: 'no' }], isError: true },
  ],
])('%j is read as %j', (raw, expected) => {
  expect(readToolResult(raw)).toEqual(expected)
})

test('every kind of content block is read, and what is said of it beside', () => {
  const content = [
    { type: 'text', text: 'a', annotations: { audience: ['user'] } },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/plain' },
    { type: 'resource', resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'b' } },
    { type: 'resource', resource: { uri: 'file:///c', blob: 'AA==' } },
  ]
  const text = { type: 'text', text: 'a', details: { annotations: { audience: ['user'] } } }
  expect(readToolResult({ content }).content).toEqual([text, ...content.slice(1)])
})

test('depth is measured without recursion beyond it', () => {
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  expect(isDeeperThan(deep, 500)).toBe(true)
  expect(isDeeperThan([[1]], 2)).toBe(false)
  expect(isDeeperThan([[1]], 1)).toBe(true)
})
