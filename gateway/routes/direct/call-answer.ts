import type { SettledCall } from '../../../bridge/outcome.ts'
import type { JsonObject } from '../../../catalog/json.ts'

/** The same body whatever the outcome; a result's blocks stay with the value. */
export function callAnswer(settled: SettledCall): JsonObject {
  const { outcome, receiptId, toolId, notices, ms, callId } = settled
  const common = {
    outcome: outcome.kind,
    callId,
    tool: toolId ?? settled.requested,
    effect: outcome.effect,
    receipt: receiptId,
    ms,
    notices: notices.map((notice) => ({ ...notice })),
  }
  if (outcome.kind === 'ok') return { ...common, value: outcome.value }
  if (outcome.kind === 'waiting') return { ...common, message: outcome.message, pending: [{ ...outcome.pending }] }
  const { kind: _kind, effect: _effect, ...details } = outcome
  // A tool's result is plain JSON; the copy says so to the compiler too.
  const plain: JsonObject = JSON.parse(JSON.stringify(details))
  return { ...common, ...plain }
}
