import type { Caller } from '../catalog/caller.ts'
import type { View } from '../catalog/view.ts'
import type { JsonValue } from '../catalog/json.ts'
import type { ProgramValues } from './answer-operation.ts'
import { answerOperation } from './answer-operation.ts'
import type { ArtifactStore } from './artifacts.ts'
import type { ProgramEnd, ProgramHost, ProgramLimits } from './isolate/program-host.ts'
import { RUN_TEXT_MAX_BYTES } from './limits.ts'
import type { Notice } from './outcome.ts'
import type { PreparedProgram } from './program/prepared-program.ts'
import type { QueryMemory } from './query-memory.ts'
import type { Artifact, Run, RunError, RunTelemetry } from './run.ts'
import { runCallOf } from './run-call.ts'
import type { SurfaceOptions, ToolSurface } from './tool-surface.ts'
import { inSpan } from './trace.ts'

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

export interface RunProgramDeps {
  readonly host: ProgramHost
  readonly limits: ProgramLimits
  readonly prepare: (source: unknown) => PreparedProgram
  readonly diagnose: (error: Extract<ProgramEnd, { kind: 'error' }>, program: ReadyProgram) => RunError
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  readonly valuesOf: (caller: Caller) => ProgramValues
  readonly artifacts: ArtifactStore
  readonly redact: (text: string) => string
  readonly onRunEnded: (run: Run, request: RunRequest, start: RunStart) => Promise<void>
  readonly now: () => number
  readonly newId: () => string
  readonly newSeed: () => number
}

export type ReadyProgram = Extract<PreparedProgram, { kind: 'ready' }>

/** What a run began with, beside its answers; a replay starts from the same. */
export interface RunStart {
  readonly seed: number
  readonly startMs: number
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
      const start: RunStart = { seed: deps.newSeed(), startMs: deps.now() }
      const ended = program.kind === 'ready' ? await runReady({ id, program, surface, start }, deps, signal) : undefined
      if (ended?.end.kind === 'busy') return { status: 'busy', message: ended.end.message }
      const run = await makeRun({ id, program, surface, ended }, deps)
      span.setAttribute('drawbridge.run.status', run.status)
      await deps.onRunEnded(run, request, start)
      return run
    })
  }
}

interface ReadyRun {
  readonly id: string
  readonly program: ReadyProgram
  readonly surface: ToolSurface
  readonly start: RunStart
}

interface Ended {
  readonly end: ProgramEnd
  readonly artifacts: readonly Artifact[]
}

async function runReady(run: ReadyRun, deps: RunProgramDeps, signal: AbortSignal): Promise<Ended> {
  const artifacts: Artifact[] = []
  const answering = {
    surface: run.surface,
    values: deps.valuesOf(run.surface.caller),
    artifacts: deps.artifacts,
    onArtifact: (artifact: Artifact) => artifacts.push(artifact),
    resultIntoIsolateBytes: deps.limits.resultIntoIsolateBytes,
  }
  const end = await deps.host.run(
    {
      runId: run.id,
      tenant: run.surface.caller.tenant,
      code: run.program.code,
      limits: deps.limits,
      ...run.start,
      answer: (operation, _operationId, answerSignal) => answerOperation(operation, answering, answerSignal),
    },
    signal,
  )
  // Calls that the end aborted still say how they ended; the run's list of calls is then whole.
  await run.surface.drained()
  return { end, artifacts }
}

interface Endings {
  readonly id: string
  readonly program: PreparedProgram
  readonly surface: ToolSurface
  readonly ended: Ended | undefined
}

async function makeRun({ id, program, surface, ended }: Endings, deps: RunProgramDeps): Promise<Run> {
  const end = ended?.end
  const common = {
    id,
    notices: [...program.notices, ...surface.notices(), ...endNotices(end)],
    logs: (end?.logs ?? []).map((entry) => ({ ...entry, text: deps.redact(entry.text) })),
    calls: surface.settled().map(runCallOf),
    artifacts: [...(ended?.artifacts ?? [])],
    telemetry: telemetryOf(surface, end),
  }
  if (program.kind === 'invalid') return { ...common, status: 'failed', error: program.error }
  if (end === undefined || end.kind === 'busy' || end.kind === 'stopped') {
    throw new TypeError('a run that was not run to its end has no record')
  }
  if (end.kind === 'error') {
    const error = deps.diagnose(end, program)
    return { ...common, status: 'failed', error: { ...error, message: deps.redact(error.message) } }
  }
  const { value, artifact } = await boundedValue(end.value, surface.caller, deps)
  return { ...common, status: 'completed', value, artifacts: [...common.artifacts, ...(artifact ? [artifact] : [])] }
}

/** A value over the bound becomes an artifact; the model gets its handle and the first part. */
async function boundedValue(
  value: JsonValue,
  caller: Caller,
  deps: RunProgramDeps,
): Promise<{ readonly value: JsonValue; readonly artifact?: Artifact }> {
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(value)
  if (Buffer.byteLength(text) <= RUN_TEXT_MAX_BYTES) return { value }
  const artifact = await deps.artifacts.put(caller, { text, mimeType: isText ? 'text/plain' : 'application/json' })
  const note = `the value has ${artifact.bytes} bytes, more than ${RUN_TEXT_MAX_BYTES}; return less, or read the artifact`
  return { value: { artifact: artifact.id, bytes: artifact.bytes, preview: artifact.preview, note }, artifact }
}

function endNotices(end: ProgramEnd | undefined): readonly Notice[] {
  if (end === undefined) return []
  const notices: Notice[] = []
  if (end.awaitedAfterReturn > 0) {
    notices.push({
      code: 'calls-awaited',
      message: `${end.awaitedAfterReturn} call(s) were still under way when the program returned and were awaited; await each call yourself to use its result`,
    })
  }
  if (end.logBytesDropped > 0) {
    notices.push({ code: 'log-cut', message: `${end.logBytesDropped} bytes of log were dropped at the bound` })
  }
  return notices
}

function telemetryOf(surface: ToolSurface, end: ProgramEnd | undefined): RunTelemetry {
  const { searches, describes } = surface.counts()
  return {
    catalogSize: surface.view.tools.length,
    sources: { ...surface.view.countBySource },
    searches,
    describes,
    calls: surface.settled().length,
    cpuMs: end?.cpuMs ?? 0,
    wallMs: end?.wallMs ?? 0,
    heapPeakBytes: end?.heapPeakBytes ?? 0,
    bytesIn: end?.bytesIn ?? 0,
    bytesOut: end?.bytesOut ?? 0,
    worker: end?.worker ?? 'none',
  }
}
