import type { Caller } from '../../catalog/caller.ts'
import type { JsonValue } from '../../catalog/json.ts'
import type { Pending } from '../approval.ts'
import type { ArtifactStore } from '../artifacts.ts'
import type { JournalEvent, ProgramEnd } from '../isolate/program-host.ts'
import { RUN_TEXT_MAX_BYTES } from '../limits.ts'
import type { Notice } from '../outcome.ts'
import { answerNotices } from '../program/hints/answer-notices.ts'
import { valueNotices } from '../program/hints/value-notices.ts'
import type { PreparedProgram } from '../program/prepared-program.ts'
import { keepValue } from '../result/keep-value.ts'
import type { Artifact, Run, RunCall, RunError, RunTelemetry } from '../run.ts'

export type ReadyProgram = Extract<PreparedProgram, { kind: 'ready' }>

/** A program's end that has a value or an error. */
export type SettledEnd = Extract<ProgramEnd, { kind: 'value' | 'error' }>

export interface RunParts {
  readonly id: string
  readonly program: PreparedProgram
  readonly caller: Caller
  /** Absent where the program could not be prepared, and so was not run. */
  readonly end: SettledEnd | undefined
  readonly calls: readonly RunCall[]
  readonly notices: readonly Notice[]
  readonly artifacts: readonly Artifact[]
  /** What was in view and what was asked; the end gives the rest. */
  readonly asked: Pick<RunTelemetry, 'catalogSize' | 'sources' | 'searches' | 'describes'>
  /** What it asked and was answered; absent where it is not known, or more than is kept. */
  readonly events: readonly JournalEvent[] | undefined
  /** Set where it was parked: `end` is then only what the isolate had used until then. */
  readonly pending?: readonly Pending[]
}

export interface MakeRunDeps {
  readonly diagnose: (error: Extract<ProgramEnd, { kind: 'error' }>, program: ReadyProgram) => RunError
  readonly artifacts: ArtifactStore
  /** Told of a value that could not be kept whole. */
  readonly warn: (message: string, error: unknown) => void
  readonly redact: (text: string) => string
}

/** The run of a program that has ended, or could not begin: log, calls and telemetry are there in either case. */
export async function makeRun(parts: RunParts, deps: MakeRunDeps): Promise<Run> {
  const { program, end } = parts
  const common = {
    id: parts.id,
    notices: [...program.notices, ...parts.notices, ...noticesOfValue(parts), ...endNotices(end, parts.calls)],
    logs: (end?.logs ?? []).map((entry) => ({ ...entry, text: deps.redact(entry.text) })),
    calls: parts.calls,
    artifacts: parts.artifacts,
    telemetry: telemetryOf(parts),
  }
  if (program.kind === 'invalid') return { ...common, status: 'failed', error: redacted(program.error, deps) }
  if (parts.pending !== undefined) return { ...common, status: 'waiting', pending: parts.pending }
  if (end === undefined) throw new TypeError('a program that was ready and not run has no record')
  if (end.kind === 'error') {
    const error = deps.diagnose(end, program)
    return { ...common, status: 'failed', error: redacted(error, deps) }
  }
  const { value, artifact } = await boundedValue(end.value, parts.caller, deps)
  return { ...common, status: 'completed', value, artifacts: [...common.artifacts, ...(artifact ? [artifact] : [])] }
}

/** The message may quote the program's own line. */
function redacted(error: RunError, { redact }: MakeRunDeps): RunError {
  return { ...error, message: redact(error.message) }
}

/** In the place of a value over the bound the model gets its handle and its first part. */
async function boundedValue(
  value: JsonValue,
  caller: Caller,
  deps: MakeRunDeps,
): Promise<{ readonly value: JsonValue; readonly artifact?: Artifact }> {
  const kept = await keepValue(value, { caller, maxBytes: RUN_TEXT_MAX_BYTES }, deps)
  if (kept.kind === 'whole') return { value }
  if (kept.kind === 'cut') return { value: kept.value }
  const { artifact } = kept
  const note = `the value has ${artifact.bytes} bytes, more than ${RUN_TEXT_MAX_BYTES}; return less, or page it in a later program with tools.artifact(id, { offset, bytes })`
  return { value: { artifact: artifact.id, bytes: artifact.bytes, preview: artifact.preview, note }, artifact }
}

function noticesOfValue({ program, end, events, pending }: RunParts): readonly Notice[] {
  if (program.kind === 'invalid' || end === undefined || pending !== undefined) return []
  const { code, notices } = program
  const value = end.kind === 'value' ? { value: end.value } : {}
  const ofAnswers = events === undefined ? [] : answerNotices({ code, events, ...value })
  return end.kind === 'value'
    ? [
        ...valueNotices(end, { code, notices, logs: end.logs, awaitedAfterReturn: end.awaitedAfterReturn }),
        ...ofAnswers,
      ]
    : ofAnswers
}

function endNotices(end: SettledEnd | undefined, calls: readonly RunCall[]): readonly Notice[] {
  if (end === undefined) return []
  const notices: Notice[] = []
  if (end.awaitedAfterReturn > 0) {
    const failed = calls.filter(({ outcome }) => outcome !== 'ok').length
    const ends = failed === 0 ? '' : `; of all calls ${failed} did not end ok`
    notices.push({
      code: 'calls-awaited',
      message: `${end.awaitedAfterReturn} call(s) were still under way when the program returned and were awaited; await each call yourself to use its result${ends}`,
    })
  }
  if (end.logBytesDropped > 0) {
    notices.push({ code: 'log-cut', message: `${end.logBytesDropped} bytes of log were dropped at the bound` })
  }
  return notices
}

function telemetryOf({ asked, calls, end }: RunParts): RunTelemetry {
  return {
    ...asked,
    calls: calls.length,
    cpuMs: end?.cpuMs ?? 0,
    wallMs: end?.wallMs ?? 0,
    heapPeakBytes: end?.heapPeakBytes ?? 0,
    bytesIn: end?.bytesIn ?? 0,
    bytesOut: end?.bytesOut ?? 0,
    worker: end?.worker ?? 'none',
  }
}
