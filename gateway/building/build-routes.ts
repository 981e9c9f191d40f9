import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { DiskArtifacts } from '../artifacts/disk-artifacts.ts'
import type { Caller } from '../../catalog/caller.ts'
import { asProgram } from '../../catalog/caller.ts'
import { createAuthenticate } from '../auth/authenticate.ts'
import { createFailedAttempts } from '../auth/failed-attempts.ts'
import { createExplainer } from '../explaining/explainer.ts'
import { createAnswerRun } from '../parking/answer-run.ts'
import { createClaimTurn } from '../parking/claim-turn.ts'
import type { Passthrough } from '../mcp-server/passthrough/passthrough.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import { modelOf } from '../providers/choose-model.ts'
import type { RecordedRun } from '../routes/direct/runs-routes.ts'
import type { Recordings } from '../runs/recordings.ts'
import { createRecordings } from '../runs/recordings.ts'
import type { WorkUnderWay } from '../stopping/work-under-way.ts'
import type { StoredRun } from '../store/store.ts'
import type { ViewCache } from '../views/view-cache.ts'
import type { AppDeps } from './build-app.ts'
import { buildApp } from './build-app.ts'
import type { Bridge } from './build-bridge.ts'
import type { ServerParts } from './server-parts.ts'
import type { McpRoutes } from './build-mcp-routes.ts'
import type { Work } from './build-work.ts'

/** What is made over those, and asked through the routes. */
export interface RoutedParts {
  readonly views: ViewCache
  readonly bridge: Bridge
  readonly work: Work
  readonly artifacts: DiskArtifacts
  readonly underWay: WorkUnderWay
  readonly openTurn: AppDeps['chat']['openTurn']
  readonly mcpRoutes: McpRoutes
  readonly passthrough: Passthrough
  /** Mode in force, for everybody and for one caller. */
  readonly mode: () => ModeInForce
  readonly modeFor: (caller: Caller) => ModeInForce
}

/** Gives each route what it asks through, and no more. */
export function buildRoutes(parts: ServerParts, served: RoutedParts): FastifyInstance {
  const { settings, store } = parts
  const { views, bridge, work, artifacts, underWay, openTurn, mcpRoutes, passthrough, mode } = served
  return buildApp({
    log: parts.log,
    track: underWay.track,
    authenticate: createAuthenticate({
      findToken: (token, accepts) => parts.tokens.authenticate(token, accepts),
      failures: createFailedAttempts(parts.now),
      agents: () => settings.current().agents,
    }),
    agents: () => settings.current().agents,
    pageOrigins: () => settings.current().config.gateway.cors.origins,
    chat: { openTurn, ...waitingTurnsOf(parts, work), closing: parts.closing, nowMs: parts.now },
    runs: runRoutesOf(parts, views, work),
    tools: {
      viewFor: (caller) => views.viewFor(caller),
      createSurface: bridge.createSurface,
      makeCall: (surface, call, signal) => underWay.track(work.calls.make(surface, call, signal)),
      callEnd: (tenant, id) => work.parking.told.get(tenant, id),
    },
    sessions: { store, artifacts },
    approvals: approvalRoutesOf(parts),
    mcp: mcpRoutes,
    passthrough,
    health: healthOf(parts, mode),
    operator: { ...operatorOf(parts, served), onRevoked: mcpRoutes.clients.breakOff },
  })
}

type WaitingTurnRoutes = Pick<AppDeps['chat'], 'claimTurn' | 'enterTurn' | 'turnEnd' | 'cancelTurn'>

/** What the chat routes need of turns that are parked. */
function waitingTurnsOf({ approvals }: ServerParts, { parking, cancel }: Work): WaitingTurnRoutes {
  const { live, told } = parking
  return {
    claimTurn: createClaimTurn({ ...parking, onTurnFinished: approvals.onTurnFinished }),
    enterTurn: ({ tenant }, turnId) => live.enter(tenant, turnId),
    turnEnd: (tenant, id) => told.get(tenant, id),
    cancelTurn: (tenant, id) => cancel.cancelTurn(tenant, id),
  }
}

function runRoutesOf({ store, seal }: ServerParts, views: ViewCache, { runs, cancel, parking }: Work): AppDeps['runs'] {
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

function healthOf(deps: ServerParts, mode: () => ModeInForce): AppDeps['health'] {
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

function approvalRoutesOf({ store, approvals, schemas, settings, catalog, now }: ServerParts): AppDeps['approvals'] {
  return {
    store,
    desk: approvals.desk,
    schemas,
    redactText: (text) => settings.redactText(text),
    schemaHashOf: (toolId) => catalog.snapshot().byId.get(toolId)?.schemaHash,
    now,
  }
}

function operatorOf(deps: ServerParts, { views, modeFor }: RoutedParts): Omit<AppDeps['operator'], 'onRevoked'> {
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
