import { expect, test } from 'vitest'
import { appliesHow, changedPaths } from './applies.ts'
import { formatPath } from './document/config-path.ts'

test('the longest beginning of a path decides how a change applies', () => {
  expect(appliesHow(['tools', 'toolSearch', 'mode'])).toBe('live')
  expect(appliesHow(['sandbox', 'memoryMb'])).toBe('restart')
  expect(appliesHow(['sandbox', 'cpuMs'])).toBe('live')
  // The whole of it holds a part that is not taken up.
  expect(appliesHow(['sandbox'])).toBe('restart')
  expect(appliesHow(['unheard-of'])).toBe('restart')
})

test('changes are told by the deepest key, lists as a whole, whatever the order of keys', () => {
  const before = { a: { b: 1, c: [1, 2] }, d: { e: {} }, gone: 1 }
  const after = { d: { e: {} }, a: { c: [1, 3], b: 1 }, come: { x: 1 } }
  expect(changedPaths(before, after).map(formatPath).toSorted()).toEqual(['a.c', 'come', 'gone'])
  expect(changedPaths(before, structuredClone(before))).toEqual([])
})
