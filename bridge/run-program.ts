import type { Caller } from '../catalog/caller.ts'
import type { View } from '../catalog/view.ts'
import type { ProgramValues } from './answer-operation.ts'
import { answerOperation } from './answer-operation.ts'
import type { JournalEvent, Operation, ProgramEnd, ProgramHost, ProgramLimits } from './isolate/program-host.ts'
import { createJournal } from './journal.ts'
import type { MakeRunDeps, ReadyProgram, SettledEnd } from './make-run.ts'
import { makeRun } from './make-run.ts'
import type { PreparedProgram } from './program/prepared-program.ts'
import type { QueryMemory } from './query-memory.ts'
import type { Artifact, Run } from './run.ts'
import { runCallOf } from './run-call.ts'
import type { SurfaceOptions, ToolSurface } from './tool-surface.ts'
import { inSpan, inThisSpan } from './trace.ts'

export interface RunRequest {
  /** Given by who wants to cancel the run by it; else one is made. */
  readonly id?: string
  /** What the model sent as `code`. */
  readonly source: unknown
  readonly view: View
  readonly caller: Caller
  readonly memory: QueryMemory
}

/** Nothing was run: every worker is taken and the queue is full. */
export interface RunBusy {
  readonly status: 'busy'
  readonly message: string
}

/** All that a program's course depends on. */
export interface RunRecording {
  readonly source: string
  readonly seed: number
  readonly startMs: number
  readonly limits: ProgramLimits
  readonly events: readonly JournalEvent[]
}

export interface RunProgramDeps extends MakeRunDeps {
  readonly host: ProgramHost
  readonly limits: ProgramLimits
  readonly prepare: (source: unknown) => PreparedProgram
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  readonly valuesOf: (caller: Caller) => ProgramValues
  /** The recording is absent where nothing ran, or where it outgrew its bound. */
  readonly onRunEnded: (run: Run, request: RunRequest, recording: RunRecording | undefined) => Promise<void>
  readonly now: () => number
  readonly newId: () => string
  readonly newSeed: () => number
}

/** Runs a model's program to its end; whatever the end, log, calls and telemetry are in the run. */
export type RunProgram = (request: RunRequest, signal: AbortSignal) => Promise<Run | RunBusy>

export function createRunProgram(deps: RunProgramDeps): RunProgram {
  return async (request, signal) => {
    const id = request.id ?? deps.newId()
    return inSpan('run_program', { 'drawbridge.run.id': id }, async (span) => {
      const program = deps.prepare(request.source)
      const { view, caller, memory } = request
      const surface = deps.createSurface({ view, caller, memory, runId: id })
      const ended =
        program.kind === 'ready' ? await runReady({ id, program, surface, request }, deps, signal) : undefined
      if (ended?.end.kind === 'busy') return { status: 'busy', message: ended.end.message }
      const run = await makeRun(
        {
          id,
          program,
          caller,
          end: ended && settledEnd(ended.end),
          calls: surface.settled().map(runCallOf),
          notices: surface.notices(),
          artifacts: ended?.artifacts ?? [],
          asked: { catalogSize: view.tools.length, sources: { ...view.countBySource }, ...surface.counts() },
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
  readonly program: ReadyProgram
  readonly surface: ToolSurface
  readonly request: RunRequest
}

interface Ended {
  readonly end: ProgramEnd
  readonly artifacts: readonly Artifact[]
  readonly recording: RunRecording | undefined
}

async function runReady(run: ReadyRun, deps: RunProgramDeps, signal: AbortSignal): Promise<Ended> {
  const artifacts: Artifact[] = []
  const journal = createJournal()
  const { limits } = deps
  const start = { seed: deps.newSeed(), startMs: deps.now() }
  const answering = {
    surface: run.surface,
    values: deps.valuesOf(run.surface.caller),
    artifacts: deps.artifacts,
    onArtifact: (artifact: Artifact) => artifacts.push(artifact),
    resultIntoIsolateBytes: limits.resultIntoIsolateBytes,
  }
  const end = await deps.host.run(
    {
      runId: run.id,
      tenant: run.surface.caller.tenant,
      code: run.program.code,
      limits,
      ...start,
      answer: inThisSpan((operation: Operation, _operationId: number, answerSignal: AbortSignal) =>
        answerOperation(operation, answering, answerSignal),
      ),
      record: journal.record,
    },
    signal,
  )
  // Calls that the end aborted still say how they ended; the run's list of calls is then whole.
  await run.surface.drained()
  const { source } = run.request
  const events = journal.events()
  const recording = typeof source === 'string' && events ? { source, ...start, limits, events } : undefined
  return { end, artifacts, recording }
}

function settledEnd(end: ProgramEnd): SettledEnd {
  if (end.kind === 'value' || end.kind === 'error') return end
  throw new TypeError(`a live run cannot end "${end.kind}"`)
}
