import type { Presentation } from '../../bridge/presentation/presentation.ts'
import type { AssistantMessage, ChatMessage, StepEnd, ToolCallPart, Usage } from '../providers/provider.ts'
import { ProviderError } from '../providers/provider.ts'
import { assembleHistory } from './assemble-history.ts'
import { generateEvents } from './generate-events.ts'
import { TURN_STEPS_MAX } from './limits.ts'
import type { ModelStep } from './model-step.ts'
import { runModelStep } from './model-step.ts'
import { createCallIds } from './parked-turn.ts'
import type { SettledStepCall } from './settle-calls.ts'
import { settleCalls } from './settle-calls.ts'
import { addUsage } from './add-usage.ts'
import { systemMessages } from './system-message.ts'
import { stepChoice, unmetChoice } from './tool-choice.ts'
import type { TurnDeps, TurnEvent, TurnFailure, TurnRequest } from './turn.ts'
import type { TurnLog } from './turn-log.ts'
import { createTurnLog } from './turn-log.ts'

/**
 * The agent loop: model step, calls, results, until the answer or until the client has to run a tool of its own.
 * Ends with `finished` or `failed`; once `signal` is aborted, or the consumer stops, it ends without either. A defect
 * is thrown.
 */
export function runTurn(request: TurnRequest, deps: TurnDeps, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  return generateEvents<TurnEvent>((emit, turnSignal) => {
    const { agent, session } = request.caller
    const attributes = { turn: request.id, agent, model: deps.model, ...(session !== undefined && { session }) }
    const log = createTurnLog(request, deps)
    const progress: Progress = { fresh: [], produced: [], steps: 0, usage: undefined }
    return deps.trace('turn', attributes, () => runToEnd({ request, deps, log, progress, emit, signal: turnSignal }))
  }, signal)
}

interface Turn {
  readonly request: TurnRequest
  readonly deps: TurnDeps
  readonly log: TurnLog
  readonly progress: Progress
  readonly emit: (event: TurnEvent) => Promise<void>
  readonly signal: AbortSignal
}

/** What a turn has come to; the one thing in it that changes. */
interface Progress {
  /** Of the request, not yet in the session. */
  fresh: readonly ChatMessage[]
  /** Whole steps of this turn: an assistant message is never here without the results of its calls. */
  readonly produced: ChatMessage[]
  steps: number
  usage: Usage | undefined
}

type TurnEnd = Extract<TurnEvent, { readonly kind: 'finished' | 'failed' }>

async function runToEnd(turn: Turn): Promise<void> {
  const last = await endOf(turn)
  const { usage } = turn.progress
  if (last) await turn.emit({ ...last, ...(usage && { usage }) })
}

/** How the turn ended, with its session and its log already told; undefined when the caller left. */
async function endOf(turn: Turn): Promise<TurnEnd | undefined> {
  const { deps, log, progress, signal } = turn
  let end: StepEnd | TurnFailure['code'] | 'cancelled' | 'defect' = 'defect'
  let leaveSession: (() => void) | undefined
  try {
    leaveSession = await deps.enterSession?.(signal)
    const last = await runSteps(turn).catch(failureOf)
    await keep(turn)
    end = last.kind === 'failed' ? last.failure.code : last.end
    return last
  } catch (error) {
    // What was done was done, whoever left: the session has to know of it.
    await keep(turn)
    if (!signal.aborted) throw error
    end = 'cancelled'
    return undefined
  } finally {
    leaveSession?.()
    log.finished(end, progress.steps)
  }
}

