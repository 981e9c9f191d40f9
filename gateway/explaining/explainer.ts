import type { Catalog } from '../../catalog/catalog.ts'
import type { Caller } from '../../catalog/caller.ts'
import { asProgram } from '../../catalog/caller.ts'
import type { SearchIndex } from '../../catalog/search/search-index.ts'
import type { SourceStatus } from '../../catalog/source.ts'
import type { ScreeningFinding } from '../../catalog/sources/mcp/trust/screening-finding.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { CallerPolicy } from '../../policy/decide.ts'
import type { ExplainedLayer, ExplainedRule } from '../../policy/explain.ts'
import { explainPolicy } from '../../policy/explain.ts'
import { ownerOf } from '../config/checking/known-tools.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import type { ConfigPlace, ConfigText, PlaceOf } from './config-places.ts'
import { createConfigPlaces } from './config-places.ts'
import type { ToolStanding } from './explanation.ts'
import { NEAREST_COUNT } from './limits.ts'
import type { StandingDeps } from './tool-standing.ts'
import { quarantinedStanding, standingOf, unavailableStanding } from './tool-standing.ts'

export interface ExplainerDeps {
  readonly catalog: Pick<Catalog, 'snapshot' | 'statuses' | 'quarantined'>
  readonly index: Pick<SearchIndex, 'suggest' | 'scope'>
  readonly policyFor: (caller: Caller) => CallerPolicy
  readonly mode: (caller: Caller) => ModeInForce
  /** Optional tools of plugins that no list names. */
  readonly withheld: () => readonly string[]
  /** What screening found in what a tool says of itself. */
  readonly findingsOf: (id: string) => readonly ScreeningFinding[]
  readonly configText: () => ConfigText
}

/** One tool for one caller, with every layer and rule that had a say. */
export interface ToolExplanation extends ToolStanding {
  readonly mode: string
  readonly findings?: readonly ScreeningFinding[]
  readonly layers: readonly (Omit<ExplainedLayer, 'path' | 'entry' | 'missing'> & Placed)[]
  readonly rules: readonly (Omit<ExplainedRule, 'path' | 'place'> & { readonly place: ConfigPlace })[]
}

interface Placed {
  /** Of the scope. */
  readonly place: ConfigPlace
  /** What decided. */
  readonly entry?: ConfigPlace & { readonly text: string }
  readonly missing?: ConfigPlace & { readonly from: 'allow' | 'annotations' }
}

export interface CatalogExplanation {
  readonly mode: string
  /** Every registered tool once, in order of id; then what is quarantined, shadowed or optional. */
  readonly tools: readonly ToolStanding[]
  readonly counts: Readonly<Record<string, number>>
}

export interface Explainer {
  /** By exact id, or by a name that one registered tool has. */
  explain(selector: string, caller: Caller): ToolExplanation
  explainAll(caller: Caller): CatalogExplanation
}

/** Says of each tool how it stands for a caller and why: for operators, who may know of every tool there is. */
export function createExplainer(deps: ExplainerDeps): Explainer {
  return {
    explain(selector, caller) {
      const asked = askedBy(caller, deps)
      const tool = findTool(selector, deps)
      const mode = asked.mode.inForce
      if (tool === undefined) {
        const standing = unregistered(selector, deps)
        return { ...standing, mode, ...findingsIn(standing.id, deps), layers: [], rules: [] }
      }
      const { layers, rules } = explainPolicy(asked.policy, tool)
      return {
        ...standingOf(tool, asked),
        mode,
        ...findingsIn(tool.id, deps),
        layers: layers.map((layer) => placedLayer(layer, asked.placeOf)),
        rules: rules.map(({ path, place: _place, ...rule }) => ({ ...rule, place: asked.placeOf(path) })),
      }
    },
    explainAll(caller) {
      const asked = askedBy(caller, deps)
      const tools = [
        ...deps.catalog.snapshot().tools.map((tool) => standingOf(tool, asked)),
        ...deps.catalog.quarantined().map(quarantinedStanding),
        ...deps.withheld().map(withheldStanding),
      ]
      const counts: Record<string, number> = {}
      for (const { state } of tools) counts[state] = (counts[state] ?? 0) + 1
      return { mode: asked.mode.inForce, tools, counts }
    },
  }
}

function findingsIn(id: string, { findingsOf }: ExplainerDeps): Pick<ToolExplanation, 'findings'> {
  const findings = findingsOf(id)
  return findings.length === 0 ? {} : { findings }
}

function askedBy(caller: Caller, deps: ExplainerDeps): StandingDeps {
  const statuses = new Map(deps.catalog.statuses().map((status) => [`${status.source}:${status.owner}`, status]))
  return {
    policy: deps.policyFor(caller),
    programPolicy: deps.policyFor(asProgram(caller)),
    mode: deps.mode(caller),
    placeOf: createConfigPlaces(deps.configText()),
    statusOf: ({ source, owner }) => statuses.get(`${source}:${owner}`),
  }
}

function findTool(selector: string, { catalog }: Pick<ExplainerDeps, 'catalog'>): Tool | undefined {
  const { byId, byName } = catalog.snapshot()
  const named = byName.get(selector) ?? []
  return byId.get(selector) ?? (named.length === 1 ? named[0] : undefined)
}

/** No tool of the catalog: kept out of it, of a server that is not there, or not known at all. */
function unregistered(selector: string, deps: ExplainerDeps): ToolStanding {
  const quarantined = deps.catalog.quarantined().find(({ id, name }) => id === selector || name === selector)
  if (quarantined !== undefined) return quarantinedStanding(quarantined)
  const withheld = deps.withheld().find((id) => id === selector || id.endsWith(`:${selector}`))
  if (withheld !== undefined) return withheldStanding(withheld)
  const twins = deps.catalog.snapshot().byName.get(selector) ?? []
  if (twins.length > 1) {
    const reason = `"${selector}" is the name of ${twins.length} tools; ask for one by its id`
    return { id: selector, state: 'absent', reason, nearest: twins.map(({ id }) => id) }
  }
  const status = selector.includes(':') ? pendingSource(selector, deps.catalog.statuses()) : undefined
  if (status !== undefined) return unavailableStanding(selector, status)
  if (selector.startsWith('client:')) {
    return { id: selector, state: 'absent', reason: 'a tool of a client comes with a request, and goes with it' }
  }
  const nearest = deps.index.suggest(selector, { limit: NEAREST_COUNT, accept: deps.index.scope(() => true) })
  const meant = nearest.length === 0 ? '' : `; near it are ${nearest.join(', ')}`
  return { id: selector, state: 'absent', reason: `no source has registered "${selector}"${meant}`, nearest }
}

function pendingSource(selector: string, statuses: readonly SourceStatus[]): SourceStatus | undefined {
  const { source, owner } = ownerOf(selector)
  return statuses.find((status) => status.source === source && status.owner === owner && status.state.kind !== 'ready')
}

function withheldStanding(id: string): ToolStanding {
  const reason = 'its plugin offers it only where an "allow" or "alsoAllow" names it, and none does'
  return { id, state: 'optional-not-allowed', reason }
}

function placedLayer(
  { path, entry, missing, ...layer }: ExplainedLayer,
  placeOf: PlaceOf,
): ToolExplanation['layers'][number] {
  return {
    ...layer,
    place: placeOf(path),
    ...(entry && { entry: { text: entry.text, ...placeOf(entry.path) } }),
    ...(missing && { missing: { from: missing.from, ...placeOf(missing.path) } }),
  }
}
