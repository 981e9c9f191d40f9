import { expect, test } from 'vitest'
import type { JsonObject } from '../../../json.ts'
import { readTool } from './tool-definition.ts'

const listingOf = (more: JsonObject): unknown => {
  const read = readTool({ name: 'x', inputSchema: { type: 'object' }, ...more })
  return read.kind === 'tool' ? read.definition.listing : read
}

test('icons and _meta of a listed tool are kept', () => {
  const icons = [
    { src: 'https://example.org/a.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' },
    { src: 'data:image/png;base64,AA==' },
  ]
  const meta = { 'example/kind': { a: [1] } }
  expect(listingOf({ icons, _meta: meta })).toEqual({ icons, meta })
  expect(listingOf({})).toBeUndefined()
})

test.each<[string, JsonObject]>([
  ['no list', { icons: 'https://example.org/a.png' }],
  ['a script for an icon', { icons: [{ src: 'javascript:alert(1)' }, { src: 'file:///etc/passwd' }, 7] }],
  ['an icon of a megabyte', { icons: [{ src: `data:image/png;base64,${'A'.repeat(1_000_000)}` }] }],
  ['_meta of a megabyte', { _meta: { a: 'x'.repeat(1_000_000) } }],
  ['_meta that is none', { _meta: ['x'] }],
])('%s is left out, and the tool stays', (_name, more) => {
  expect(listingOf(more)).toBeUndefined()
})

test.each<[JsonObject, string]>([
  [{ ui: { visibility: ['app'] } }, 'hidden'],
  [{ ui: { visibility: 'app' } }, 'hidden'],
  [{ 'ui/visibility': ['app'] }, 'hidden'],
  [{ 'openai/visibility': 'private' }, 'hidden'],
  [{ ui: { visibility: ['model', 'app'] } }, 'tool'],
  [{ ui: { visibility: 'model' } }, 'tool'],
  [{ ui: { resourceUri: 'ui://a' } }, 'tool'],
])('a tool with %j is read as %s', (_meta, kind) => {
  expect(readTool({ name: 'x', inputSchema: { type: 'object' }, _meta }).kind).toBe(kind)
})
