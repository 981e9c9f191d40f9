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
import type { Neighbour, WeightedTerm } from './query-memory.ts'
import { QueryMemory } from './query-memory.ts'

/** What the past says of a tool, each 0 to 1. */
export interface PastUse {
  /** All like queries together. */
  readonly gain: number
  /** The one that is most like this query; 1 for the same. */
  readonly likest: number
}

/** Remembers, for each tenant by itself, which tools were called after which queries. */
export interface PastQueries {
  learn(tenant: string, pair: LearnedPair): void
  /** Tools of the view that were called after queries like this one, by id. Never from another tenant's past. */
  toolsFor(tenant: string, query: string, isInView: (id: string) => boolean): ReadonlyMap<string, PastUse>
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
    // The root: a name or number that is rare among tools is what tells two requests for the same tool apart.
    return [...terms].map((term) => ({ term, weight: Math.sqrt(deps.rarity(term)) }))
  }
  return {
    learn(tenant, pair) {
      const terms = termsOf(pair.query)
      if (terms.length === 0) return
      memoryOf(tenant).add(terms, pair.toolId)
      forgetOldest()
    },
    toolsFor(tenant, query, isInView) {
      const memory = memories.get(tenant)
      if (memory === undefined) return NONE
      const neighbours = memory.nearest(termsOf(query), { floor: deps.floor, limit: LEARNED_NEIGHBOURS, isInView })
      return addUp(neighbours, deps.floor, isInView)
    },
  }
}

function addUp(
  neighbours: readonly Neighbour[],
  floor: number,
  isInView: (id: string) => boolean,
): ReadonlyMap<string, PastUse> {
  const found = new Map<string, PastUse>()
  for (const { tools, likeness } of neighbours) {
    const above = (likeness - floor) / (1 - floor)
    const mostCalls = Math.max(...tools.values())
    for (const [id, calls] of tools) {
      if (!isInView(id)) continue
      const { gain, likest } = found.get(id) ?? { gain: 0, likest: 0 }
      // A request that takes several tools teaches each of them in full.
      const share = above * Math.sqrt(calls / mostCalls)
      found.set(id, { gain: gain + share, likest: Math.max(likest, share) })
    }
  }
  const most = found.values().reduce((sum, { gain }) => Math.max(sum, gain), 1)
  return new Map([...found].map(([id, { gain, likest }]) => [id, { gain: gain / most, likest }]))
}

const MEMORY_LIMITS = { queries: LEARNED_MAX_QUERIES, toolsPerQuery: LEARNED_MAX_TOOLS_PER_QUERY }
const NONE: ReadonlyMap<string, PastUse> = new Map()
