import { canonicalJson } from '../../catalog/json.ts'
import type { SourceSink } from '../../catalog/source.ts'
import type { ToolDefinition } from '../../catalog/tool.ts'
import type { ToolId } from '../../catalog/tool-id.ts'
import type { Candidate, PluginCandidate } from '../loading/claim-ids.ts'
import type { Registration, ToolFault } from '../registering/register-plugin.ts'
import { registerPlugin } from '../registering/register-plugin.ts'
import { selectTools } from '../registering/select-tools.ts'
import type { AsPlugin } from '../plugin-scope.ts'
import type { Plugin, PluginLog } from '../sdk.ts'

export interface StandDeps {
  /** Whether an allow list names this optional tool. */
  readonly isOptionalToolAllowed: (id: ToolId) => boolean
  readonly logFor: (plugin: string) => PluginLog
  readonly asPlugin: AsPlugin
  readonly registerBudgetMs?: number
}

export interface Running {
  readonly plugin: Plugin
  /** Canonical JSON. */
  readonly config: string
  readonly registration: Registration
}

/** A candidate after its registration was tried. */
export interface Standing {
  readonly owner: string
  readonly path: string
  readonly order: number
  readonly running?: Running
  readonly tools: readonly ToolDefinition[]
  readonly faults: readonly ToolFault[]
  readonly withheld: readonly string[]
  /** Why it does not run, or why it still runs as it was before. */
  readonly failure?: string
}

/** Registers a candidate where it is not what it was; where that fails it stays as it was before. */
export async function standPlugin(
  candidate: Candidate,
  former: Standing | undefined,
  deps: StandDeps,
): Promise<Standing> {
  const { owner, path, order } = candidate
  const before = former?.running
  const stay = (failure: string): Standing => ({
    tools: [],
    faults: [],
    withheld: [],
    ...former,
    owner,
    path,
    order,
    failure,
  })
  if (candidate.kind === 'failed') return stay(candidate.reason)
  const { plugin, manifest } = candidate
  const config = canonicalJson(candidate.config)
  const isSame = before?.plugin === plugin && before.config === config
  const result = isSame
    ? { kind: 'registered' as const, registration: before.registration }
    : await register(candidate, deps)
  if (result.kind === 'failed') return stay(result.reason)
  const { registration } = result
  const selected = selectTools(registration.tools, { ...deps, plugin: plugin.id, manifest })
  const faults = [...registration.faults, ...selected.faults]
  const running = isSame ? before : { plugin, config, registration }
  return { owner, path, order, running, tools: selected.tools, withheld: selected.withheld, faults }
}

function register(
  { plugin, config }: PluginCandidate,
  { registerBudgetMs, logFor, asPlugin }: StandDeps,
): ReturnType<typeof registerPlugin> {
  const budget = registerBudgetMs === undefined ? {} : { budgetMs: registerBudgetMs }
  return registerPlugin(plugin, { config, log: logFor(plugin.id), asPlugin, ...budget })
}

export interface Publishing {
  readonly before: Standing | undefined
  readonly sink: SourceSink
  readonly sinceMs: number
}

/** Tells the catalog how a plugin stands. */
export function publishStanding(
  { owner, path, running, tools, failure }: Standing,
  { before, sink, sinceMs }: Publishing,
): void {
  sink.setTools('plugin', owner, tools)
  if (running === undefined) {
    sink.setState('plugin', owner, { kind: 'down', sinceMs, reason: `${path}: ${failure ?? 'not loaded'}` })
  } else if (running !== before?.running) {
    sink.setState('plugin', owner, { kind: 'ready', sinceMs })
  }
}
