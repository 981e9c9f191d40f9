import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../catalog/caller.ts'
import { createDiskArtifacts } from '../artifacts/disk-artifacts.ts'
import type { CallerFault } from '../auth/caller-fault.ts'
import { createCallerFault } from '../auth/caller-fault.ts'
import type { McpEndpoint } from '../mcp-server/mcp-endpoint.ts'
import type { OpenClients } from '../mcp-server/open-clients.ts'
import { createFirstLook } from '../mcp-server/offering/first-look.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import { modeInForce } from '../presenting/mode-in-force.ts'
import { modeOfCaller } from '../presenting/mode-of-caller.ts'
import type { Presenter } from '../presenting/presenter.ts'
import type { WorkUnderWay } from '../stopping/work-under-way.ts'
import { createWorkUnderWay } from '../stopping/work-under-way.ts'
import type { Resumer } from '../turn/resumer.ts'
import type { ViewCache } from '../views/view-cache.ts'
import { createViewCache } from '../views/view-cache.ts'
import type { Bridge, BridgeDeps } from './build-bridge.ts'
import { buildBridge } from './build-bridge.ts'
import { buildMcpEndpoint } from './build-mcp-endpoint.ts'
import { buildMcpRoutes } from './build-mcp-routes.ts'
import { buildPassthrough } from './build-passthrough.ts'
import { buildPolicy } from './build-policy.ts'
import { buildPresenter } from './build-presenter.ts'
import { buildRoutes } from './build-routes.ts'
import type { ServerParts } from './server-parts.ts'
import { buildTurns } from './build-turns.ts'
import { buildWork } from './build-work.ts'

export interface Server {
  readonly app: FastifyInstance
  readonly presenter: Presenter
  readonly views: ViewCache
  readonly mcp: McpEndpoint
  readonly clients: OpenClients
  /** Goes on with what waits. */
  readonly resumer: Resumer
  /** Ends what has waited for its client alone since before a time. */
  readonly cancelAbandoned: (beforeMs: number) => Promise<void>
  /** Requests, turns, runs and calls; all of them end soon after `closing`. */
  readonly underWay: WorkUnderWay
  /** Mode in force, and why it is not the configured one. */
  readonly mode: () => ModeInForce
}

/** Views, bridge, presentations and routes, over what is already open. */
export function buildServer(deps: ServerParts): Server {
  const { settings, seal } = deps
  const views = createViewCache({ ...deps, policy: buildPolicy(settings.current().config, deps.schemas) })
  const underWay = createWorkUnderWay()
  const artifacts = createDiskArtifacts(deps.state.file('artifacts'))
  const callerFault = callerFaultOf(deps)
  const bridge = bridgeOf(deps, { artifacts, views, underWay, callerFault })
  const work = buildWork(deps, {
    callerFault,
    bridge,
    views,
    artifacts,
    seal,
    underWay,
    // Work and turns need each other: a turn that waits is kept as work, and kept work goes on as a turn. So this one is
    // looked up when it is called, which nobody does before both are made.
    openTurn: (opening) => openTurn(opening),
  })
  const { runs } = work
  const mode = (): ModeInForce => modeInForce(settings.current().toolSearch.mode, deps.sandbox)
  const modeFor = (caller: Caller): ModeInForce => modeOfCaller(mode(), views.policyFor(caller))
  const presenter = buildPresenter({ views, bridge, runs, modeFor })
  // One for both ways in: what was looked at for one is known for the other.
  const firstLook = createFirstLook({ mcp: deps.sources.mcp, offers: deps.sources.trust.offers })
  const mcp = buildMcpEndpoint({ ...deps, presenter, views, mode, work, firstLook })
  const passthrough = buildPassthrough({ ...deps, ...deps.sources, dispatch: bridge.dispatch, views, firstLook })
  const openTurn = buildTurns({ ...deps, callerFault, views, presenter, modeFor, underWay, bridge, work })
  const mcpRoutes = buildMcpRoutes({ endpoint: mcp, passthrough, settings })
  const served = { views, bridge, work, artifacts, underWay, openTurn, mcpRoutes, passthrough, mode, modeFor }
  const app = buildRoutes(deps, served)
  const cancelAbandoned = (beforeMs: number): Promise<void> => work.cancel.cancelAbandoned(beforeMs)
  const { clients } = mcpRoutes
  return { app, presenter, views, underWay, mode, mcp, clients, resumer: work.parking.resumer, cancelAbandoned }
}

function callerFaultOf({ store, settings }: ServerParts): CallerFault {
  return createCallerFault({ store, agents: () => settings.current().agents })
}

type BridgeParts = Pick<BridgeDeps, 'artifacts' | 'views' | 'underWay' | 'callerFault'>

function bridgeOf(deps: ServerParts, parts: BridgeParts): Bridge {
  const { settings } = deps
  return buildBridge({
    ...deps,
    ...parts,
    hooks: () => deps.sources.plugins.hooks(),
    hooksRegistered: () => deps.sources.plugins.settled(),
    desk: deps.approvals.desk,
    hookBudgetMs: () => settings.current().config.hooks.budgetMs,
    redact: (text) => settings.redactText(text),
    toolSearch: () => settings.current().toolSearch,
    learns: () => settings.current().config.tools.search.learn,
  })
}
