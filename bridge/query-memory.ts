/** Which search of a turn led to a tool: what learning from use is made of. */
export interface QueryMemory {
  remember(query: string, ids: readonly string[]): void
  /** The latest query that found this tool. */
  queryFor(id: string): string | undefined
}

/** Searches of a turn that are kept; older ones hardly led to a call made now. */
const REMEMBERED_SEARCHES = 32

export function createQueryMemory(): QueryMemory {
  const searches: { readonly query: string; readonly ids: ReadonlySet<string> }[] = []
  return {
    remember(query, ids) {
      searches.push({ query, ids: new Set(ids) })
      if (searches.length > REMEMBERED_SEARCHES) searches.shift()
    },
    queryFor: (id) => searches.findLast((search) => search.ids.has(id))?.query,
  }
}
