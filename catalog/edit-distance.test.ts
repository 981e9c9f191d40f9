import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

test.each([
  ['calendar', 'calendar', 0],
  ['calender', 'calendar', 1],
  ['talbes', 'tables', 1],
  ['prfessional', 'professional', 1],
  ['abc', 'xyz', 3],
])('from %s to %s it is %i edits', (a, b, edits) => {
  expect(editDistance(a, b, 3)).toBe(edits)
})

test('a distance is the same both ways, and never more than one past the limit', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
      const distance = editDistance(a, b, limit)
      expect(distance).toBe(editDistance(b, a, limit))
      expect(distance).toBeLessThanOrEqual(limit + 1)
      expect(distance).toBe(Math.min(limit + 1, editDistance(a, b, 8)))
    }),
  )
})
