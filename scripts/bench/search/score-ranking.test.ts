import { expect, test } from 'vitest'
import { averageBySet, scoreRanking } from './score-ranking.ts'

const query = { set: 's', query: 'q', groups: [['a', 'b'], ['c']] }

test('a perfect ranking scores 1, an empty one 0', () => {
  expect(scoreRanking(['a', 'c'], query)).toEqual({ recall1: 0.5, recall5: 1, recall10: 1, ndcg10: 1, mrr: 1 })
  expect(scoreRanking([], query)).toEqual({ recall1: 0, recall5: 0, recall10: 0, ndcg10: 0, mrr: 0 })
})

test('a second hit in one group gains nothing', () => {
  expect(scoreRanking(['a', 'b'], query).recall10).toBe(0.5)
})

test('what stands past the tenth place counts for nothing', () => {
  const others = Array.from({ length: 10 }, (_, place) => `x${place}`)
  expect(scoreRanking([...others, 'a'], query).recall10).toBe(0)
})

test('a late hit is discounted by the logarithm of its place', () => {
  const single = { ...query, groups: [['a']] }
  expect(scoreRanking(['x', 'a'], single).ndcg10).toBeCloseTo(1 / Math.log2(3))
  expect(scoreRanking(['x', 'a'], single).mrr).toBe(0.5)
})

test('the macro average counts each set once, however many queries it has', () => {
  const scores = scoreRanking(['a', 'c'], query)
  const none = scoreRanking([], query)
  const means = averageBySet([
    { set: 'large', scores },
    { set: 'large', scores },
    { set: 'large', scores },
    { set: 'small', scores: none },
  ])
  expect(means.get('macro')?.ndcg10).toBe(0.5)
})
