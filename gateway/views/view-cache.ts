import type { Catalog, CatalogSnapshot } from '../../catalog/catalog.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { SearchIndex } from '../../catalog/search/search-index.ts'
import type { SourceStatus } from '../../catalog/source.ts'
import type { Tool } from '../../catalog/tool.ts'
import { toolId } from '../../catalog/tool-id.ts'
import type { View } from '../../catalog/view.ts'
import { createView } from '../../catalog/view.ts'
import type { Decide, Verdict } from '../../policy/decide.ts'
import { compilePolicy } from '../../policy/decide.ts'
import type { PolicyLayer } from '../../policy/layer.ts'

export interface ViewCache {
  /** What this caller may see now; the same object until catalog or policy change. */
  viewFor(caller: Caller, clientTools?: readonly Tool[]): View
  /** Policy in force now, for the final input of a call. */
  decide(tool: Tool, caller: Caller, input: JsonObject): Verdict
  /** Takes effect from the next view and the next call. */
  setLayers(layersOf: LayersOf): void
}

/** The policy layers of a caller, outermost first. Callers of one agent have the same. */
export type LayersOf = (agent: string) => readonly PolicyLayer[]

interface ViewCacheDeps {
  readonly catalog: Pick<Catalog, 'snapshot' | 'statuses'>
  readonly index: Pick<SearchIndex, 'scope' | 'suggest'>
  readonly layersOf: LayersOf
}

interface CachedAgent {
  readonly decide: Decide
  snapshot?: CatalogSnapshot
  view?: View
}

/** Ten thousand callers do not mean ten thousand views: one for each agent, over the one index. */
export function createViewCache(deps: ViewCacheDeps): ViewCache {
  let layersOf = deps.layersOf
  let agents = new Map<string, CachedAgent>()

  const agentOf = (name: string): CachedAgent => {
    const known = agents.get(name)
    if (known !== undefined) return known
    const made: CachedAgent = { decide: compilePolicy(layersOf(name)) }
    agents.set(name, made)
    return made
  }
  const make = (decide: Decide, snapshot: CatalogSnapshot, clientTools: readonly Tool[]): View =>
    createView({
      snapshot,
      index: deps.index,
      pendingSources: () => deps.catalog.statuses().filter((status) => isPending(status, decide)),
      isVisible: (tool) => decide(tool).kind === 'allow',
      clientTools,
    })

  return {
    viewFor(caller, clientTools = []) {
      const agent = agentOf(caller.agent)
      const snapshot = deps.catalog.snapshot()
      if (clientTools.length > 0) return make(agent.decide, snapshot, clientTools)
      if (agent.view === undefined || agent.snapshot !== snapshot) {
        agent.snapshot = snapshot
        agent.view = make(agent.decide, snapshot, [])
      }
      return agent.view
    },
    decide: (tool, caller) => agentOf(caller.agent).decide(tool),
    setLayers(next) {
      layersOf = next
      agents = new Map()
    },
  }
}

/** A server whose tools are all denied to this caller is not named to it either. */
function isPending(status: SourceStatus, decide: Decide): boolean {
  if (status.state.kind === 'ready' || status.source !== 'mcp') return false
  return decide({ id: toolId(status.source, status.owner, '*'), name: '*' }).kind === 'allow'
}
