import type { Tool } from '../tool.ts'
import type { View, ViewDeps } from '../view.ts'
import { createView } from '../view.ts'
import { anIndex } from './an-index.ts'

/** For tests: a view of these tools, in order of their ids as every view is; all of it is seen, as it is registered. */
export function aView(tools: readonly Tool[] = [], parts: Partial<ViewDeps> = {}): View {
  const sorted = tools.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return createView({
    snapshot: {
      revision: 'r1',
      tools: sorted,
      byId: new Map(sorted.map((tool) => [tool.id, tool])),
      byName: Map.groupBy(sorted, (tool) => tool.name),
    },
    pendingSources: () => [],
    index: parts.index ?? anIndex(sorted),
    isVisible: () => true,
    quarantined: () => [],
    shownAs: (tool) => tool,
    clientTools: [],
    ...parts,
  })
}
