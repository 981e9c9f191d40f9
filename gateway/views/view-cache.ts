import type { Catalog, QuarantinedTool } from '../../catalog/catalog.ts'
import type { CatalogSnapshot } from '../../catalog/catalog-snapshot.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { SearchIndex } from '../../catalog/search/search-index.ts'
import type { SourceStatus } from '../../catalog/source.ts'
import type { Tool } from '../../catalog/tool.ts'
import { safeName, toolId } from '../../catalog/tool-id.ts'
import type { QuarantinedId, View } from '../../catalog/view.ts'
import { createView } from '../../catalog/view.ts'
import type { CallerPolicy, Verdict } from '../../policy/decide.ts'
import type { Policy } from '../../policy/policy.ts'

export interface ViewCache {
  /** What this caller may see now; the same object until catalog or policy change. */
  viewFor(caller: Caller, clientTools?: readonly Tool[]): View
  /** Policy in force now, for the final input of a call. */
  decide(tool: Tool, caller: Caller, input: JsonObject): Verdict
  /** The policy of a caller, in force now. */
  policyFor(caller: Caller): CallerPolicy
  /** Takes effect from the next view and the next call. */
  setPolicy(policy: Policy): void
}

interface ViewCacheDeps {
  readonly catalog: Pick<Catalog, 'snapshot' | 'statuses' | 'quarantined'>
  readonly index: Pick<SearchIndex, 'scope' | 'suggest'>
  readonly policy: Policy
}

interface CachedView {
  readonly own: CallerPolicy
  readonly snapshot: CatalogSnapshot
  readonly view: View
}

/** Ten thousand callers do not mean ten thousand views: one for all to whom the same layers apply, over the one index. */
export function createViewCache(deps: ViewCacheDeps): ViewCache {
  let policy = deps.policy
  const views = new WeakMap<CallerPolicy, CachedView>()
  // A turn asks with the same list of its client's tools for each of its steps.
  const turnViews = new WeakMap<readonly Tool[], CachedView>()

  const make = (own: CallerPolicy, snapshot: CatalogSnapshot, clientTools: readonly Tool[]): View =>
    createView({
      snapshot,
      index: deps.index,
      pendingSources: () => deps.catalog.statuses().filter((status) => isPending(status, own)),
      isVisible: (tool) => own.shown(tool) !== undefined,
      quarantined: () =>
        deps.catalog
          .quarantined()
          .filter((tool) => mightSee(tool, own))
          .map(quarantinedId),
      shownAs: (tool) => own.shown(tool) ?? tool,
      clientTools,
    })

  return {
    viewFor(caller, clientTools = []) {
      const own = policy.of(caller)
      const snapshot = deps.catalog.snapshot()
      const isPlain = clientTools.length === 0
      const known = isPlain ? views.get(own) : turnViews.get(clientTools)
      if (known?.own === own && known.snapshot === snapshot) return known.view
      const made = { own, snapshot, view: make(own, snapshot, clientTools) }
      if (isPlain) views.set(own, made)
      else turnViews.set(clientTools, made)
      return made.view
    },
    decide: (tool, caller, input) => policy.of(caller).decide(tool, input),
    policyFor: (caller) => policy.of(caller),
    setPolicy(next) {
      policy = next
    },
  }
}

function quarantinedId({ id, source, owner, name }: QuarantinedTool): QuarantinedId {
  return { id, safeName: safeName(source, owner, name) }
}

/** What it is annotated with is not known of a tool that cannot be read. */
function mightSee({ id, name, source, owner }: QuarantinedTool, own: CallerPolicy): boolean {
  return own.verdict({ id, name, source, owner, annotations: {} }).kind !== 'deny'
}

/** A server whose tools are all denied to this caller is not named to it either. */
function isPending({ state, source, owner }: SourceStatus, own: CallerPolicy): boolean {
  if (state.kind === 'ready' || source !== 'mcp') return false
  const any = { id: toolId(source, owner, '*'), name: '*', source, owner, annotations: {} }
  return own.verdict(any).kind === 'allow'
}
