import { ProviderError } from '../providers/provider.ts'
import { assembleHistory } from './history/assemble-history.ts'
import { answerCommand, withoutValues } from './answer-command.ts'
import { failed, hideAll } from './steps/end-step.ts'
import { generateEvents } from './generate-events.ts'
import { StepBlocked } from './steps/model-step.ts'
import type { ResumedTurn } from './steps/resume-step.ts'
import { resumeStep } from './steps/resume-step.ts'
import type { Progress, Turn, TurnEnd } from './turn-progress.ts'
import { forgetTurn, newProgress, progressOf, saveHistory } from './turn-progress.ts'
import { runSteps } from './steps/turn-steps.ts'
import type { TurnDeps, TurnEvent, TurnRequest } from './turn.ts'
import type { TurnLogEnd } from './turn-log.ts'
import { createTurnLog } from './turn-log.ts'

/**
 * The agent loop: model step, calls, results, until the answer or until somebody has to be waited for: the client, that
 * runs its own tools, or a person, that decides on a call. Ends with `finished` or `failed`; once `signal` is aborted, or
 * the consumer stops, it ends without either, unless a call waits: then the turn is parked. A defect is thrown.
 */
export function runTurn(request: TurnRequest, deps: TurnDeps, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  return stretch({ request, deps, progress: newProgress() }, signal, async (turn) => {
    // Before the session's gate: the turn that is inside may wait for just this decision.
    const answered = await answerCommand(turn, request.messages)
    if (answered !== undefined) return answered
    // Earlier lines for the gateway come again with a client's history; what a person filled in there is not for the model.
    const messages = request.messages.map(withoutValues)
    return inSession(turn, () => begin(turn, { ...request, messages }))
  })
}

/** Goes on with a turn that was parked, or that its gateway ended with, as far as what it waits for has come. */
export function resumeTurn(resumed: ResumedTurn, deps: TurnDeps, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  const { state } = resumed
  return stretch({ request: state.request, deps, progress: progressOf(state) }, signal, (turn) =>
    inSession(turn, async () => {
      turn.log.note('turn-resumed', { steps: state.steps })
      return (await resumeStep(turn, resumed)) ?? runSteps(turn)
    }),
  )
}

function stretch(
  parts: Pick<Turn, 'request' | 'deps' | 'progress'>,
  signal: AbortSignal,
  run: (turn: Turn) => Promise<TurnEnd | undefined>,
): AsyncGenerator<TurnEvent> {
  return generateEvents<TurnEvent>((emit, turnSignal) => {
    const { request, deps, progress } = parts
    const { agent, session } = request.caller
    const attributes = { turn: request.id, agent, model: deps.model, ...(session !== undefined && { session }) }
    const turn: Turn = { ...parts, log: createTurnLog(request, deps), emit, signal: turnSignal }
    return deps.trace('turn', attributes, async (span) => {
      const last = await run(turn)
      if (last?.kind === 'failed') span.setAttributes({ error: last.failure.code })
      const { usage } = progress
      if (last) await emit({ ...toldWhole(last, progress), ...(usage && { usage }) })
    })
  }, signal)
}

/** A client that asks again makes the calls of this turn a second time: so an error says that there were some. */
function toldWhole(last: TurnEnd, { hidden, produced }: Progress): TurnEnd {
  if (last.kind !== 'failed' || ![...hidden, ...produced].some(({ role }) => role === 'tool')) return last
  const message = `${last.failure.message}; tools were called in this turn before that, so look at what they did before you ask again`
  return { ...last, failure: { ...last.failure, message } }
}

/** How the turn ended, with its session and its log already told; undefined when the caller left. */
async function inSession(turn: Turn, run: () => Promise<TurnEnd>): Promise<TurnEnd | undefined> {
  const { deps, log, progress, signal } = turn
  let end: TurnLogEnd = 'defect'
  let leaveSession: (() => void) | undefined
  try {
    leaveSession = await deps.enterSession(signal)
    const last = await run().catch(failureOf)
    end = logEndOf(last)
    if (end !== 'waiting') await finish(turn)
    return last
  } catch (error) {
    // What was done was done, whoever left: the session has to know of it.
    if (!progress.isKept) await finish(turn)
    if (!signal.aborted) throw error
    end = 'cancelled'
    return undefined
  } finally {
    leaveSession?.()
    log.finished(end, progress.steps)
    await deps.hooks.turnEnd({ turnId: turn.request.id, caller: turn.request.caller, end, steps: progress.steps })
  }
}

/** The session is told, and what was kept to go on is not needed any more. */
async function finish(turn: Turn): Promise<void> {
  const { progress } = turn
  await saveHistory(turn)
  const last = progress.hidden.at(-1)
  // The client has the answer itself, and sends it back as a part of its history.
  if (last?.role === 'assistant' && last.tool_calls === undefined) progress.hidden = progress.hidden.slice(0, -1)
  await hideAll(turn)
  await forgetTurn(turn)
}

function logEndOf(last: TurnEnd): TurnLogEnd {
  if (last.kind === 'failed') return last.failure.code
  return last.pending === undefined ? last.end : 'waiting'
}

/** An upstream's failure and a hook's refusal are expected ends of a turn; whatever else is thrown is not. */
function failureOf(error: unknown): TurnEnd {
  if (error instanceof StepBlocked) return failed({ code: 'turn_blocked', message: error.message })
  if (!(error instanceof ProviderError)) throw error
  const { code, message, retryAfterSeconds } = error
  return failed({ code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) })
}

async function begin(turn: Turn, request: TurnRequest): Promise<TurnEnd> {
  const { deps, log, progress, signal } = turn
  const { tenant } = request.caller
  const shown = { turnId: request.id, caller: request.caller, messages: request.messages.map((each) => ({ ...each })) }
  const started = await deps.hooks.turnStart(shown, signal)
  signal.throwIfAborted()
  if (started.kind === 'block') return failed({ code: 'turn_blocked', message: started.reason })
  progress.toolsAllow = started.toolsAllow
  const stored = await deps.loadHistory()
  const presented = await deps.present(progress.toolsAllow)
  log.started(presented)
  const { presentation } = presented
  const { messages } = request
  const history = await assembleHistory({ tenant, messages, stored, hidden: deps.hidden, presentation })
  if (history.kind === 'invalid') {
    return failed({ code: 'invalid_history', message: history.message, param: history.param })
  }
  progress.head = history.head
  progress.conversation = history.conversation
  progress.fresh = history.fresh
  return runSteps(turn, presentation)
}
