import type { SearchWeights } from '../../../catalog/search/weights.ts'
import type { Figure } from '../figure.ts'
import type { BenchQuery, Dataset } from './dataset.ts'
import { catalogOfSet } from './dataset.ts'
import { createDrawbridgeEngine } from './drawbridge-engine.ts'
import type { Engine, EngineMaker } from './engine.ts'
import type { Scores } from './score-ranking.ts'
import { averageBySet, METRICS, scoreRanking } from './score-ranking.ts'

const DEPTH = 10
/** Parts that queries which are in the log too are asked in, each of an index that learned the others. */
const WARM_FOLDS = 10

export interface QualityRequest {
  readonly data: Dataset
  readonly inSet: boolean
  /** Queries of another time that were answered; empty for the cold track. */
  readonly log: readonly BenchQuery[]
}

type Averages = ReadonlyMap<string, Scores>

/** Drawbridge's scores by set. A query that is in the log too is only asked of an index that did not learn it. */
export function measureDrawbridge(request: QualityRequest, weights?: SearchWeights): Averages {
  const { data, inSet, log } = request
  const asked = new Set(data.queries.map(({ query }) => query))
  const folds = log.length === 0 ? [undefined] : Array.from({ length: WARM_FOLDS }, (_, fold) => fold)
  const scored = folds.flatMap((fold) => {
    const learned = log.filter(({ query }) => !asked.has(query) || foldOf(query) !== fold)
    const engine = createDrawbridgeEngine(data, { inSet, log: learned, ...(weights && { weights }) })
    const queries = fold === undefined ? data.queries : data.queries.filter(({ query }) => foldOf(query) === fold)
    return queries.map((query) => ({ set: query.set, scores: scoreRanking(engine.search(query, DEPTH), query) }))
  })
  return averageBySet(scored)
}

function foldOf(query: string): number {
  let hash = 0
  for (const character of query) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) | 0
  return Math.abs(hash) % WARM_FOLDS
}

/** A baseline's scores by set; in the in-set track it gets an index of each catalog by itself. */
export async function measureBaseline(maker: EngineMaker, { data, inSet }: QualityRequest): Promise<Averages> {
  const engines = new Map<string, Engine>()
  const catalogs = Map.groupBy(data.tools, ({ set }) => (inSet ? catalogOfSet(set) : 'all'))
  for (const [name, members] of catalogs) engines.set(name, await maker.build(members.map(({ tool }) => tool)))
  const scored: { set: string; scores: Scores }[] = []
  for (const query of data.queries) {
    const engine = engines.get(inSet ? catalogOfSet(query.set) : 'all')
    const ranking = (await engine?.search(query.query, DEPTH)) ?? []
    scored.push({ set: query.set, scores: scoreRanking(ranking, query) })
  }
  return averageBySet(scored)
}

export function qualityFigures(averages: Averages, under: Readonly<Record<string, string | boolean>>): Figure[] {
  return [...averages].flatMap(([set, scores]) =>
    METRICS.map((name) => ({ area: 'search', name, value: scores[name], unit: 'ratio', set, ...under })),
  )
}

/** Share of look-ups by name whose tool comes first, by kind; 'all' over all kinds. */
export async function lookupFigures(
  name: string,
  lookups: readonly BenchQuery[],
  search: (query: BenchQuery) => Promise<readonly string[]> | readonly string[],
): Promise<Figure[]> {
  const results: { readonly set: string; readonly isFirst: boolean }[] = []
  for (const lookup of lookups) {
    const [first = ''] = await search(lookup)
    results.push({ set: lookup.set, isFirst: lookup.groups.some((group) => group.includes(first)) })
  }
  const kinds = [...Map.groupBy(results, ({ set }) => set), ['all', results] as const]
  return kinds.map(([set, entries]) => ({
    area: 'search',
    name: 'rightFirst',
    value: entries.filter(({ isFirst }) => isFirst).length / Math.max(1, entries.length),
    unit: 'ratio',
    engine: name,
    set,
  }))
}
