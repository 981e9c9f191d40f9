import MiniSearch from 'minisearch'
import { BASELINE_FIELDS, baselineFields, createBaselineTerms } from './baseline-texts.ts'
import type { EngineMaker } from './engine.ts'

/** MiniSearch's BM25+ with its field boosts set as ours; prefix and fuzzy matching lower its order on whole requests. */
export const minisearchEngine: EngineMaker = {
  name: 'minisearch',
  build(tools) {
    const index = new MiniSearch<Record<string, string>>({
      fields: [...BASELINE_FIELDS],
      idField: 'id',
      tokenize: createBaselineTerms(),
      processTerm: (term) => term,
      searchOptions: { boost: { name: 2, owner: 1.5, description: 1.5, parameters: 0.5 }, combineWith: 'OR' },
    })
    index.addAll(tools.map((tool) => ({ id: tool.id, ...baselineFields(tool) })))
    return {
      search: (query, limit) =>
        index
          .search(query)
          .slice(0, limit)
          .map((hit) => String(hit.id)),
    }
  },
}
