import type { Run } from '../run.ts'
import type { ModelResult } from './presentation.ts'

/** What goes back to the model for a program, now or when it has gone on. */
export function runResult(run: Run, text: string): Extract<ModelResult, { kind: 'result' }> {
  return {
    kind: 'result',
    text,
    isError: run.status === 'failed',
    searches: run.telemetry.searches,
    describes: run.telemetry.describes,
    calls: run.calls,
    run: { id: run.id, telemetry: run.telemetry },
    ...(run.status === 'waiting' && { waiting: run.pending }),
  }
}
