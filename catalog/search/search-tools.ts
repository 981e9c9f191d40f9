import type { Tool } from '../tool.ts'
import { IMPACT_BITS } from './index/postings.ts'
import type { Rarity, RarityAt } from './index/rarity.ts'
import { ToolStore } from './index/tool-store.ts'
import type { PastQueries, PastUse } from './learning/past-queries.ts'
import { HELD_MAX_CHECKS, QUERY_MAX_CHARACTERS, SYNONYM_FREE_HOLDERS } from './limits.ts'
import type { PlanDeps, QueryPlan } from './query/plan-query.ts'
import { planQuery } from './query/plan-query.ts'
import type { QueryStep } from './query/read-query.ts'
import { readQuery } from './query/read-query.ts'
import { resolveWords } from './query/resolve-words.ts'
import { acceptsOf } from './ranking/accepts-of.ts'
import { createDescribeHoldings } from './ranking/describe-holdings.ts'
import { explainHit } from './ranking/explain-hit.ts'
import { NAME_FIT } from './ranking/name-fit.ts'
import { orderHits } from './ranking/order-hits.ts'
import type { ScratchFor } from './ranking/scratch.ts'
import type { Found, SearchPlace } from './ranking/search-place.ts'
import { searchPlace } from './ranking/search-place.ts'
import type { RankedHit, SearchIndex, SearchOptions } from './search-index.ts'
import type { TextReader } from './text/text-reader.ts'
import type { SearchWeights } from './weights.ts'

export interface SearchToolsDeps {
  readonly store: ToolStore
  readonly reader: TextReader
  readonly weights: SearchWeights
  readonly rarity: Rarity
  readonly rarityAt: RarityAt
  readonly scratchFor: ScratchFor
  readonly pastQueries: PastQueries
}

export function createSearchTools(deps: SearchToolsDeps): SearchIndex['search'] {
  const describeHoldings = createDescribeHoldings(deps.reader)
  const extraStores = new WeakMap<readonly Tool[], ToolStore>()
  const storeOf = (extra: readonly Tool[]): ToolStore => {
    const known = extraStores.get(extra)
    if (known !== undefined) return known
    const made = new ToolStore(deps.reader, deps.weights)
    for (const tool of extra) made.put(tool)
    extraStores.set(extra, made)
    return made
  }
  return (query, options) => {
    const text = query.slice(0, QUERY_MAX_CHARACTERS)
    const places = placesOf(options, deps.store, storeOf)
    const read = resolve(readQuery(text, deps), places, deps)
    const plan = planQuery(read, { ...deps, ...termTests(deps) })
    const learned = learnedFor(text, options.tenant, { places, pastQueries: deps.pastQueries })
    const depth = (options.offset ?? 0) + options.limit
    const answers = places.map((place) => searchPlace(place, { text, plan, learned, depth }, deps))
    const ordered = orderHits(
      answers.flatMap((answer) => answer.found),
      plan.words,
      deps.weights,
    )
    const total = answers.reduce((sum, answer) => sum + answer.total, 0)
    const fit = fitOf(ordered, deps.weights)
    const holdings = () => describeHoldings(placesOf(withoutFilter(options), deps.store, storeOf))
    const notes = [...queryNotes(query, read), ...fitNotes(fit, options, holdings)]
    if (fit === 'nothing') return { hits: [], total: 0, notes }
    return { hits: pageOf(ordered, { options, plan, fit }, deps), total, notes }
  }
}

/** Past queries whose tools are not in this view are passed over, so that they take no place of those whose are. */
function learnedFor(
  query: string,
  tenant: string | undefined,
  { places, pastQueries }: { readonly places: readonly SearchPlace[]; readonly pastQueries: PastQueries },
): ReadonlyMap<string, PastUse> {
  if (tenant === undefined) return new Map()
  const isInView = (id: string): boolean =>
    places.some(({ store, accepts }) => {
      const document = store.documentOf(id)
      return document !== undefined && accepts(document)
    })
  return pastQueries.toolsFor(tenant, query, isInView)
}

function termTests({ store, weights }: SearchToolsDeps): Pick<PlanDeps, 'isIndexed' | 'isTelling'> {
  const holders = (term: string): number => {
    const number = store.postings.numberOf(term)
    return number === undefined ? 0 : store.postings.countOf(number)
  }
  const most = Math.max(SYNONYM_FREE_HOLDERS, store.count() * weights.synonymMaxShare)
  return { isIndexed: (term) => holders(term) > 0, isTelling: (term) => holders(term) <= most }
}

