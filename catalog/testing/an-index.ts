import { createSearchIndex } from '../search/create-search-index.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Tool } from '../tool.ts'

/** The real index over these tools. */
export function anIndex(tools: readonly Tool[]): SearchIndex {
  const index = createSearchIndex()
  for (const tool of tools) index.put(tool)
  return index
}
