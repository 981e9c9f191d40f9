import type { Caller } from '../../catalog/caller.ts'
import type { ProgramHost } from '../isolate/program-host.ts'
import type { MakeRunDeps } from './make-run.ts'
import { makeRun } from './make-run.ts'
import type { PreparedProgram } from '../program/prepared-program.ts'
import type { LogEntry, Run } from '../run.ts'
import type { RunBusy, RunRecording } from './run-program.ts'

export interface ReplayRequest {
  readonly caller: Caller
  readonly recording: RunRecording
  /** Of the run that is replayed; stands in the notice. */
  readonly originalId: string
  /** Stops after this many answers, timers included. */
  readonly untilAnswer?: number
  /** Another program on the recorded answers; it ends `replay-diverged` where it asks for something else. */
  readonly editedSource?: string
}

/** A replay that was to stop after so many answers, and did. */
export interface StoppedReplay {
  readonly status: 'stopped'
  readonly answers: number
  readonly logs: readonly LogEntry[]
}

export interface ReplayDeps extends MakeRunDeps {
  readonly host: ProgramHost
  readonly prepare: (source: unknown) => PreparedProgram
  readonly newId: () => string
}

/** Runs a past program again in a fresh isolate against its record: no tool is called, nothing is written. */
export type ReplayRun = (request: ReplayRequest, signal: AbortSignal) => Promise<Run | RunBusy | StoppedReplay>

export function createReplayRun(deps: ReplayDeps): ReplayRun {
  return async (request, signal) => {
    const { recording, caller, untilAnswer } = request
    const { limits, seed, startMs, events } = recording
    const id = deps.newId()
    const program = deps.prepare(request.editedSource ?? recording.source)
    const end =
      program.kind === 'ready'
        ? await deps.host.run(
            {
              runId: id,
              tenant: caller.tenant,
              code: program.code,
              limits,
              seed,
              startMs,
              answer: refuse,
              replay: { events, afterLast: 'stop', ...(untilAnswer !== undefined && { untilAnswer }) },
            },
            signal,
          )
        : undefined
    if (end?.kind === 'busy') return { status: 'busy', message: end.message }
    if (end?.kind === 'stopped') {
      const logs = end.logs.map((entry) => ({ ...entry, text: deps.redact(entry.text) }))
      return { status: 'stopped', answers: end.answers, logs }
    }
    const message = `replayed from the record of ${request.originalId}; no tool was called`
    const notices = [{ code: 'replayed', message }]
    const asked = { catalogSize: 0, sources: {}, searches: 0, describes: 0 }
    return makeRun({ id, program, caller, end, calls: [], notices, artifacts: [], events, asked }, deps)
  }
}

/** The host answers from the record alone; if it ever asked, the answer is a refusal and not an effect. */
async function refuse(): Promise<{ readonly kind: 'error'; readonly code: string; readonly message: string }> {
  return { kind: 'error', code: 'replay-diverged', message: 'a replay calls nothing' }
}
