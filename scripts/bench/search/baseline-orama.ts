import { create, insertMultiple, search } from '@orama/orama'
import { baselineFields, createBaselineTerms } from './baseline-texts.ts'
import type { EngineMaker } from './engine.ts'

/** Orama's BM25, boosts as ours, every word optional. */
export const oramaEngine: EngineMaker = {
  name: 'orama',
  async build(tools) {
    const terms = createBaselineTerms()
    const index = create({
      schema: { name: 'string', owner: 'string', description: 'string', parameters: 'string' },
      components: {
        tokenizer: { language: 'english', normalizationCache: new Map(), tokenize: (text) => terms(text) },
      },
    })
    const documents = tools.map((tool) => ({ id: tool.id, ...baselineFields(tool) }))
    await insertMultiple(index, documents, 1_000)
    return {
      async search(query, limit) {
        const boost = { name: 2, owner: 1.5, description: 1.5, parameters: 0.5 }
        const { hits } = await search(index, { term: query, limit, boost, threshold: 1, tolerance: 0 })
        return hits.map((hit) => hit.id)
      },
    }
  },
}
