import type { Tool } from '../../tool.ts'
import type { Rarity, RarityAt } from '../index/rarity.ts'
import type { ToolStore } from '../index/tool-store.ts'
import type { PastUse } from '../learning/past-queries.ts'
import { RANKED_MAX_HITS, RERANK_CANDIDATES } from '../limits.ts'
import type { QueryPlan } from '../query/plan-query.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { SearchWeights } from '../weights.ts'
import type { Candidate } from './collect-candidates.ts'
import { collectCandidates } from './collect-candidates.ts'
import { liftByPastUse, NO_LIFT } from './lift-by-past-use.ts'
import type { NameFit } from './name-fit.ts'
import { createNearFit, NAME_FIT } from './name-fit.ts'
import { rerank } from './rerank.ts'
import type { ScratchFor } from './scratch.ts'

export interface Found {
  readonly tool: Tool
  readonly score: number
  /** Share of what was asked that the tool holds; absent past the candidates that are looked at closely. */
  readonly evidence?: number
  readonly nameFit: NameFit
  /** Words of the query, by their places, that the tool holds, itself or by one that stands for it. */
  readonly holds: readonly number[]
  /** What past use adds to the score, of the tool itself or of others of its owner. */
  readonly learned: number
  /** Whether it was the tool itself that was called after such queries. */
  readonly isTaught: boolean
}

/** A store of tools and which of them may be found. */
export interface SearchPlace {
  readonly store: ToolStore
  readonly accepts: (document: number) => boolean
}

export interface PlaceRequest {
  readonly text: string
  readonly plan: QueryPlan
  /** By tool id, from past queries. */
  readonly learned: ReadonlyMap<string, PastUse>
  readonly depth: number
}

export interface PlaceDeps {
  readonly reader: TextReader
  readonly rarity: Rarity
  readonly rarityAt: RarityAt
  readonly weights: SearchWeights
  readonly scratchFor: ScratchFor
}

/** The matches of one store, in no order, and how many there are. */
export function searchPlace(
  place: SearchPlace,
  request: PlaceRequest,
  deps: PlaceDeps,
): { readonly found: readonly Found[]; readonly total: number } {
  const { store, accepts } = place
  const scratch = deps.scratchFor(store.capacity(), store.postings.termCapacity())
  // All or the first page's: a limit in between would cut equals differently from page to page.
  const limit = request.depth <= RERANK_CANDIDATES ? RERANK_CANDIDATES : RANKED_MAX_HITS
  const idAt = (document: number): string => store.toolAt(document)?.id ?? ''
  const precedes = (a: number, b: number): boolean =>
    store.orderOf(a) < store.orderOf(b) || (store.orderOf(a) === store.orderOf(b) && idAt(a) < idAt(b))
  const named = namedDocuments(place, request.text)
  const taught = learnedDocuments(place, request.learned)
  const { candidates, wanted, total } = collectCandidates(
    { plan: request.plan, accepts, limit, precedes, wanted: [...new Set([...named.keys(), ...taught.keys()])] },
    { postings: store.postings, scratch, weights: deps.weights },
  )
  const near = createNearFit(store, request.text, deps.reader)
  const close = withWanted(candidates, wanted)
  const ranked = rerank(close, request.plan, { ...deps, store, scratch })
  const lifts = liftByPastUse(ranked, taught, { store, weights: deps.weights })
  const found = ranked.flatMap(({ document, score, evidence, holds }): Found[] => {
    const tool = store.toolAt(document)
    if (tool === undefined) return []
    const { learned, isTaught } = lifts.get(document) ?? NO_LIFT
    const nameFit = named.get(document) ?? near(tool, document)
    return [{ tool, score: score + learned, evidence, nameFit, holds, learned, isTaught }]
  })
  const isClose = new Set(close.map(({ document }) => document))
  const rest = candidates.slice(RERANK_CANDIDATES).flatMap(({ document, base }): Found[] => {
    const tool = store.toolAt(document)
    if (tool === undefined || isClose.has(document)) return []
    return [{ tool, score: base, nameFit: NAME_FIT.none, holds: [], ...NO_LIFT }]
  })
  return { found: [...found, ...rest], total: Math.max(found.length + rest.length, Math.min(total, RANKED_MAX_HITS)) }
}

function namedDocuments({ store, accepts }: SearchPlace, text: string): Map<number, NameFit> {
  const { exact, squashed } = store.names.find(text)
  return new Map<number, NameFit>([
    ...squashed.filter(accepts).map((document) => [document, NAME_FIT.squashed] as const),
    ...exact.filter(accepts).map((document) => [document, NAME_FIT.exact] as const),
  ])
}

function learnedDocuments(
  { store, accepts }: SearchPlace,
  learned: ReadonlyMap<string, PastUse>,
): ReadonlyMap<number, PastUse> {
  const taught = new Map<number, PastUse>()
  for (const [id, use] of learned) {
    const document = store.documentOf(id)
    if (document !== undefined && accepts(document)) taught.set(document, use)
  }
  return taught
}

/** The best candidates, and the tools that must be looked at though their texts say nothing of the query. */
function withWanted(candidates: readonly Candidate[], wanted: readonly Candidate[]): readonly Candidate[] {
  const close = candidates.slice(0, RERANK_CANDIDATES)
  const known = new Set(close.map(({ document }) => document))
  return [...close, ...wanted.filter(({ document }) => !known.has(document))]
}