function placesOf(
  options: SearchOptions,
  store: ToolStore,
  storeOf: (extra: readonly Tool[]) => ToolStore,
): readonly SearchPlace[] {
  const { accept, filter, extra = [] } = options
  const main = { store, accepts: acceptsOf(store, accept, filter) }
  if (extra.length === 0) return [main]
  const brought = storeOf(extra)
  return [main, { store: brought, accepts: acceptsOf(brought, () => true, filter) }]
}

function resolve(steps: readonly QueryStep[], places: readonly SearchPlace[], deps: SearchToolsDeps) {
  const isHeld = (term: string): boolean => places.some((place) => holds(place, term))
  return resolveWords(steps, { resolver: deps.store.resolver(), reader: deps.reader, isHeld })
}

/** Whether a tool that may be found holds the term. */
function holds({ store, accepts }: SearchPlace, term: string): boolean {
  const number = store.postings.numberOf(term)
  if (number === undefined) return false
  const count = store.postings.countOf(number)
  if (count > HELD_MAX_CHECKS) return true
  const list = store.postings.listOf(number)
  for (let place = 0; place < count; place += 1) if (accepts((list[place] ?? 0) >>> IMPACT_BITS)) return true
  return false
}

type Fit = 'good' | 'weak' | 'nothing'

/** Whether the best hits are what was asked for. A tool that the query names is, and one that use has taught. */
function fitOf(ordered: readonly Found[], weights: SearchWeights): Fit {
  if (ordered.length === 0) return 'nothing'
  if (ordered.some((found) => found.nameFit !== NAME_FIT.none || found.isTaught)) return 'good'
  const most = ordered.reduce((best, { evidence = 0 }) => Math.max(best, evidence), 0)
  if (most < weights.abstainBelow) return 'nothing'
  return most < weights.weakBelow ? 'weak' : 'good'
}

function pageOf(
  ordered: readonly Found[],
  { options, plan, fit }: { readonly options: SearchOptions; readonly plan: QueryPlan; readonly fit: Fit },
  deps: SearchToolsDeps,
): readonly RankedHit[] {
  const best = ordered.reduce((most, { score }) => Math.max(most, score), 0)
  const offset = options.offset ?? 0
  return ordered.slice(offset, offset + options.limit).map((found) => ({
    id: found.tool.id,
    score: found.nameFit !== NAME_FIT.none || best === 0 ? 1 : found.score / best,
    weak: fit === 'weak' || (found.nameFit === NAME_FIT.none && (found.evidence ?? 0) < deps.weights.abstainBelow),
    ...(options.explain === true && { why: explainHit(found, plan, deps) }),
  }))
}

function queryNotes(query: string, read: readonly QueryStep[]): readonly string[] {
  const notes: string[] = []
  if (query.length > QUERY_MAX_CHARACTERS) {
    notes.push(`the query was cut to its first ${QUERY_MAX_CHARACTERS} characters; a few words find more`)
  }
  for (const { word, alternatives } of read.flatMap((step) => step.words)) {
    if (alternatives !== undefined)
      notes.push(`"${word}" was read as ${alternatives.map((other) => other.word).join(', ')}`)
  }
  return notes
}

function withoutFilter({ filter: _filter, ...options }: SearchOptions): SearchOptions {
  return options
}

function fitNotes(fit: Fit, { filter, isIncomplete }: SearchOptions, holdings: () => string): readonly string[] {
  switch (fit) {
    case 'good':
      return []
    case 'weak':
      return ['no close match: these are the nearest, probably not what was asked for; other words may find more']
    case 'nothing':
      // What the filter leaves out may be what was asked for.
      if (filter !== undefined)
        return [`nothing matches within the filter; without it ${holdings()}; search again without it, or with another`]
      return [`nothing matches; ${holdings()}; if it is none of these, ${isIncomplete === true ? MAY_COME : IS_NOT}`]
  }
}

const IS_NOT = 'there is no such tool and searching again will not find one'

/** Ends the hunt too, and does not say what nobody knows. */
const MAY_COME =
  'it may be of a server that is not there now, and searching again will not find one before that server is'
