import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPostings, IMPACT_BITS } from './postings.ts'

const change = fc.record({
  isAdded: fc.boolean(),
  term: fc.constantFrom('a', 'b', 'c'),
  document: fc.integer({ min: 0, max: 30 }),
})

test('after any additions and removals each term lists just its documents, in order', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
      const postings = createPostings()
      const expected = new Map<string, Set<number>>()
      for (const { isAdded, term, document } of changes) {
        const held = expected.get(term) ?? new Set<number>()
        expected.set(term, held)
        if (isAdded && !held.has(document)) {
          held.add(document)
          postings.add(term, document, 0.5)
        } else if (!isAdded) {
          held.delete(document)
          const number = postings.numberOf(term)
          if (number !== undefined) postings.remove(number, document)
        }
      }
      for (const [term, held] of expected) {
        const number = postings.numberOf(term)
        const packed = number === undefined ? [] : postings.listOf(number).subarray(0, postings.countOf(number))
        const listed = Array.from(packed, (each) => each >>> IMPACT_BITS)
        expect(listed).toEqual([...held].toSorted((a, b) => a - b))
      }
      expect(postings.termCount()).toBe([...expected.values()].filter((held) => held.size > 0).length)
    }),
  )
})
