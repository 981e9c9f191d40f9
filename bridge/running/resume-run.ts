import type { View } from '../../catalog/view.ts'
import type { MakeRunDeps } from './make-run.ts'
import { makeRun } from './make-run.ts'
import type { RunRecording } from '../parking/run-recording.ts'
import type { WaitingRun } from '../parking/waiting-run.ts'
import type { PreparedProgram } from '../program/prepared-program.ts'
import type { QueryMemory } from '../surface/query-memory.ts'
import type { Run } from '../run.ts'
import { runCallOf } from './run-call.ts'
import type { RunBusy } from './run-program.ts'
import type { StretchDeps } from './execute-program.ts'
import { sumOfAsked } from './earlier-part.ts'
import { executeProgram } from './execute-program.ts'
import { settledEnd } from './settled-end.ts'
import { inSpan } from '../trace.ts'

export interface ResumeRequest {
  readonly from: WaitingRun
  /** What the caller may see now. */
  readonly view: View
  readonly memory: QueryMemory
}

export interface ResumeRunDeps extends MakeRunDeps, StretchDeps {
  readonly prepare: (source: unknown) => PreparedProgram
  readonly onRunEnded: (run: Run, request: ResumeRequest, recording: RunRecording | undefined) => Promise<void>
  readonly newClientKey: () => string
}

/**
 * Goes on with a run that was parked, or that its gateway ended with: its record is replayed in a fresh isolate, what
 * waited is asked for again under the same ids, and what was under way is reported as unknown and not repeated.
 */
export type ResumeRun = (request: ResumeRequest, signal: AbortSignal) => Promise<Run | RunBusy>

export function createResumeRun(deps: ResumeRunDeps): ResumeRun {
  return async (request, signal) => {
    const { from, view, memory } = request
    const { id, caller, turnId, parentCallId, recording, reachesClient } = from
    return inSpan('resume_program', { 'drawbridge.run.id': id }, async (span) => {
      const program = deps.prepare(recording.source)
      if (program.kind !== 'ready') throw new TypeError(`the program of run ${id} was ready, and is not now`)
      const { seed, startMs, limits } = recording
      const ended = await executeProgram(
        {
          id,
          source: recording.source,
          code: program.code,
          caller,
          view,
          memory,
          start: { seed, startMs, limits },
          reachesClient,
          clientKey: deps.newClientKey(),
          // Nobody holds a run that goes on by itself.
          holdMs: 0,
          from,
          ...(turnId !== undefined && { turnId }),
          ...(parentCallId !== undefined && { parentCallId }),
        },
        deps,
        signal,
      )
      if (ended.end.kind === 'busy') return { status: 'busy', message: ended.end.message }
      const run = await makeRun(
        {
          id,
          program,
          caller,
          end: settledEnd(ended.end),
          calls: [...from.earlier.calls, ...ended.surface.settled().map(runCallOf)],
          notices: [...from.earlier.notices, ...ended.surface.notices()],
          artifacts: ended.artifacts,
          events: ended.recording?.events,
          asked: {
            catalogSize: view.tools.length,
            sources: { ...view.countBySource },
            ...sumOfAsked(ended.surface, from),
          },
          ...(ended.pending && { pending: ended.pending }),
        },
        deps,
      )
      span.setAttribute('drawbridge.run.status', run.status)
      await deps.onRunEnded(run, request, ended.recording)
      return run
    })
  }
}
