import { expect, test } from 'vitest'
import { createTextReader } from '../text/text-reader.ts'
import { createPastQueries } from './past-queries.ts'
import { QueryMemory } from './query-memory.ts'

const makePast = () => createPastQueries({ reader: createTextReader(), rarity: () => 1, floor: 0.3 })
const isInView = (): boolean => true
const termsOf = (text: string) => text.split(' ').map((term) => ({ term, weight: 1 }))

test('the tool that was called after a like query gains most, and unlike queries gain nothing', () => {
  const past = makePast()
  past.learn('ann', { query: 'weather in rome tomorrow', toolId: 'weather' })
  past.learn('ann', { query: 'send mail to bob', toolId: 'mail' })
  const gains = past.toolsFor('ann', 'weather in paris tomorrow', isInView)
  expect([...gains.keys()]).toEqual(['weather'])
  expect(gains.get('weather')?.gain).toBeGreaterThan(0)
  expect(gains.get('weather')?.gain).toBeLessThanOrEqual(1)
  expect(past.toolsFor('ann', 'plan a garden', isInView).size).toBe(0)
})

test('a tenant knows nothing of another', () => {
  const past = makePast()
  past.learn('ann', { query: 'weather in rome', toolId: 'weather' })
  expect(past.toolsFor('bob', 'weather in rome', isInView).size).toBe(0)
})

test('a query without a word teaches nothing', () => {
  const past = makePast()
  past.learn('ann', { query: 'of the', toolId: 'weather' })
  expect(past.toolsFor('ann', 'of the', isInView).size).toBe(0)
})

test('the memory is bounded: the query that was used longest ago is forgotten', () => {
  const memory = new QueryMemory({ queries: 3, toolsPerQuery: 2 })
  for (const text of ['alpha', 'beta', 'gamma', 'alpha', 'delta']) memory.add(termsOf(text), `tool-${text}`)
  const found = (text: string): number => memory.nearest(termsOf(text), { floor: 0.1, limit: 9, isInView }).length
  expect(memory.size()).toBe(3)
  expect(['alpha', 'beta', 'gamma', 'delta'].map(found)).toEqual([1, 0, 1, 1])
})

test('of the tools of one query the least called one is forgotten', () => {
  const memory = new QueryMemory({ queries: 3, toolsPerQuery: 2 })
  for (const tool of ['a', 'a', 'b', 'c', 'c']) memory.add(termsOf('alpha'), tool)
  const [query] = memory.nearest(termsOf('alpha'), { floor: 0, limit: 1, isInView })
  expect(query?.tools.has('a')).toBe(true)
  expect(query?.tools.size).toBe(2)
})

test('all tenants together are bounded: the one that asked longest ago is forgotten', () => {
  const past = makePast()
  const limit = 10_000
  for (let tenant = 0; tenant < 6; tenant += 1) {
    for (let place = 0; place < limit; place += 1) past.learn(`t${tenant}`, { query: `word${place}x`, toolId: 'a' })
  }
  expect(past.toolsFor('t0', 'word5x', isInView).size).toBe(0)
  expect(past.toolsFor('t5', 'word5x', isInView).size).toBe(1)
})
