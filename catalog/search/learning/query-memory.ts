import { TopList } from '../ranking/top-list.ts'

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

export interface NearestOptions {
  readonly floor: number
  readonly limit: number
  /** Queries that led to no tool of the view are passed over. */
  readonly isInView: (toolId: string) => boolean
}

interface PastQuery {
  readonly place: number
  readonly terms: readonly string[]
  readonly tools: Map<string, number>
}

export interface QueryMemoryLimits {
  readonly queries: number
  readonly toolsPerQuery: number
}

/** One tenant's queries, found again by their terms; the oldest are forgotten. */
export class QueryMemory {
  readonly #limits: QueryMemoryLimits
  // A Map keeps the order of insertion, so its first entry is the oldest.
  readonly #byKey = new Map<string, PastQuery>()
  readonly #byPlace: (PastQuery | undefined)[] = []
  readonly #placesByTerm = new Map<string, number[]>()
  readonly #free: number[] = []
  /** By place: of the vector of a query's terms, and what it shares with the query being asked; 0 in between. */
  #lengths = new Float64Array(0)
  #products = new Float64Array(0)

  constructor(limits: QueryMemoryLimits) {
    this.#limits = limits
  }

  size(): number {
    return this.#byKey.size
  }

  add(terms: readonly WeightedTerm[], toolId: string): void {
    const key = terms
      .map(({ term }) => term)
      .toSorted()
      .join(' ')
    const query = this.#byKey.get(key) ?? this.#remember(terms)
    // Put at the end: what is used stays.
    this.#byKey.delete(key)
    this.#byKey.set(key, query)
    query.tools.set(toolId, (query.tools.get(toolId) ?? 0) + 1)
    if (query.tools.size > this.#limits.toolsPerQuery) query.tools.delete(leastCalled(query.tools))
  }

  /** The past queries most like this one, at least as much as the floor says, likest first. */
  nearest(terms: readonly WeightedTerm[], { floor, limit, isInView }: NearestOptions): readonly Neighbour[] {
    const length = lengthOf(terms)
    const top = new TopList(limit, (a, b) => a < b)
    const products = this.#products
    const lengths = this.#lengths
    for (const place of this.#sumProducts(terms)) {
      const likeness = Math.min(1, (products[place] ?? 0) / (length * (lengths[place] ?? 1)))
      products[place] = 0
      if (likeness < floor || likeness < top.floor()) continue
      // Asking the view is what costs, so only about what would be kept.
      if (this.#byPlace[place]?.tools.keys().some(isInView) === true) top.offer(place, likeness)
    }
    return top.take().map(({ document, score }) => ({ tools: this.#byPlace[document]?.tools ?? NONE, likeness: score }))
  }

  /** Adds up what each past query shares with these terms; gives the places of those that share any. */
  #sumProducts(terms: readonly WeightedTerm[]): readonly number[] {
    const products = this.#products
    const touched: number[] = []
    for (const { term, weight } of terms) {
      const product = weight * weight
      for (const place of this.#placesByTerm.get(term) ?? []) {
        const before = products[place] ?? 0
        if (before === 0) touched.push(place)
        products[place] = before + product
      }
    }
    return touched
  }

  #remember(terms: readonly WeightedTerm[]): PastQuery {
    if (this.#byKey.size >= this.#limits.queries) this.#forgetOldest()
    const place = this.#free.pop() ?? this.#byPlace.length
    const query = { place, terms: terms.map(({ term }) => term), tools: new Map() }
    this.#byPlace[place] = query
    for (const term of query.terms) {
      const places = this.#placesByTerm.get(term)
      if (places === undefined) this.#placesByTerm.set(term, [place])
      else places.push(place)
    }
    this.#makeRoom()
    this.#lengths[place] = lengthOf(terms)
    return query
  }

  #makeRoom(): void {
    if (this.#lengths.length >= this.#byPlace.length) return
    const lengths = new Float64Array(this.#byPlace.length * 2)
    lengths.set(this.#lengths)
    this.#lengths = lengths
    this.#products = new Float64Array(lengths.length)
  }

  #forgetOldest(): void {
    const oldest = this.#byKey.entries().next().value
    if (oldest === undefined) return
    const [key, query] = oldest
    this.#byKey.delete(key)
    this.#byPlace[query.place] = undefined
    this.#free.push(query.place)
    for (const term of query.terms) {
      const rest = (this.#placesByTerm.get(term) ?? []).filter((place) => place !== query.place)
      if (rest.length === 0) this.#placesByTerm.delete(term)
      else this.#placesByTerm.set(term, rest)
    }
  }
}

const NONE: ReadonlyMap<string, number> = new Map()

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
