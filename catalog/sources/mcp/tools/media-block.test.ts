import { expect, test } from 'vitest'
import { readToolResult } from './tool-result.ts'

function read(block: Readonly<Record<string, unknown>>) {
  return readToolResult({ content: [block] }).content[0]
}

const PNG = 'iVBORw0KGgoAAAAN'
const JPEG = '/9j/4AAQSkZJRgAB'
const GIF = 'R0lGODlhAQABAAAA'
const WEBP = 'UklGRh4AAABXRUJQ'

test.each([
  ['an image that is not said to be one', { data: PNG }, { data: PNG, mimeType: 'image/png' }],
  ['one that is called something else', { data: JPEG, mimeType: 'image/png' }, { data: JPEG, mimeType: 'image/jpeg' }],
  ['a name that is not quite one', { data: JPEG, mimeType: 'image/jpg' }, { data: JPEG, mimeType: 'image/jpeg' }],
  ['a GIF', { data: GIF, mimeType: 'image/*' }, { data: GIF, mimeType: 'image/gif' }],
  ['a WebP', { data: WEBP, mimeType: '' }, { data: WEBP, mimeType: 'image/webp' }],
  ['a form of which nothing is known', { data: 'AA==', mimeType: 'image/x' }, { data: 'AA==', mimeType: 'image/x' }],
  ['lines', { data: 'iVBO\r\nRw0K\nGgo=\n' }, { data: 'iVBORw0KGgo=', mimeType: 'image/png' }],
  ['the alphabet of addresses', { data: '_9j_4AAQ' }, { data: '/9j/4AAQ', mimeType: 'image/jpeg' }],
])('%s is read as clients and models take it', (_what, block, image) => {
  expect(read({ type: 'image', ...block })).toEqual({ type: 'image', ...image })
})

test('sound goes by its name', () => {
  expect(read({ type: 'audio', data: PNG, mimeType: 'audio/wav' })).toMatchObject({ mimeType: 'audio/wav' })
})

test.each([
  { type: 'image', data: '', mimeType: 'image/png' },
  { type: 'image', data: 'https://example.com/a.png', mimeType: 'image/png' },
  { type: 'audio', data: 'AAAAA', mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'file:///a', blob: '!' } },
])('what has no bytes is the text that it is, since clients refuse the result that it stands in: %j', (block) => {
  expect(read(block)).toEqual({ type: 'text', text: JSON.stringify(block) })
})

test('bytes of a resource are read in any alphabet', () => {
  const resource = { uri: 'file:///a', blob: '_-8\n' }
  expect(read({ type: 'resource', resource })).toEqual({
    type: 'resource',
    resource: { uri: 'file:///a', blob: '/+8' },
  })
})
