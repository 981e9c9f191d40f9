import { createSearchIndex } from '../../../catalog/search/create-search-index.ts'
import type { SearchIndex, SearchScope } from '../../../catalog/search/search-index.ts'
import type { SearchWeights } from '../../../catalog/search/weights.ts'
import { WEIGHTS } from '../../../catalog/search/weights.ts'
import type { BenchQuery, Dataset } from './dataset.ts'
import { catalogOfSet } from './dataset.ts'

export interface DrawbridgeEngine {
  readonly index: SearchIndex
  search(query: BenchQuery, limit: number): readonly string[]
}

export interface DrawbridgeOptions {
  readonly inSet: boolean
  readonly weights?: SearchWeights
  /** Past queries that the index learns from. */
  readonly log?: readonly BenchQuery[]
}

const TENANT = 'bench'

/** One shared index of all tools; the in-set track asks through a view of the set's own, as a gateway's caller would. */
export function createDrawbridgeEngine({ tools }: Dataset, options: DrawbridgeOptions): DrawbridgeEngine {
  const index = createSearchIndex({ weights: options.weights ?? WEIGHTS })
  for (const { tool } of tools) index.put(tool)
  const everything = index.scope(() => true)
  const scopes = new Map<string, SearchScope>()
  for (const [name, members] of Map.groupBy(tools, ({ set }) => catalogOfSet(set))) {
    const ids = new Set(members.map(({ tool }) => tool.id))
    scopes.set(
      name,
      index.scope((id) => ids.has(id)),
    )
  }
  const log = options.log ?? []
  for (const { query, groups } of log) {
    for (const [toolId] of groups) if (toolId !== undefined) index.learn(TENANT, { query, toolId })
  }
  const tenant = log.length > 0 ? { tenant: TENANT } : {}
  return {
    index,
    search({ query, set }, limit) {
      const accept = options.inSet ? (scopes.get(catalogOfSet(set)) ?? everything) : everything
      return index.search(query, { limit, accept, ...tenant }).hits.map((hit) => hit.id)
    },
  }
}
