import type { Caller } from '../../catalog/caller.ts'
import type { View } from '../../catalog/view.ts'
import type { Pending } from '../approval.ts'
import type { AskClient } from '../asking/ask-client.ts'
import type { OnProgress } from '../dispatching/call-request.ts'
import type { ProgramLimits } from '../isolate/program-host.ts'
import type { MakeRunDeps } from './make-run.ts'
import { makeRun } from './make-run.ts'
import type { RunRecording } from '../parking/run-recording.ts'
import type { PreparedProgram } from '../program/prepared-program.ts'
import type { QueryMemory } from '../surface/query-memory.ts'
import type { Run } from '../run.ts'
import { runCallOf } from './run-call.ts'
import type { StretchDeps, StretchEnd } from './execute-program.ts'
import { executeProgram } from './execute-program.ts'
import { settledEnd } from './settled-end.ts'
import { inSpan } from '../trace.ts'

export type { RunRecording } from '../parking/run-recording.ts'

export interface RunRequest {
  /** Given by who wants to cancel the run by it; else one is made. */
  readonly id?: string
  /** What the model sent as `code`. */
  readonly source: unknown
  readonly view: View
  readonly caller: Caller
  readonly memory: QueryMemory
  readonly turnId?: string
  /** The model's own call that the program came in. */
  readonly parentCallId?: string
  /** Told of the steps of its calls. */
  readonly onProgress?: OnProgress
  /** Where the questions of its running calls go first. */
  readonly askClient?: AskClient
  /** Whether calls of the client's own tools can leave for it: the run then waits for the results. */
  readonly reachesClient?: boolean
  /** Told each time that a call of it has begun to wait, once the run is kept. */
  readonly onWaiting?: (runId: string, pending: readonly Pending[]) => Promise<void>
}

/** Nothing was run: every worker is taken and the queue is full. */
export interface RunBusy {
  readonly status: 'busy'
  readonly message: string
}

export interface RunProgramDeps extends MakeRunDeps, StretchDeps {
  readonly limits: ProgramLimits
  readonly prepare: (source: unknown) => PreparedProgram
  /** The recording is absent where nothing ran, or where it outgrew its bound. Also told of a run that is parked. */
  readonly onRunEnded: (run: Run, request: RunRequest, recording: RunRecording | undefined) => Promise<void>
  /** How long calls are held for a person before the run is parked. */
  readonly holdMs: () => number
  /** Unix milliseconds: where the program's own clock starts. */
  readonly now: () => number
  readonly newId: () => string
  readonly newSeed: () => number
  /** Unguessable; 24 hexadecimal digits. */
  readonly newClientKey: () => string
}

/** Runs a model's program to its end, or until it waits; whatever the end, log, calls and telemetry are in the run. */
export type RunProgram = (request: RunRequest, signal: AbortSignal) => Promise<Run | RunBusy>

export function createRunProgram(deps: RunProgramDeps): RunProgram {
  return async (request, signal) => {
    const id = request.id ?? deps.newId()
    return inSpan('run_program', { 'drawbridge.run.id': id }, async (span) => {
      const program = deps.prepare(request.source)
      const { view, caller } = request
      const ended =
        program.kind === 'ready' ? await runReady({ id, code: program.code, request }, deps, signal) : undefined
      if (ended?.end.kind === 'busy') return { status: 'busy', message: ended.end.message }
      const counts = ended?.surface.counts() ?? { searches: 0, describes: 0 }
      const run = await makeRun(
        {
          id,
          program,
          caller,
          end: ended && settledEnd(ended.end),
          calls: ended?.surface.settled().map(runCallOf) ?? [],
          notices: ended?.surface.notices() ?? [],
          artifacts: ended?.artifacts ?? [],
          events: ended?.recording?.events,
          asked: { catalogSize: view.tools.length, sources: { ...view.countBySource }, ...counts },
          ...(ended?.pending && { pending: ended.pending }),
        },
        deps,
      )
      span.setAttribute('drawbridge.run.status', run.status)
      await deps.onRunEnded(run, request, ended?.recording)
      return run
    })
  }
}

interface ReadyRun {
  readonly id: string
  readonly code: string
  readonly request: RunRequest
}

function runReady({ id, code, request }: ReadyRun, deps: RunProgramDeps, signal: AbortSignal): Promise<StretchEnd> {
  const { source, view, caller, memory, turnId, parentCallId, onProgress, askClient } = request
  const stretch = {
    id,
    source: typeof source === 'string' ? source : undefined,
    code,
    caller,
    view,
    memory,
    start: { seed: deps.newSeed(), startMs: deps.now(), limits: deps.limits },
    reachesClient: request.reachesClient === true,
    clientKey: deps.newClientKey(),
    holdMs: deps.holdMs(),
    ...(turnId !== undefined && { turnId }),
    ...(parentCallId !== undefined && { parentCallId }),
    ...(onProgress && { onProgress }),
    ...(askClient && { askClient }),
  }
  return executeProgram(stretch, { ...deps, ...toldOf(request, deps) }, signal)
}

function toldOf({ onWaiting }: RunRequest, { keepWaiting }: RunProgramDeps): Pick<StretchDeps, 'keepWaiting'> {
  if (onWaiting === undefined) return { keepWaiting }
  return {
    async keepWaiting(run) {
      await keepWaiting(run)
      if (run.waits.length > 0)
        await onWaiting(
          run.id,
          run.waits.map(({ pending }) => pending),
        )
    },
  }
}
