import type { Logger } from 'pino'
import type { ArtifactStore } from '../../bridge/artifacts.ts'
import type { ProgramLimits } from '../../bridge/isolate/program-host.ts'
import { MODEL_TEXT_MAX_BYTES, RUN_TEXT_MAX_BYTES } from '../../bridge/limits.ts'
import { callText, runText } from '../../bridge/result/model-text.ts'
import { asProgram } from '../../catalog/caller.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { CallerFault } from '../auth/caller-fault.ts'
import type { LiveSettings } from '../live-settings.ts'
import type { CancelWork } from '../parking/cancel-work.ts'
import { createCancelWork } from '../parking/cancel-work.ts'
import type { KeptTurn } from '../parking/create-turn-keeper.ts'
import { createTurnKeeper } from '../parking/create-turn-keeper.ts'
import { createResumeWork } from '../parking/resume-work.ts'
import { createSourcesReady } from '../parking/sources-ready.ts'
import type { WaitingCalls } from '../parking/waiting-calls.ts'
import { createWaitingCalls } from '../parking/waiting-calls.ts'
import type { ChatRouteDeps } from '../routes/chat/chat-route-deps.ts'
import { callAnswer } from '../routes/direct/call-answer.ts'
import { HttpError } from '../http/http-error.ts'
import { createRecordings } from '../runs/recordings.ts'
import type { Runs } from '../runs/runs.ts'
import { createRuns } from '../runs/runs.ts'
import type { Seal } from '../state/seal.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { WorkUnderWay } from '../stopping/work-under-way.ts'
import type { Store } from '../store/store.ts'
import type { TurnKeeper } from '../turn/turn-keeper.ts'
import type { ViewCache } from '../views/view-cache.ts'
import type { Approvals } from './build-approvals.ts'
import type { Bridge } from './build-bridge.ts'
import type { Parking } from './build-parking.ts'
import { buildParking } from './build-parking.ts'
import type { Sources } from './build-sources.ts'
import type { Sandbox } from './start-sandbox.ts'

export interface WorkDeps {
  readonly state: Pick<StateDirectory, 'path'>
  readonly settings: LiveSettings
  readonly store: Store
  readonly catalog: Catalog
  readonly sources: Sources
  readonly sandbox: Sandbox
  readonly approvals: Approvals
  readonly closing: AbortSignal
  readonly log: Logger
  readonly now: () => number
}

export interface WorkParts {
  readonly callerFault: CallerFault
  readonly bridge: Bridge
  readonly views: ViewCache
  readonly artifacts: ArtifactStore
  readonly seal: Seal
  readonly underWay: WorkUnderWay
  /** A turn that waited goes on as one that is opened again. */
  readonly openTurn: ChatRouteDeps['openTurn']
}

/** Runs, and whatever may wait for a person or its client. */
export interface Work {
  readonly runs: Runs
  readonly calls: WaitingCalls
  readonly cancel: CancelWork
  readonly parking: Parking
  readonly keeperOf: (turn: KeptTurn) => TurnKeeper
}

export function buildWork(deps: WorkDeps, parts: WorkParts): Work {
  const { approvals, store, closing, log } = deps
  const { bridge, views } = parts
  // Parking and going on need each other: `resume` is made below of parts of `parking`, and is not called before.
  const parking = buildParking({ ...deps, ...parts, desk: approvals.desk, resume: (entry) => resume(entry) })
  const { live, work, told, turns, holdMs } = parking
  const { createSurface } = bridge
  const { desk } = approvals
  const viewFor: ViewCache['viewFor'] = (caller, clientTools) => views.viewFor(caller, clientTools)
  const runs = runsOf(deps, { ...parts, parking })
  const common = { desk, told, live, createSurface, viewFor, holdMs, parkApprovals: parking.parkApprovals }
  const calls = createWaitingCalls({ ...common, work, answerOf: callAnswer, closing })
  const cancel = createCancelWork({ ...common, store, runs: parking.runs, turns })
  approvals.desk.whenEnded((approval) => parking.resumer.onDecided(approval))
  const keeping = {
    ...common,
    turns,
    runs: parking.runs,
    resumeRun: runs.resumeRun,
    runText: (run: Parameters<typeof runText>[0]) => runText(run, RUN_TEXT_MAX_BYTES),
    callText: (settled: Parameters<typeof callText>[0]) => callText(settled, MODEL_TEXT_MAX_BYTES),
  }
  const resume = createResumeWork({
    ...common,
    turns,
    runs: parking.runs,
    calls,
    resumeRun: runs.resumeRun,
    endRun: (tenant, id, message) => cancel.endRun(tenant, id, message),
    dropTurn: (tenant, id, reason) => cancel.dropTurn(tenant, id, reason),
    openTurn: parts.openTurn,
    callerFault: parts.callerFault,
    onTurnFinished: approvals.onTurnFinished,
    sourcesReady: createSourcesReady({
      pluginsSettled: () => deps.sources.plugins.settled(),
      statuses: () => deps.catalog.statuses(),
      closing,
    }),
    closing,
    log,
  })
  return { runs, calls, cancel, parking, keeperOf: (turn) => createTurnKeeper(turn, keeping) }
}

interface RunParts extends WorkParts {
  readonly parking: Parking
}

function runsOf(deps: WorkDeps, parts: RunParts): Runs {
  const { settings, closing } = deps
  const { underWay, parking, seal, artifacts } = parts
  const { host, reason } = deps.sandbox
  if (host === undefined) {
    const refuse = async (): Promise<never> => {
      throw new HttpError('unavailable', `programs cannot run here: ${reason ?? 'no worker can start'}`)
    }
    return { runProgram: refuse, replayRun: refuse, resumeRun: refuse }
  }
  const { runProgram, replayRun, resumeRun } = createRuns({
    host,
    limits: () => limitsOf(settings),
    sourceMaxBytes: () => settings.current().config.sandbox.sourceBytes,
    createSurface: parts.bridge.createSurface,
    viewFor: (caller, clientTools) => parts.views.viewFor(asProgram(caller), clientTools),
    store: deps.store,
    waiting: parking.runs,
    live: parking.live,
    parkApprovals: parking.parkApprovals,
    holdMs: parking.holdMs,
    artifacts,
    warn: (message, error) => deps.log.warn({ err: error }, message),
    recordings: createRecordings(seal),
    seal,
    redactText: (text) => settings.redactText(text),
    redactShape: (value) => settings.redactShape(value),
    closing,
    now: deps.now,
  })
  const bound = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, closing])
  return {
    runProgram: (request, signal) => underWay.track(runProgram(request, bound(signal))),
    replayRun: (request, signal) => underWay.track(replayRun(request, bound(signal))),
    resumeRun: (tenant, id, signal) => underWay.track(resumeRun(tenant, id, bound(signal))),
  }
}

function limitsOf(settings: LiveSettings): ProgramLimits {
  const { config, toolSearch } = settings.current()
  const { jit: _jit, sourceBytes: _sourceBytes, workersMax: _workersMax, ...limits } = config.sandbox
  return { ...limits, wallMs: toolSearch.codeTimeoutMs }
}
