import { anIndex } from '../../../catalog/testing/an-index.ts'
import type { Tool } from '../../../catalog/tool.ts'
import type { View } from '../../../catalog/view.ts'
import { createView } from '../../../catalog/view.ts'

/** A view of these tools, in order of their ids as every view is. */
export function aView(tools: readonly Tool[]): View {
  const sorted = tools.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return createView({
    snapshot: {
      revision: 'r1',
      tools: sorted,
      byId: new Map(sorted.map((tool) => [tool.id, tool])),
      byName: Map.groupBy(sorted, (tool) => tool.name),
    },
    pendingSources: () => [],
    index: anIndex(sorted),
    isVisible: () => true,
  })
}
