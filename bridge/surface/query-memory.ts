import type { Tool } from '../../catalog/tool.ts'

/** What a turn was shown: which search led to a tool, of which learning is made, and by which schema it is called. */
export interface QueryMemory {
  remember(query: string, ids: readonly string[]): void
  /** The latest query that found this tool. */
  queryFor(id: string): string | undefined
  /** A tool was found or described, as it is now. */
  show(tool: Tool): void
  shown(id: string): Tool | undefined
}

/** Searches of a turn that are kept; older ones hardly led to a call made now. */
const REMEMBERED_SEARCHES = 32
/** Tools that are kept as they were shown; more than any turn calls. */
const REMEMBERED_TOOLS = 512

export function createQueryMemory(): QueryMemory {
  const tools = new Map<string, Tool>()
  const searches: { readonly query: string; readonly ids: ReadonlySet<string> }[] = []
  return {
    remember(query, ids) {
      searches.push({ query, ids: new Set(ids) })
      if (searches.length > REMEMBERED_SEARCHES) searches.shift()
    },
    queryFor: (id) => searches.findLast((search) => search.ids.has(id))?.query,
    show(tool) {
      // Put at the end: the first is the one that was shown longest ago.
      tools.delete(tool.id)
      tools.set(tool.id, tool)
      const [oldest] = tools.keys()
      if (tools.size > REMEMBERED_TOOLS && oldest !== undefined) tools.delete(oldest)
    },
    shown: (id) => tools.get(id),
  }
}
