import { createDispatcher } from '../../../bridge/dispatcher.ts'
import { createExecuteTool } from '../../../bridge/execute-tool.ts'
import type { RegisteredHook } from '../../../bridge/hooks.ts'
import { createHookRunner } from '../../../bridge/hooks/hook-runner.ts'
import { createQueryMemory } from '../../../bridge/query-memory.ts'
import type { ToolSurface } from '../../../bridge/tool-surface.ts'
import { createToolSurface } from '../../../bridge/tool-surface.ts'
import type { Caller } from '../../../catalog/caller.ts'
import type { Catalog } from '../../../catalog/catalog.ts'
import { isJsonObject } from '../../../catalog/json.ts'
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

/** For tests: the real surface and dispatcher over a view, deciding by the cache's policy of the moment. */
export function aSurface(view: View, parts: SurfaceParts): ToolSurface {
  const { catalog, index, views, caller, hooks = [] } = parts
  const dispatch = createDispatcher({
    current: (id) => catalog.snapshot().byId.get(id),
    decide: (tool, who, input) => views.decide(tool, who, input),
    repair: (args) => ({ args, notices: [] }),
    validate: (_tool, args) =>
      isJsonObject(args) ? { kind: 'valid', value: args } : { kind: 'invalid', problems: [] },
    signature: () => '()',
    hooks: createHookRunner({ hooks: () => hooks, warn: () => {} }),
    execute: createExecuteTool({
      valueOf: () => null,
      outputFault: () => undefined,
      redact: (text) => text,
      cut: (text) => text,
      logFailure: () => {},
    }),
    writeReceipt: async () => {},
    redact: (text) => text,
    now: () => 0,
    newId: () => 'rc',
  })
  return createToolSurface(
    {
      index,
      dispatch,
      hitSignature: (tool) => signatureOf(tool),
      fullSignature: (tool) => signatureOf(tool),
      newId: () => 'call',
      approvalNeed: (tool, who) => views.policyFor(who).approvalNeed(tool),
      settings: { defaultLimit: 20, maxLimit: 20 },
      learns: false,
    },
    { view, caller, memory: createQueryMemory() },
  )
}
