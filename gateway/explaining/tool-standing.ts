import type { QuarantinedTool } from '../../catalog/catalog.ts'
import type { SourceStatus } from '../../catalog/source.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { CallerPolicy, Verdict } from '../../policy/decide.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import type { PlaceOf } from './config-places.ts'
import { placeText } from './config-places.ts'
import type { DecidedBy, ToolStanding } from './explanation.ts'

/** What the standing of a caller's tools hangs on. */
export interface StandingDeps {
  readonly policy: CallerPolicy
  /** Of the same caller's programs. */
  readonly programPolicy: CallerPolicy
  readonly mode: ModeInForce
  readonly placeOf: PlaceOf
  readonly statusOf: (tool: Pick<Tool, 'source' | 'owner'>) => SourceStatus | undefined
}

/** How a registered tool stands: what keeps it back first is told. */
export function standingOf(tool: Tool, deps: StandingDeps): ToolStanding {
  const { id } = tool
  const { policy } = deps
  const verdict = policy.verdict(tool)
  if (verdict.kind === 'deny') return deniedStanding(id, verdict, deps)
  if (policy.shown(tool) === undefined) return hiddenStanding(tool, deps)
  const status = deps.statusOf(tool)
  if (status !== undefined && status.state.kind !== 'ready') return unavailableStanding(id, status)
  const approval = policy.approvalNeed(tool)
  if (approval.needed === 'always') {
    const reason = `every call waits for an approval, by ${approval.rules.join(' and ')}`
    return { id, state: 'awaiting-approval', reason, approval }
  }
  return { ...reachableStanding(tool, deps), ...(approval.needed === 'sometimes' && { approval }) }
}

export function quarantinedStanding({ id, reason, schema, keyword, path, shadowedBy }: QuarantinedTool): ToolStanding {
  if (shadowedBy !== undefined) return { id, state: 'shadowed', reason }
  const quarantine = {
    ...(schema !== undefined && { schema }),
    ...(keyword !== undefined && { keyword }),
    ...(path !== undefined && { path }),
  }
  return { id, state: 'quarantined', reason, ...(schema !== undefined && { quarantine }) }
}

export function unavailableStanding(id: string, { owner, state }: SourceStatus): ToolStanding {
  const since = new Date(state.sinceMs).toISOString()
  const lastError = state.kind === 'down' ? state.reason : undefined
  const why = lastError === undefined ? '' : `: ${lastError}`
  return {
    id,
    state: 'unavailable',
    reason: `${owner} is ${state.kind} since ${since}${why}`,
    source: { state: state.kind, since, ...(lastError !== undefined && { lastError }) },
  }
}

function deniedStanding(
  id: string,
  verdict: Extract<Verdict, { readonly kind: 'deny' }>,
  { placeOf }: Pick<StandingDeps, 'placeOf'>,
): ToolStanding {
  const { layer, rule, path = [] } = verdict
  const place = placeOf(path)
  const decidedBy: DecidedBy = { layer, entry: rule, ...place }
  const isLeftOut = rule === 'allow' || rule.startsWith('profile ')
  const what = isLeftOut ? 'leaves it out, since nothing there names it' : `denies it by "${rule}"`
  return { id, state: 'denied', reason: `the layer "${layer}" ${what} (${placeText(place)})`, decidedBy }
}

/** Rules alone can do that: the layers have let it through. */
function hiddenStanding(tool: Tool, { policy, placeOf }: StandingDeps): ToolStanding {
  const denies = policy.rulesOf(tool).filter((rule) => rule.effect === 'deny')
  const whole = denies.find((rule) => rule.isUnconditional)
  if (whole !== undefined) {
    const verdict = { kind: 'deny', layer: 'rules', rule: whole.place, path: whole.path } as const
    return deniedStanding(tool.id, verdict, { placeOf })
  }
  const places = denies.map((rule) => placeText(placeOf(rule.path))).join('; ')
  return { id: tool.id, state: 'hidden', reason: `rules refuse every call that it allows (${places})` }
}

function reachableStanding(tool: Tool, { mode, programPolicy }: StandingDeps): ToolStanding {
  const { id } = tool
  switch (mode.inForce) {
    case 'direct':
      return { id, state: 'direct', reason: `shown to the model as it is${because(mode)}` }
    case 'tools':
      return { id, state: 'deferred', reason: `found by tool_search and called by tool_call${because(mode)}` }
    case 'code':
      return programPolicy.shown(tool) === undefined
        ? { id, state: 'callable', reason: 'can be called over HTTP, but programs may not see it (tools.sandbox)' }
        : { id, state: 'deferred', reason: 'found by search in programs of tool_search_code' }
  }
}

function because({ reason }: ModeInForce): string {
  return reason === undefined ? '' : `, since ${reason}`
}
