import type { Caller } from '../catalog/caller.ts'
import type { JsonObject, JsonValue } from '../catalog/json.ts'
import { startPatience } from '../catalog/patience.ts'
import type { AskPerson } from '../catalog/question.ts'
import type { ExecuteContext, Tool, ToolResult } from '../catalog/tool.ts'
import { ToolTimedOut, ToolUnavailable } from '../catalog/tool.ts'
import type { AnswerQuestion } from './asking/answer-question.ts'
import type { AskClient } from './asking/ask-client.ts'
import { CALL_DEADLINE_MS, ERROR_TEXT_MAX_BYTES } from './limits.ts'
import type { BeforeToolCallEvent } from './hooks.ts'
import type { HookRunner } from './hooks/hook-runner.ts'
import type { Effect, Outcome } from './outcome.ts'
import { cancelledUnbegun } from './refusals.ts'
import type { KeepBlocks } from './result/keep-blocks.ts'
import { unseenEffect } from './unseen-effect.ts'

export interface Execution {
  readonly callId: string
  /** What the handlers of its result are told of it. */
  readonly event: BeforeToolCallEvent
  readonly caller: Caller
  readonly tool: Tool
  readonly input: JsonObject
  readonly onProgress?: ExecuteContext['onProgress']
  /** Where its questions go first. */
  readonly askClient?: AskClient
  /** Stops the clock of who made the call while a person is asked, until the given function is called. */
  readonly pause?: () => () => void
}

/** Runs an admitted call to its end; never rejects. */
export type ExecuteTool = (execution: Execution, signal: AbortSignal) => Promise<Outcome>

export interface ExecuteDeps {
  /** Handlers of `tool_result`. */
  readonly hooks: Pick<HookRunner, 'result'>
  /** Keeps what of a result is no text. */
  readonly keepBlocks: KeepBlocks
  /** What a program or model gets of a result. */
  readonly toolValue: (result: ToolResult) => JsonValue
  /** The fault of a structured result against the tool's output schema, or undefined. */
  readonly outputFault: (tool: Tool, value: JsonValue) => string | undefined
  readonly redact: (text: string) => string
  /** Cuts on a character boundary. */
  readonly cut: (text: string, maxBytes: number) => string
  /** Where questions of a running tool go. */
  readonly answerQuestion: AnswerQuestion
  readonly logFailure: (execution: Execution, error: unknown) => void
  readonly deadlineMs?: number
}

type Attempt =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'stopped' }

export function createExecuteTool(deps: ExecuteDeps): ExecuteTool {
  const commonMs = deps.deadlineMs ?? CALL_DEADLINE_MS
  return async (execution, signal) => {
    const after = unseenEffect(execution.tool)
    if (signal.aborted) return cancelledUnbegun(execution.tool)
    const { deadlineMs = commonMs } = execution.tool
    const attempt = await attemptCall(execution, { deadlineMs, answerQuestion: deps.answerQuestion }, signal)
    if (attempt.kind === 'stopped') return stoppedOutcome({ after, deadlineMs }, signal)
    if (attempt.kind === 'threw') return threwOutcome(execution, attempt.error, { deps, after })
    try {
      return await outcomeOf(execution, attempt.result, { deps, after })
    } catch (error) {
      // A defect; but the tool has done its work, and an effect must not be left without its receipt.
      deps.logFailure(execution, error)
      return { kind: 'failed', message: 'what the tool gave could not be read', effect: doneUnless(after) }
    }
  }
}

interface Ending {
  readonly deps: ExecuteDeps
  /** What is known of the effect where the tool's end was not seen. */
  readonly after: Effect
}

/** The effect of a tool that has done its work. */
function doneUnless(after: Effect): Effect {
  return after === 'none' ? 'none' : 'done'
}

function threwOutcome(execution: Execution, error: unknown, { deps, after }: Ending): Outcome {
  deps.logFailure(execution, error)
  const message = deps.cut(deps.redact(errorText(error)), ERROR_TEXT_MAX_BYTES)
  if (error instanceof ToolUnavailable) return { kind: 'unavailable', message, effect: 'none' }
  return { kind: error instanceof ToolTimedOut ? 'timed-out' : 'failed', message, effect: after }
}

