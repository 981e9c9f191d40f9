import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { BenchQuery, Dataset } from './dataset.ts'
import { readDataset } from './dataset.ts'
import { createDrawbridgeEngine } from './drawbridge-engine.ts'
import { measureDrawbridge } from './measure-quality.ts'
import { scoreRanking } from './score-ranking.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../../shared/bench')
const isHere = existsSync(path.join(FOLDER, 'tools.jsonl'))

/** Every query of the small sets and some of the large: enough to see a fall of two points. */
function sampled(data: Dataset): Dataset {
  const taken = new Map<string, number>()
  const queries = data.queries.filter(({ set }) => {
    const count = (taken.get(set) ?? 0) + 1
    taken.set(set, count)
    return count <= 120
  })
  return { ...data, queries }
}

test.skipIf(!isHere)('requests find their tools as well as when this was written, less a margin', () => {
  const data = sampled(readDataset(FOLDER))
  const macro = measureDrawbridge({ data, inSet: false, log: [] }).get('macro')
  expect(macro?.ndcg10).toBeGreaterThan(0.565)
  expect(macro?.recall5).toBeGreaterThan(0.59)
})

test.skipIf(!isHere)('past queries lift the tools of others as far as when this was written, less a margin', () => {
  const data = readDataset(FOLDER)
  const isAsked = (place: number): boolean => place % 20 === 0
  const engine = createDrawbridgeEngine(data, { inSet: false, log: data.queries.filter((_, place) => !isAsked(place)) })
  const asked = data.queries.filter((_, place) => isAsked(place))
  const accept = engine.index.scope(() => true)
  const cold = (query: string): string[] => engine.index.search(query, { limit: 10, accept }).hits.map(({ id }) => id)
  const meanOf = (rankingOf: (query: BenchQuery) => readonly string[]): number =>
    asked.reduce((sum, query) => sum + scoreRanking(rankingOf(query), query).ndcg10, 0) / asked.length
  expect(meanOf((query) => engine.search(query, 10)) - meanOf(({ query }) => cold(query))).toBeGreaterThan(0.04)
})

test.skipIf(!isHere)('look-ups by name come first as often as when this was written, less a margin', () => {
  const data = readDataset(FOLDER)
  const engine = createDrawbridgeEngine(data, { inSet: false })
  const kinds = Map.groupBy(data.lookups, ({ set }) => set)
  const rightFirst = (kind: string): number => {
    const asked = kinds.get(kind) ?? []
    const right = asked.filter((lookup) =>
      lookup.groups.some((group) => group.includes(engine.search(lookup, 1)[0] ?? '')),
    )
    return right.length / asked.length
  }
  for (const kind of ['syn-name', 'syn-words', 'syn-source']) expect(rightFirst(kind)).toBe(1)
  expect(rightFirst('syn-compound')).toBeGreaterThan(0.95)
  expect(rightFirst('syn-typo')).toBeGreaterThan(0.95)
  expect(rightFirst('syn-prefix')).toBeGreaterThan(0.95)
})
