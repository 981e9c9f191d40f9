import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import type { ToolCallPart } from '../../providers/provider.ts'
import { SAME_FAILURES_MAX, STEP_CALLS_IN_FLIGHT } from '../limits.ts'
import { mapBounded } from './map-bounded.ts'
import type { TurnDeps, TurnEvent } from '../turn.ts'

export interface SettledStepCall {
  readonly call: ToolCallPart
  readonly result: ModelResult
  readonly ms: number
}

export interface CallsInput {
  readonly step: number
  readonly calls: readonly ToolCallPart[]
  /** Handles one call, or goes on with it where it had waited. */
  readonly ask: (call: ToolCallPart, index: number, signal: AbortSignal) => Promise<ModelResult>
  /** Told of each result at once, whatever the others do. */
  readonly onSettled: (index: number, result: ModelResult) => Promise<void>
  /** How often each call, letter for letter, has failed in this turn; counted on here. */
  readonly failures: Map<string, number>
  /** The client forbade calls with `tool_choice: "none"`. */
  readonly areForbidden: boolean
  readonly emit: (event: TurnEvent) => Promise<void>
}

/** Settles the calls of one model step side by side; the results stand in the order of the calls. */
export async function settleCalls(
  input: CallsInput,
  deps: Pick<TurnDeps, 'trace' | 'nowMs'>,
  signal: AbortSignal,
): Promise<readonly SettledStepCall[]> {
  const { step, failures, emit } = input
  const settled = await mapBounded(input.calls, STEP_CALLS_IN_FLIGHT, async (call, index) => {
    const { id: callId } = call
    const name = call.function.name.trim()
    await emit({ kind: 'call-started', step, callId, name })
    const startMs = deps.nowMs()
    const { result, isError } = await deps.trace('model-call', { step, callId, name }, async (span) => {
      const settledCall = await settleCall(call, index, { input, signal })
      const hasFailed = settledCall.kind === 'result' && settledCall.isError
      if (hasFailed) span.setAttributes({ error: 'tool_error' })
      return { result: settledCall, isError: hasFailed }
    })
    const ms = Math.max(0, deps.nowMs() - startMs)
    await input.onSettled(index, result)
    const isWaiting = result.kind === 'result' && result.waiting !== undefined
    // It has not ended: it tells of its end when the turn goes on.
    if (!isWaiting) await emit({ kind: 'call-settled', step, callId, name, isError, ms })
    return { call, result, ms }
  })
  for (const { call, result } of settled) {
    if (result.kind === 'result' && result.isError) failures.set(keyOf(call), (failures.get(keyOf(call)) ?? 0) + 1)
  }
  return settled
}

interface Settling {
  readonly input: CallsInput
  readonly signal: AbortSignal
}

async function settleCall(call: ToolCallPart, index: number, { input, signal }: Settling): Promise<ModelResult> {
  if (input.areForbidden)
    return refusedCall('the client forbade tool calls for this turn (tool_choice "none"); answer without them')
  const failed = input.failures.get(keyOf(call)) ?? 0
  if (failed >= SAME_FAILURES_MAX) {
    return refusedCall(
      `this exact call has failed ${failed} times in this turn and was not run again; change its arguments, use another tool, or answer without it`,
    )
  }
  return input.ask(call, index, signal)
}

function keyOf(call: ToolCallPart): string {
  return `${call.function.name.trim()}\n${call.function.arguments}`
}

/** A call that nothing was done for. */
export function refusedCall(text: string): ModelResult {
  return { kind: 'result', text, isError: true, searches: 0, describes: 0, calls: [] }
}
