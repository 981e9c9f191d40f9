import { createRarity, createRarityAt } from './index/rarity.ts'
import { ToolStore } from './index/tool-store.ts'
import { createPastQueries } from './learning/past-queries.ts'
import { createScratchFor } from './ranking/scratch.ts'
import type { SearchIndex } from './search-index.ts'
import { createSearchTools } from './search-tools.ts'
import { createSuggestIds } from './suggest-ids.ts'
import { createTextReader } from './text/text-reader.ts'
import type { SearchWeights } from './weights.ts'
import { WEIGHTS } from './weights.ts'

export interface SearchIndexOptions {
  /** Replaced as a whole by the bench, to measure what each weight is worth. */
  readonly weights?: SearchWeights
}

/** One index for all tools of the process; pure in memory, reads no clock. */
export function createSearchIndex(options: SearchIndexOptions = {}): SearchIndex {
  const weights = options.weights ?? WEIGHTS
  const reader = createTextReader()
  const store = new ToolStore(reader, weights)
  const statistics = { postings: store.postings, toolCount: () => store.count() }
  const rarity = createRarity(statistics)
  const rarityAt = createRarityAt(statistics)
  const pastQueries = createPastQueries({ reader, rarity, floor: weights.learnedFloor })
  const search = createSearchTools({
    store,
    reader,
    weights,
    rarity,
    rarityAt,
    scratchFor: createScratchFor(),
    pastQueries,
  })
  return {
    put: (tool) => store.put(tool),
    remove: (id) => store.remove(id),
    scope(accept) {
      const accepted = new Uint8Array(store.capacity())
      for (let document = 0; document < accepted.length; document += 1) {
        const tool = store.toolAt(document)
        if (tool !== undefined && accept(tool.id)) accepted[document] = 1
      }
      return { accepted, revision: store.revision() }
    },
    search,
    suggest: createSuggestIds(search),
    learn: (tenant, pair) => pastQueries.learn(tenant, pair),
  }
}
