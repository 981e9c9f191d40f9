import type { Tool } from '../tool.ts'
import { createRarity } from './index/rarity.ts'
import type { ToolStore } from './index/tool-store.ts'
import { createToolStore } from './index/tool-store.ts'
import { QUERY_MAX_CHARACTERS, RANKED_MAX_HITS, RERANK_CANDIDATES } from './limits.ts'
import type { QueryPlan } from './query/plan-query.ts'
import { planQuery } from './query/plan-query.ts'
import { readQuery } from './query/read-query.ts'
import { collectCandidates } from './ranking/collect-candidates.ts'
import { rerank } from './ranking/rerank.ts'
import { createScratchFor } from './ranking/scratch.ts'
import type { Accept, RankedAnswer, SearchFilter, SearchIndex, SearchOptions } from './search-index.ts'
import { createTextReader } from './text/text-reader.ts'
import type { SearchWeights } from './weights.ts'
import { WEIGHTS } from './weights.ts'

export interface SearchIndexOptions {
  /** Replaced as a whole by the bench, to measure what each weight is worth. */
  readonly weights?: SearchWeights
}

interface Found {
  readonly tool: Tool
  readonly score: number
  readonly coverage: number
}

export function createSearchIndex(options: SearchIndexOptions = {}): SearchIndex {
  const weights = options.weights ?? WEIGHTS
  const reader = createTextReader()
  const store = createToolStore(reader, weights)
  const rarity = createRarity({ postings: store.postings, toolCount: store.count, power: weights.idfPower })
  const scratchFor = createScratchFor()
  const extraStores = new WeakMap<readonly Tool[], ToolStore>()

  function storeOf(extra: readonly Tool[]): ToolStore {
    const known = extraStores.get(extra)
    if (known !== undefined) return known
    const made = createToolStore(reader, weights)
    for (const tool of extra) made.put(tool)
    extraStores.set(extra, made)
    return made
  }

  function findIn(place: ToolStore, plan: QueryPlan, accepts: (document: number) => boolean) {
    const deps = { postings: place.postings, scratch: scratchFor(place.capacity()), weights }
    const { candidates, total } = collectCandidates({ plan, accepts, limit: RANKED_MAX_HITS }, deps)
    const ranked = rerank(candidates.slice(0, RERANK_CANDIDATES), plan, { store: place, rarity, weights })
    const rest = candidates
      .slice(RERANK_CANDIDATES)
      .map(({ document, base }) => ({ document, score: base, coverage: 0 }))
    const found: Found[] = []
    for (const { document, score, coverage } of [...ranked, ...rest]) {
      const tool = place.toolAt(document)
      if (tool !== undefined) found.push({ tool, score, coverage })
    }
    return { found, total }
  }

  function search(query: string, options: SearchOptions): RankedAnswer {
    const text = query.slice(0, QUERY_MAX_CHARACTERS)
    const plan = planQuery(readQuery(text, reader), { rarity, reader, weights })
    const places: [ToolStore, (document: number) => boolean][] = [[store, acceptsOf(store, options)]]
    if (options.extra !== undefined && options.extra.length > 0) {
      const place = storeOf(options.extra)
      places.push([place, acceptsOf(place, { accept: () => true, ...filterOf(options) })])
    }
    const exact = new Set<Tool>()
    const squashed = new Set<Tool>()
    const found: Found[] = []
    let total = 0
    for (const [place, accepts] of places) {
      const answer = findIn(place, plan, accepts)
      const matches = place.names.find(text)
      for (const document of matches.exact.filter(accepts)) addTool(exact, place.toolAt(document))
      for (const document of matches.squashed.filter(accepts)) addTool(squashed, place.toolAt(document))
      found.push(...answer.found)
      total += answer.total
    }
    const known = new Set(found.map(({ tool }) => tool))
    for (const tool of [...exact, ...squashed]) if (!known.has(tool)) found.push({ tool, score: 0, coverage: 1 })
    const rankOf = (tool: Tool): number => (exact.has(tool) ? 2 : squashed.has(tool) ? 1 : 0)
    found.sort((a, b) => rankOf(b.tool) - rankOf(a.tool) || b.score - a.score || compareIds(a.tool.id, b.tool.id))
    const offset = options.offset ?? 0
    const best = Math.max(1e-9, ...found.map(({ score }) => score))
    return {
      hits: found.slice(offset, offset + options.limit).map(({ tool, score }) => ({
        id: tool.id,
        score: rankOf(tool) > 0 ? 1 : score / best,
        weak: false,
      })),
      total: Math.max(total, found.length),
      notes: [],
    }
  }

  return {
    put: store.put,
    remove: store.remove,
    search,
    suggest: (selector, { limit, accept }) => search(selector, { limit, accept }).hits.map(({ id }) => id),
    learn() {},
    scope(accept) {
      const accepted = new Uint8Array(store.capacity())
      for (let document = 0; document < accepted.length; document += 1) {
        const tool = store.toolAt(document)
        if (tool !== undefined && accept(tool.id)) accepted[document] = 1
      }
      return { accepted, revision: store.revision() }
    },
  }
}

function addTool(tools: Set<Tool>, tool: Tool | undefined): void {
  if (tool !== undefined) tools.add(tool)
}

function filterOf(options: SearchOptions): { filter?: SearchFilter } {
  return options.filter === undefined ? {} : { filter: options.filter }
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function acceptsOf(
  store: ToolStore,
  { accept, filter }: { readonly accept: Accept; readonly filter?: SearchFilter },
): (document: number) => boolean {
  const isIn =
    typeof accept === 'function'
      ? (document: number): boolean => accept(store.toolAt(document)?.id ?? '')
      : (document: number): boolean => accept.accepted[document] === 1 && store.birthOf(document) <= accept.revision
  if (filter === undefined) return isIn
  return (document) => {
    const tool = store.toolAt(document)
    return tool !== undefined && passes(tool, filter) && isIn(document)
  }
}

function passes(tool: Tool, filter: SearchFilter): boolean {
  if (filter.source !== undefined && tool.source !== filter.source) return false
  if (filter.owner !== undefined && tool.owner !== filter.owner) return false
  return filter.readOnly === undefined || (tool.annotations.readOnlyHint === true) === filter.readOnly
}
