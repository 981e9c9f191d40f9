import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Caller } from '../../catalog/caller.ts'
import { asProgram } from '../../catalog/caller.ts'
import { createDiskArtifacts } from '../artifacts/disk-artifacts.ts'
import { createAuthenticate } from '../auth/authenticate.ts'
import type { CallerFault } from '../auth/caller-fault.ts'
import { createCallerFault } from '../auth/caller-fault.ts'
import { createFailedAttempts } from '../auth/failed-attempts.ts'
import { createExplainer } from '../explaining/explainer.ts'
import type { LiveSettings } from '../live-settings.ts'
import type { McpEndpoint } from '../mcp-server/mcp-endpoint.ts'
import { createFirstLook } from '../mcp-server/offering/first-look.ts'
import { createAnswerRun } from '../parking/answer-run.ts'
import { createClaimTurn } from '../parking/claim-turn.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import { modeInForce } from '../presenting/mode-in-force.ts'
import { modeOfCaller } from '../presenting/mode-of-caller.ts'
import type { Presenter } from '../presenting/presenter.ts'
import { modelOf } from '../providers/choose-model.ts'
import type { RecordedRun } from '../routes/direct/runs-routes.ts'
import type { Recordings } from '../runs/recordings.ts'
import { createRecordings } from '../runs/recordings.ts'
import type { Seal } from '../state/seal.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { Tokens } from '../state/tokens/tokens.ts'
import type { WorkUnderWay } from '../stopping/work-under-way.ts'
import { createWorkUnderWay } from '../stopping/work-under-way.ts'
import type { Store, StoredRun } from '../store/store.ts'
import type { Resumer } from '../turn/resumer.ts'
import type { ViewCache } from '../views/view-cache.ts'
import { createViewCache } from '../views/view-cache.ts'
import type { AppDeps } from './build-app.ts'
import { buildApp } from './build-app.ts'
import type { Approvals } from './build-approvals.ts'
import type { Bridge, BridgeDeps } from './build-bridge.ts'
import { buildBridge } from './build-bridge.ts'
import type { CatalogParts } from './build-catalog.ts'
import { buildMcpEndpoint } from './build-mcp-endpoint.ts'
import { buildMcpRoutes } from './build-mcp-routes.ts'
import { buildPassthrough } from './build-passthrough.ts'
import { buildPolicy } from './build-policy.ts'
import { buildPresenter } from './build-presenter.ts'
import type { Sources } from './build-sources.ts'
import { buildTurns } from './build-turns.ts'
import type { Work } from './build-work.ts'
import { buildWork } from './build-work.ts'
import type { Sandbox } from './start-sandbox.ts'

export interface ServerDeps extends CatalogParts {
  readonly settings: LiveSettings
  readonly state: StateDirectory
  readonly seal: Seal
  readonly store: Store
  readonly tokens: Tokens
  readonly sources: Sources
  readonly sandbox: Sandbox
  readonly approvals: Approvals
  readonly closing: AbortSignal
  readonly version: string
  readonly log: Logger
  readonly now: () => number
}

