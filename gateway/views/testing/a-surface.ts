import { createDispatcher } from '../../../bridge/dispatcher.ts'
import type { RegisteredHook } from '../../../bridge/hooks.ts'
import { createQueryMemory } from '../../../bridge/surface/query-memory.ts'
import type { ToolSurface } from '../../../bridge/surface/tool-surface.ts'
import { aCallPath, aHookRunner } from '../../../bridge/testing/a-call-path.ts'
import { createMemoryDesk } from '../../../bridge/testing/memory-desk.ts'
import { aToolSurface } from '../../../bridge/testing/a-tool-surface.ts'
import type { Caller } from '../../../catalog/caller.ts'
import type { Catalog } from '../../../catalog/catalog.ts'
import type { SearchIndex } from '../../../catalog/search/search-index.ts'
import { signatureOf } from '../../../catalog/signature.ts'
import type { View } from '../../../catalog/view.ts'
import type { ViewCache } from '../view-cache.ts'

export interface SurfaceParts {
  readonly catalog: Pick<Catalog, 'snapshot'>
  readonly index: SearchIndex
  readonly views: ViewCache
  readonly caller: Caller
  readonly hooks?: readonly RegisteredHook[]
}

/** For tests: the real surface and dispatcher over a view, deciding by the cache's policy of the moment; nobody can be asked. */
export function aSurface(view: View, parts: SurfaceParts): ToolSurface {
  const { catalog, index, views, caller, hooks = [] } = parts
  const dispatch = createDispatcher(
    aCallPath({
      current: (id) => catalog.snapshot().byId.get(id),
      decide: (tool, who, input) => views.decide(tool, who, input),
      hooks: aHookRunner(hooks),
      desk: { ...createMemoryDesk(), open: () => Promise.reject(new Error('nobody decides here')) },
    }),
  )
  return aToolSurface(
    {
      index,
      dispatch,
      hitSignature: (tool) => signatureOf(tool),
      fullSignature: (tool) => signatureOf(tool),
      approvalNeed: (tool, who) => views.policyFor(who).approvalNeed(tool),
      settings: { defaultLimit: 20, maxLimit: 20 },
    },
    { view, caller, memory: createQueryMemory() },
  )
}
