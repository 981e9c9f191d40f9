import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TopList } from './top-list.ts'

test('it keeps what sorting would, whatever the order of offers', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 })
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 10 }), (list, limit) => {
      const entries = list.map((score, document) => ({ document, score }))
      const sorted = entries.toSorted((a, b) => b.score - a.score || a.document - b.document).slice(0, limit)
      for (const order of [entries, entries.toReversed()]) {
        const top = new TopList(limit, (a, b) => a < b)
        for (const { document, score } of order) top.offer(document, score)
        expect(top.take()).toEqual(sorted)
      }
    }),
  )
})
