import { Index } from 'flexsearch'
import { BASELINE_FIELDS, baselineFields, createBaselineTerms } from './baseline-texts.ts'
import type { EngineMaker } from './engine.ts'

/** FlexSearch's own order at its best: stemmed, stop words out, most levels of resolution, not every word needed. */
export const flexsearchEngine: EngineMaker = {
  name: 'flexsearch',
  build(tools) {
    const index = new Index({ encode: createBaselineTerms(), tokenize: 'strict', resolution: 30 })
    tools.forEach((tool, place) => {
      const fields = baselineFields(tool)
      index.add(place, BASELINE_FIELDS.map((field) => fields[field]).join(' '))
    })
    return {
      search: (query, limit) =>
        index.search(query, { limit, suggest: true }).map((place) => tools[Number(place)]?.id ?? ''),
    }
  },
}
