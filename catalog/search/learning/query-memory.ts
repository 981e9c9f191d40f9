export interface Neighbour {
  /** Tool id → how often it was called. */
  readonly tools: ReadonlyMap<string, number>
  /** Cosine of the rarity-weighted terms, 0 to 1. */
  readonly likeness: number
}

/** One tenant's queries, found again by their terms; the oldest are forgotten. */
export interface QueryMemory {
  add(terms: readonly string[], toolId: string, maxTools: number): void
  nearest(terms: readonly string[], options: { readonly floor: number; readonly limit: number }): readonly Neighbour[]
  size(): number
}

interface PastQuery {
  readonly key: string
  readonly terms: readonly string[]
  readonly tools: Map<string, number>
}

export function createQueryMemory(maxQueries: number): QueryMemory {
  // A Map keeps the order of insertion, so the first entry is the oldest.
  const queries = new Map<string, PastQuery>()
  const holders = new Map<string, Set<PastQuery>>()
  const rarity = (term: string): number => {
    const count = holders.get(term)?.size ?? 0
    return Math.log(1 + (queries.size - count + 0.5) / (count + 0.5))
  }
  const lengthOf = (terms: readonly string[]): number =>
    Math.sqrt(terms.reduce((sum, term) => sum + rarity(term) ** 2, 0))

  function forget(query: PastQuery): void {
    queries.delete(query.key)
    for (const term of query.terms) {
      const holding = holders.get(term)
      holding?.delete(query)
      if (holding?.size === 0) holders.delete(term)
    }
  }

  return {
    add(terms, toolId, maxTools) {
      const key = terms.toSorted().join(' ')
      const known = queries.get(key)
      const query = known ?? { key, terms, tools: new Map<string, number>() }
      // Put at the end: what is used stays.
      queries.delete(key)
      queries.set(key, query)
      query.tools.set(toolId, (query.tools.get(toolId) ?? 0) + 1)
      if (query.tools.size > maxTools) query.tools.delete(leastCalled(query.tools))
      if (known !== undefined) return
      for (const term of terms) {
        const holding = holders.get(term) ?? new Set()
        holders.set(term, holding.add(query))
      }
      const oldest = queries.values().next().value
      if (queries.size > maxQueries && oldest !== undefined) forget(oldest)
    },
    nearest(terms, { floor, limit }) {
      const products = new Map<PastQuery, number>()
      for (const term of terms) {
        const worth = rarity(term) ** 2
        for (const query of holders.get(term) ?? []) products.set(query, (products.get(query) ?? 0) + worth)
      }
      const length = lengthOf(terms)
      const found: Neighbour[] = []
      for (const [query, product] of products) {
        // The product is at most the past query's own square, so this bounds the cosine before its length is known.
        if (Math.sqrt(product) / length < floor) continue
        const likeness = product / (length * lengthOf(query.terms))
        if (likeness >= floor) found.push({ tools: query.tools, likeness })
      }
      return found.toSorted((a, b) => b.likeness - a.likeness).slice(0, limit)
    },
    size: () => queries.size,
  }
}

function leastCalled(tools: ReadonlyMap<string, number>): string {
  let least = ''
  let fewest = Infinity
  for (const [id, count] of tools) {
    if (count >= fewest) continue
    least = id
    fewest = count
  }
  return least
}
