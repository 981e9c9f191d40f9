import type { Logger } from 'pino'
import { RUN_TEXT_MAX_BYTES } from '../../bridge/limits.ts'
import { runText } from '../../bridge/result/model-text.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { LiveSettings } from '../live-settings.ts'
import { createParkedCalls } from '../mcp-server/approving/parked-calls.ts'
import type { McpEndpoint, McpEndpointDeps } from '../mcp-server/mcp-endpoint.ts'
import { createMcpEndpoint } from '../mcp-server/mcp-endpoint.ts'
import type { FirstLook } from '../mcp-server/offering/first-look.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import { modeOfCaller } from '../presenting/mode-of-caller.ts'
import type { Presenter } from '../presenting/presenter.ts'
import { DEFAULT_TENANT } from '../state/tokens/make-token.ts'
import type { Seal } from '../state/seal.ts'
import type { Store } from '../store/store.ts'
import type { ViewCache } from '../views/view-cache.ts'
import type { Approvals } from './build-approvals.ts'
import { buildOffers } from './build-offers.ts'
import type { Sources } from './build-sources.ts'
import type { Work } from './build-work.ts'

export interface McpEndpointParts {
  readonly presenter: Presenter
  readonly views: ViewCache
  readonly mode: () => ModeInForce
  readonly catalog: Pick<Catalog, 'onChange'>
  readonly settings: LiveSettings
  readonly store: Pick<Store, 'getRun' | 'getValue' | 'setValue' | 'listValueSessions' | 'isShared' | 'approvals'>
  readonly approvals: Pick<Approvals, 'desk'>
  readonly sources: Pick<Sources, 'mcp' | 'trust'>
  readonly firstLook: FirstLook
  readonly seal: Seal
  readonly work: Pick<Work, 'calls' | 'parking'>
  /** Aborted when the gateway stops: sessions and streams end, or its stop would wait for their clients. */
  readonly closing: AbortSignal
  readonly version: string
  readonly log: Logger
  readonly now: () => number
}

/** `/mcp` over the presentations, told of what changes in the catalog. */
export function buildMcpEndpoint(parts: McpEndpointParts): McpEndpoint {
  const { views, settings, store, work, approvals } = parts
  const getRun: McpEndpointDeps['getRun'] = async (tenant, id) => (await store.getRun(tenant, id))?.run
  const callEnd: McpEndpointDeps['callEnd'] = (tenant, id) => work.parking.told.get(tenant, id)
  const endpoint = createMcpEndpoint({
    ...parts,
    parkedCalls: createParkedCalls({ store, getRun, callEnd, now: parts.now }),
    callerOf: (agent) => ({ tenant: DEFAULT_TENANT, agent }),
    viewFor: (caller) => views.viewFor(caller),
    modeOf: (caller) => modeOfCaller(parts.mode(), views.policyFor(caller)).inForce,
    mayDecide: ({ scopes }) =>
      scopes.includes('approvals') || scopes.includes('admin') || settings.current().config.approvals.elicitation,
    decide: (decisions, by) => approvals.desk.decide(decisions, by),
    getApproval: async (tenant, id) => (await store.approvals.get(tenant, id))?.approval,
    hold: (caller, holdMs) => work.calls.hold(caller, holdMs),
    holdMs: work.parking.holdMs,
    questionMs: () => settings.current().config.approvals.timeoutMs,
    getRun,
    callEnd,
    runText: (run) => runText(run, RUN_TEXT_MAX_BYTES),
    redact: (text) => settings.redactText(text),
    extensions: [buildOffers(parts)],
  })
  parts.catalog.onChange(() => endpoint.viewsChanged())
  parts.closing.addEventListener('abort', () => void endpoint.close(), { once: true })
  return endpoint
}