async function outcomeOf(execution: Execution, given: ToolResult, { deps, after }: Ending): Promise<Outcome> {
  const { tool, event, caller } = execution
  const passed = await deps.hooks.result(tool, { ...event, result: given })
  // The tool has done its work; only what it gave is kept back.
  if (passed.kind === 'withheld')
    return { kind: 'failed', message: deps.redact(passed.reason), effect: doneUnless(after) }
  const result = await deps.keepBlocks(passed.result, caller)
  return resultOutcome(tool, result, { deps, after })
}

async function attemptCall(
  execution: Execution,
  { deadlineMs, answerQuestion }: { readonly deadlineMs: number; readonly answerQuestion: AnswerQuestion },
  signal: AbortSignal,
): Promise<Attempt> {
  const { tool, input, callId, caller, onProgress } = execution
  const { execute } = tool
  if (execute === undefined) return { kind: 'threw', error: new ToolUnavailable(`"${tool.id}" cannot be run here`) }
  const patience = startPatience(
    { ms: deadlineMs, reason: () => new Error('the deadline of the call is over') },
    signal,
  )
  const bound = patience.signal
  const { promise: stopped, resolve } = Promise.withResolvers<Attempt>()
  const onAbort = (): void => resolve({ kind: 'stopped' })
  bound.addEventListener('abort', onAbort, { once: true })
  try {
    const ask = askerFor(execution, { answerQuestion, pauseDeadline: patience.pause })
    // A tool that ignores its signal must not hold the caller.
    const running = execute(input, {
      callId,
      caller,
      signal: bound,
      ask,
      ...(onProgress && { onProgress }),
    }).then<Attempt, Attempt>(
      (result) => ({ kind: 'result', result }),
      (error: unknown) => (bound.aborted ? { kind: 'stopped' } : { kind: 'threw', error }),
    )
    return await Promise.race([running, stopped])
  } catch (error) {
    return { kind: 'threw', error }
  } finally {
    bound.removeEventListener('abort', onAbort)
    patience.end()
  }
}

interface Asker {
  readonly answerQuestion: AnswerQuestion
  readonly pauseDeadline: () => () => void
}

/** While somebody is asked neither the call's deadline comes nearer nor that of who made it. */
function askerFor({ callId, caller, tool, askClient, pause }: Execution, asker: Asker): AskPerson {
  let asked = 0
  return async (question, signal) => {
    asked += 1
    const call = { callId, caller, tool, number: asked, ...(askClient && { askClient }) }
    const resumed = [asker.pauseDeadline(), ...(pause ? [pause()] : [])]
    try {
      return await asker.answerQuestion(call, question, signal)
    } finally {
      for (const resume of resumed) resume()
    }
  }
}

function stoppedOutcome(call: { readonly after: Effect; readonly deadlineMs: number }, signal: AbortSignal): Outcome {
  const effect = call.after
  const known = effect === 'none' ? 'it changes nothing' : 'whether it took effect is not known'
  if (signal.aborted) return { kind: 'cancelled', message: `the call was cancelled under way; ${known}`, effect }
  return { kind: 'timed-out', message: `the tool did not answer within ${call.deadlineMs} ms; ${known}`, effect }
}

function resultOutcome(tool: Tool, result: ToolResult, { deps, after }: Ending): Outcome {
  const value = deps.toolValue(result)
  if (result.isError === true) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const message = deps.cut(deps.redact(text), ERROR_TEXT_MAX_BYTES)
    return { kind: 'failed', message: message === '' ? 'the tool reported an error' : message, result, effect: after }
  }
  const fault = result.structured === undefined ? undefined : deps.outputFault(tool, result.structured)
  if (fault !== undefined) {
    const message = `"${tool.id}" answered with something else than its output schema promises: ${fault}`
    return { kind: 'invalid-output', message, effect: doneUnless(after) }
  }
  return { kind: 'ok', value, result, effect: 'done' }
}

function errorText(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message
  if (typeof error === 'string' && error !== '') return error
  return 'the tool failed without a message'
}