/** An upstream's failure is an expected end of a turn; whatever else is thrown is not. */
function failureOf(error: unknown): TurnEnd {
  if (!(error instanceof ProviderError)) throw error
  const { code, message, retryAfterSeconds } = error
  return failed({ code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
}

/** Nothing is kept of a turn whose first step failed, so that asking again does not ask twice. */
async function keep({ deps, progress }: Turn): Promise<void> {
  if (progress.produced.length === 0) return
  const messages = [...progress.fresh, ...progress.produced]
  progress.fresh = []
  progress.produced.length = 0
  await deps.appendHistory(messages)
}

async function runSteps(turn: Turn): Promise<TurnEnd> {
  const { request, deps, log, progress, signal } = turn
  const failures = new Map<string, number>()
  const stored = await deps.loadHistory()
  let presentation = await deps.present()
  log.started(presentation)
  const { tenant } = request.caller
  const history = await assembleHistory({
    tenant,
    messages: request.messages,
    stored,
    parked: deps.parked,
    presentation,
  })
  if (history.kind === 'invalid') {
    return failed({ code: 'invalid_history', message: history.message, param: history.param })
  }
  progress.fresh = history.fresh
  for (let step = 1; step <= TURN_STEPS_MAX; step += 1) {
    if (step > 1) presentation = await deps.present()
    const choice = stepChoice(request, presentation, step)
    const hasTools = presentation.definitions().length > 0
    const system = systemMessages({
      instructions: deps.instructions,
      mode: presentation.mode,
      hasTools,
      head: history.head,
      note: choice.note,
    })
    const messages = [...system, ...history.conversation, ...progress.produced]
    const isContinued = progress.produced.some((message) => message.role === 'assistant' && message.content !== null)
    const { parameters } = request
    const input = { step, presentation, messages, choice, parameters, isContinued, emit: turn.emit }
    const answer = await runModelStep(input, deps, signal)
    progress.steps = step
    progress.usage = addUsage(progress.usage, answer.usage)
    log.stepFinished(step, answer)
    const end = await takeAnswer({ ...turn, step, answer, presentation, failures })
    if (end) return end
  }
  return failed({
    code: 'step_limit',
    message: `the turn took ${TURN_STEPS_MAX} model steps without an answer; ask for less at once, or look at the session log for calls that go in circles`,
  })
}

interface AnsweredStep extends Turn {
  readonly step: number
  readonly answer: ModelStep
  readonly presentation: Presentation
  readonly failures: Map<string, number>
}

/** The end of the turn, or undefined when the model has to see the results. */
async function takeAnswer(at: AnsweredStep): Promise<TurnEnd | undefined> {
  const { answer, step, request, log, progress, presentation, failures, emit } = at
  if (answer.calls.length === 0) {
    progress.produced.push({ role: 'assistant', content: answer.text })
    const unmet = unmetChoice(request, [])
    if (unmet !== undefined) return failed({ code: 'tool_choice_unmet', message: unmet })
    return { kind: 'finished', end: answer.reason, calls: [] }
  }
  const areForbidden = request.toolChoice === 'none'
  const input = { step, calls: answer.calls, presentation, failures, areForbidden, emit }
  const settled = await settleCalls(input, at.deps, at.signal)
  for (const { call, result, ms } of settled) {
    log.callSettled({ step, callId: call.id, name: call.function.name.trim(), ms, result })
  }
  const ids = createCallIds()
  const waiting = settled.map((each) => ({
    ...each,
    clientId: each.result.kind === 'client-call' ? ids.next() : undefined,
  }))
  progress.produced.push(...messagesOf(answer, waiting))
  at.signal.throwIfAborted()
  const calls = waiting.flatMap(clientCall)
  if (calls.length === 0) return undefined
  const unmet = unmetChoice(
    request,
    calls.map((call) => call.function.name),
  )
  if (unmet !== undefined) return failed({ code: 'tool_choice_unmet', message: unmet })
  await park(at, ids.key)
  return { kind: 'finished', end: 'tool_calls', calls }
}

type WaitingCall = SettledStepCall & { readonly clientId: string | undefined }

/** The model's own message and our results; a call of the client bears the id that its result will come back with. */
function messagesOf({ text, reasoning }: ModelStep, settled: readonly WaitingCall[]): readonly ChatMessage[] {
  const message: AssistantMessage = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...reasoning,
    tool_calls: settled.map(({ call, clientId }) => ({ ...call, id: clientId ?? call.id })),
  }
  const results = settled.flatMap(({ call, result }): readonly ChatMessage[] =>
    result.kind === 'result' ? [{ role: 'tool', tool_call_id: call.id, content: result.text }] : [],
  )
  return [message, ...results]
}

/** Under the client's own name for its tool; what the provider wants echoed goes along, should we forget the turn. */
function clientCall({ call, result, clientId }: WaitingCall): readonly ToolCallPart[] {
  if (result.kind !== 'client-call' || clientId === undefined) return []
  const body = { name: result.name, arguments: JSON.stringify(result.arguments) }
  return [{ ...call, id: clientId, function: body }]
}

/** A stateless client sends back only what it saw; the rest of the turn waits here for its results. */
async function park({ deps, request, log, progress }: Turn, key: string): Promise<void> {
  try {
    await deps.parked.put(request.caller.tenant, key, [...progress.produced])
  } catch (error) {
    // The client's history alone is enough to go on; what it lacks is said where an operator looks.
    log.note('turn-not-parked', { reason: error instanceof Error ? error.message : String(error) })
  }
}

function failed(failure: TurnFailure): TurnEnd {
  return { kind: 'failed', failure }
}
