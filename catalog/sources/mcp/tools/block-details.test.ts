import { expect, test } from 'vitest'
import { blockDetails } from './block-details.ts'

const text = (more: object) => ({ type: 'text', text: 'a', ...more })

test('what the protocol lets be said of a block is read', () => {
  const annotations = { audience: ['user', 'assistant'], priority: 0.5, lastModified: '2025-01-12T15:00:58Z' }
  expect(blockDetails(text({ annotations, _meta: { a: 1 } }))).toEqual({ annotations, _meta: { a: 1 } })
  const link = { type: 'resource_link', uri: 'a:b', name: 'b', title: 'B', description: 'of b', size: 7 }
  expect(blockDetails(link)).toEqual({ title: 'B', description: 'of b', size: 7 })
})

test('most blocks have nothing beside', () => {
  for (const block of [text({}), text({ title: 'x', more: 1 }), { type: 'resource_link', uri: 'a:b', name: 'b' }])
    expect(blockDetails(block)).toBeUndefined()
})

test.each([
  { annotations: 'for you', _meta: [] },
  { annotations: { audience: ['robot'], priority: 2, lastModified: 'yesterday' } },
  { annotations: { audience: 'user', priority: '1', lastModified: '2025-02-30T00:00:00Z' } },
  { annotations: { lastModified: '2025-01-12T24:00:00Z', more: true } },
  { annotations: { lastModified: '2025-01-12' } },
])('%j is not in the form of the protocol, and left out', (more) => {
  expect(blockDetails(text(more))).toBeUndefined()
})
