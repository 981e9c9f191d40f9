import { expect, test } from 'vitest'
import { isToolResult } from './tool-result.ts'

test.each([
  { content: [] },
  { content: [{ type: 'text', text: '' }], structured: null, isError: false },
  { content: [{ type: 'image', data: '', mimeType: 'image/png', artifact: 'art_1' }] },
  { content: [{ type: 'resource_link', uri: 'file:///a', linked: { text: 'a' } }] },
  { content: [{ type: 'resource', resource: { uri: 'file:///a', blob: 'AA==' } }] },
])('%j is a result', (value) => {
  expect(isToolResult(value)).toBe(true)
})

test.each([
  null,
  { content: 'text' },
  { content: [], isError: 'yes' },
  { content: ['text'] },
  { content: [{ text: 'of no type' }] },
  { content: [{ type: 'constructor' }] },
  { content: [{ type: 'text' }] },
  { content: [{ type: 'image', data: 'AA==' }] },
  { content: [{ type: 'resource' }] },
  { content: [{ type: 'resource', resource: { uri: 'file:///a', blob: 5 } }] },
  { content: [{ type: 'resource_link', uri: 'file:///a', linked: { text: 5 } }] },
  { content: [{ type: 'text', text: '', artifact: 5 }] },
])('%j is none', (value) => {
  expect(isToolResult(value)).toBe(false)
})