export interface Server {
  readonly app: FastifyInstance
  readonly presenter: Presenter
  readonly views: ViewCache
  readonly mcp: McpEndpoint
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
export function buildServer(deps: ServerDeps): Server {
  const { settings, store, seal } = deps
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
  const mcpRoutes = buildMcpRoutes({ endpoint: mcp, passthrough, settings })
  const openTurn = buildTurns({ ...deps, callerFault, views, presenter, modeFor, underWay, bridge, work })
  const app = buildApp({
    log: deps.log,
    track: underWay.track,
    authenticate: createAuthenticate({
      findToken: (token, accepts) => deps.tokens.authenticate(token, accepts),
      failures: createFailedAttempts(deps.now),
      agents: () => settings.current().agents,
    }),
    agents: () => settings.current().agents,
    pageOrigins: () => settings.current().config.gateway.cors.origins,
    chat: { openTurn, ...waitingTurnsOf(deps, work), closing: deps.closing, nowMs: deps.now },
    runs: runRoutesOf(deps, views, work),
    tools: {
      viewFor: (caller) => views.viewFor(caller),
      createSurface: bridge.createSurface,
      makeCall: (surface, call, signal) => underWay.track(work.calls.make(surface, call, signal)),
      callEnd: (tenant, id) => work.parking.told.get(tenant, id),
    },
    sessions: { store, artifacts },
    approvals: approvalRoutesOf(deps),
    mcp: mcpRoutes,
    passthrough,
    health: healthOf(deps, mode),
    operator: { ...operatorOf(deps, { views, modeFor }), onRevoked: mcpRoutes.clients.breakOff },
  })
  const cancelAbandoned = (beforeMs: number): Promise<void> => work.cancel.cancelAbandoned(beforeMs)
  return { app, presenter, views, underWay, mode, mcp, resumer: work.parking.resumer, cancelAbandoned }
}

function callerFaultOf({ store, settings }: ServerDeps): CallerFault {
  return createCallerFault({ store, agents: () => settings.current().agents })
}

type BridgeParts = Pick<BridgeDeps, 'artifacts' | 'views' | 'underWay' | 'callerFault'>

function bridgeOf(deps: ServerDeps, parts: BridgeParts): Bridge {
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

type WaitingTurnRoutes = Pick<AppDeps['chat'], 'claimTurn' | 'enterTurn' | 'turnEnd' | 'cancelTurn'>

/** What the chat routes need of turns that are parked. */
function waitingTurnsOf({ approvals }: ServerDeps, { parking, cancel }: Work): WaitingTurnRoutes {
  const { live, told } = parking
  return {
    claimTurn: createClaimTurn({ ...parking, onTurnFinished: approvals.onTurnFinished }),
    enterTurn: ({ tenant }, turnId) => live.enter(tenant, turnId),
    turnEnd: (tenant, id) => told.get(tenant, id),
    cancelTurn: (tenant, id) => cancel.cancelTurn(tenant, id),
  }
}

function runRoutesOf({ store, seal }: ServerDeps, views: ViewCache, { runs, cancel, parking }: Work): AppDeps['runs'] {
  const recordings = createRecordings(seal)
  return {
    viewFor: (caller, clientTools) => views.viewFor(asProgram(caller), clientTools),
    ...runs,
    cancelParked: (tenant, id) => cancel.cancelRun(tenant, id),
    answerRun: createAnswerRun({ ...parking, resumeRun: runs.resumeRun }),
    getRun: async (tenant, id) => recordedRun(await store.getRun(tenant, id), recordings),
    newId: () => `run_${randomUUID()}`,
  }
}

/** A stored run, and what it can be replayed from while that is kept. */
function recordedRun(stored: StoredRun | undefined, recordings: Recordings): RecordedRun | undefined {
  if (stored === undefined) return undefined
  const { run, record } = stored
  const { journal } = record
  return { run, recording: () => (journal === undefined ? undefined : recordings.fromText(journal, run.id)) }
}

function healthOf(deps: ServerDeps, mode: () => ModeInForce): AppDeps['health'] {
  return {
    checkStore: () => deps.store.check(),
    mode,
    sandbox: () => deps.sandbox.host?.status(),
    sources: () => deps.catalog.statuses(),
    quarantined: () => deps.catalog.quarantined(),
    redactShape: (value) => deps.settings.redactShape(value),
    version: deps.version,
  }
}

function approvalRoutesOf({ store, approvals, schemas, settings, catalog, now }: ServerDeps): AppDeps['approvals'] {
  return {
    store,
    desk: approvals.desk,
    schemas,
    redactText: (text) => settings.redactText(text),
    schemaHashOf: (toolId) => catalog.snapshot().byId.get(toolId)?.schemaHash,
    now,
  }
}

interface ExplainedParts {
  readonly views: ViewCache
  readonly modeFor: (caller: Caller) => ModeInForce
}

function operatorOf(deps: ServerDeps, { views, modeFor }: ExplainedParts): Omit<AppDeps['operator'], 'onRevoked'> {
  const { settings } = deps
  return {
    explainer: createExplainer({
      ...deps,
      policyFor: (caller) => views.policyFor(caller),
      mode: modeFor,
      withheld: () => deps.sources.plugins.withheld(),
      findingsOf: (id) => deps.sources.trust.findingsOf(id),
      configText: () => settings.current().text,
    }),
    modelOf: (agent) => modelOf(agent, settings.current().config),
    store: deps.store,
    stateDirectory: deps.state.path,
    environmentToken: deps.tokens.environment,
    now: deps.now,
    catalog: deps.catalog,
    plugins: deps.sources.plugins,
    mcp: deps.sources.mcp,
    trust: deps.sources.trust,
    pins: deps.sources.pins,
    redactShape: (value) => deps.settings.redactShape(value),
  }
}
