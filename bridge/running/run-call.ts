import type { SettledCall } from '../outcome.ts'
import type { RunCall } from '../run.ts'

/** What records, logs and answers say of a call that has ended. */
export function runCallOf(settled: SettledCall): RunCall {
  return {
    id: settled.callId,
    tool: settled.toolId ?? settled.requested,
    outcome: settled.outcome.kind,
    effect: settled.outcome.effect,
    ms: settled.ms,
  }
}
