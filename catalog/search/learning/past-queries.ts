import type { Rarity } from '../index/rarity.ts'
import {
  LEARNED_MAX_QUERIES,
  LEARNED_MAX_QUERIES_IN_ALL,
  LEARNED_MAX_TOOLS_PER_QUERY,
  LEARNED_NEIGHBOURS,
  LEARNED_QUERY_MAX_CHARACTERS,
} from '../limits.ts'
import type { LearnedPair } from '../search-index.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { WeightedTerm } from './query-memory.ts'
import { QueryMemory } from './query-memory.ts'

/** Remembers, for each tenant by itself, which tools were called after which queries. */
export interface PastQueries {
  learn(tenant: string, pair: LearnedPair): void
  /** Tools that were called after queries like this one: id → 0 to 1. Never from another tenant's past. */
  toolsFor(tenant: string, query: string): ReadonlyMap<string, number>
}

export interface PastQueriesDeps {
  readonly reader: TextReader
  /** Of the catalog: what tells tools apart tells requests for them apart. */
  readonly rarity: Rarity
  /** Least likeness of a past query that counts, 0 to 1. */
  readonly floor: number
}

export function createPastQueries(deps: PastQueriesDeps): PastQueries {
  // In order of last use, so that the first is the one to forget.
  const memories = new Map<string, QueryMemory>()

  function memoryOf(tenant: string): QueryMemory {
    const memory = memories.get(tenant) ?? new QueryMemory(MEMORY_LIMITS)
    memories.delete(tenant)
    memories.set(tenant, memory)
    return memory
  }

  function forgetOldest(): void {
    let total = [...memories.values()].reduce((sum, memory) => sum + memory.size(), 0)
    for (const [tenant, memory] of memories) {
      if (total <= LEARNED_MAX_QUERIES_IN_ALL || memories.size === 1) return
      total -= memory.size()
      memories.delete(tenant)
    }
  }

  const termsOf = (query: string): readonly WeightedTerm[] => {
    const terms = new Set(deps.reader.termsOf(query.slice(0, LEARNED_QUERY_MAX_CHARACTERS)))
    return [...terms].map((term) => ({ term, weight: deps.rarity(term) }))
  }
  return {
    learn(tenant, pair) {
      const terms = termsOf(pair.query)
      if (terms.length === 0) return
      memoryOf(tenant).add(terms, pair.toolId)
      forgetOldest()
    },
    toolsFor(tenant, query) {
      const memory = memories.get(tenant)
      if (memory === undefined) return NONE
      const neighbours = memory.nearest(termsOf(query), { floor: deps.floor, limit: LEARNED_NEIGHBOURS })
      const gains = new Map<string, number>()
      for (const { tools, likeness } of neighbours) {
        const gain = (likeness - deps.floor) / (1 - deps.floor)
        const calls = [...tools.values()].reduce((sum, count) => sum + count, 0)
        for (const [id, count] of tools) gains.set(id, (gains.get(id) ?? 0) + gain * Math.sqrt(count / calls))
      }
      const most = Math.max(1, ...gains.values())
      return new Map([...gains].map(([id, gain]) => [id, gain / most]))
    },
  }
}

const MEMORY_LIMITS = { queries: LEARNED_MAX_QUERIES, toolsPerQuery: LEARNED_MAX_TOOLS_PER_QUERY }
const NONE: ReadonlyMap<string, number> = new Map()
