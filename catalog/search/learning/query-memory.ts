export interface Neighbour {
  /** Tool id → how often it was called. */
  readonly tools: ReadonlyMap<string, number>
  /** Cosine of the rarity-weighted terms, 0 to 1. */
  readonly likeness: number
}

/** A term of a query and how much it tells, 0 or more. */
export interface WeightedTerm {
  readonly term: string
  readonly weight: number
}

/** One tenant's queries, found again by their terms; the oldest are forgotten. */
export interface QueryMemory {
  add(terms: readonly WeightedTerm[], toolId: string, maxTools: number): void
  nearest(
    terms: readonly WeightedTerm[],
    options: { readonly floor: number; readonly limit: number },
  ): readonly Neighbour[]
  size(): number
}

interface PastQuery {
  readonly place: number
  readonly terms: readonly string[]
  readonly length: number
  readonly tools: Map<string, number>
}

export function createQueryMemory(maxQueries: number): QueryMemory {
  // A Map keeps the order of insertion, so its first entry is the oldest.
  const byKey = new Map<string, PastQuery>()
  const byPlace: (PastQuery | undefined)[] = []
  const places = new Map<string, number[]>()
  const free: number[] = []
  let products = new Float64Array(0)

  function forgetOldest(): void {
    const oldest = byKey.entries().next().value
    if (oldest === undefined) return
    const [key, query] = oldest
    byKey.delete(key)
    byPlace[query.place] = undefined
    free.push(query.place)
    for (const term of query.terms) {
      const rest = (places.get(term) ?? []).filter((place) => place !== query.place)
      if (rest.length === 0) places.delete(term)
      else places.set(term, rest)
    }
  }

  function remember(key: string, terms: readonly WeightedTerm[]): PastQuery {
    if (byKey.size >= maxQueries) forgetOldest()
    const place = free.pop() ?? byPlace.length
    const query = { place, terms: terms.map(({ term }) => term), length: lengthOf(terms), tools: new Map() }
    byPlace[place] = query
    for (const term of query.terms) {
      const holding = places.get(term)
      if (holding === undefined) places.set(term, [place])
      else holding.push(place)
    }
    if (products.length < byPlace.length) products = new Float64Array(byPlace.length * 2)
    return query
  }

  return {
    add(terms, toolId, maxTools) {
      const key = terms
        .map(({ term }) => term)
        .toSorted()
        .join(' ')
      const query = byKey.get(key) ?? remember(key, terms)
      // Put at the end: what is used stays.
      byKey.delete(key)
      byKey.set(key, query)
      query.tools.set(toolId, (query.tools.get(toolId) ?? 0) + 1)
      if (query.tools.size > maxTools) query.tools.delete(leastCalled(query.tools))
    },
    nearest(terms, { floor, limit }) {
      const length = lengthOf(terms)
      const touched: number[] = []
      for (const { term, weight } of terms) {
        for (const place of places.get(term) ?? []) {
          const before = products[place] ?? 0
          if (before === 0) touched.push(place)
          products[place] = before + weight * weight
        }
      }
      const found: Neighbour[] = []
      for (const place of touched) {
        const query = byPlace[place]
        const likeness = (products[place] ?? 0) / (length * (query?.length ?? 1))
        products[place] = 0
        if (query !== undefined && likeness >= floor)
          found.push({ tools: query.tools, likeness: Math.min(1, likeness) })
      }
      return found.toSorted((a, b) => b.likeness - a.likeness).slice(0, limit)
    },
    size: () => byKey.size,
  }
}

function lengthOf(terms: readonly WeightedTerm[]): number {
  return Math.sqrt(terms.reduce((sum, { weight }) => sum + weight * weight, 0))
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
