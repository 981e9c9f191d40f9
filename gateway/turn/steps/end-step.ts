import type { Pending } from '../../../bridge/approval.ts'
import type { ChatMessage } from '../../providers/provider.ts'
import { STEP_SEPARATOR } from './step-text.ts'
import { callsForClient, stepMessages } from './step-messages.ts'
import { unmetChoice } from './tool-choice.ts'
import type { Turn, TurnEnd } from '../turn-progress.ts'
import { addClientKeys, keepTurn, saveHistory } from '../turn-progress.ts'
import type { TurnFailure } from '../turn.ts'
import type { StepState } from '../turn-state.ts'
import { pendingOfStep } from '../turn-state.ts'
import { waitingNote } from '../waiting-note.ts'

/** The end of the turn where its calls leave something to wait for, or undefined when the model has to see the results. */
export async function endStep(turn: Turn, step: StepState): Promise<TurnEnd | undefined> {
  const { progress, request, signal } = turn
  const pending = pendingOfStep(step)
  if (pending.length > 0) return parkTurn(turn, await parkedStep(turn, step))
  const calls = callsForClient(request, step.calls)
  progress.produced.push(...stepMessages(step))
  signal.throwIfAborted()
  if (calls.length === 0) return undefined
  const unmet = unmetChoice(
    request,
    calls.map((call) => call.function.name),
  )
  if (unmet !== undefined) return failed({ code: 'tool_choice_unmet', message: unmet })
  // Hidden with the rest, once the session has been told.
  addClientKeys(progress, step.calls)
  return { kind: 'finished', end: 'tool_calls', calls }
}

export function failed(failure: TurnFailure): TurnEnd {
  return { kind: 'failed', failure }
}

/**
 * What a stateless client was not shown, under the keys of the calls that it was given: all of it under the last, since its
 * history holds the others before.
 */
export async function hideAll(turn: Turn): Promise<void> {
  const { clientKeys, hidden, produced } = turn.progress
  for (const key of clientKeys) await hide(turn, key, key === clientKeys.at(-1) ? [...hidden, ...produced] : [])
}

/** A stateless client sends back only what it saw; the rest of the turn waits here for its results. */
async function hide({ deps, request, log }: Turn, key: string, messages: readonly ChatMessage[]): Promise<void> {
  try {
    await deps.hidden.put(request.caller.tenant, key, messages)
  } catch (error) {
    // The client's history alone is enough to go on; what it lacks is said where an operator looks.
    log.note('turn-not-parked', { reason: error instanceof Error ? error.message : String(error) })
  }
}

/**
 * The request is answered, and the turn goes on without it: the client is told what awaits whom, and is given what only
 * it can run. The step itself is in nobody's history before it has ended.
 */
async function parkTurn(turn: Turn, step: StepState): Promise<TurnEnd> {
  const pending = pendingOfStep(step)
  const { deps, progress, request, emit } = turn
  const calls = callsForClient(request, step.calls)
  const approvals = pending.flatMap((each) => ('approval' in each ? [each] : []))
  const note = waitingNote(approvals, { isChatHeard: deps.chatCommand.isHeardFrom(request.caller) })
  if (note !== '') {
    await emit({ kind: 'text', text: progress.hasSpoken ? `${STEP_SEPARATOR}${note}` : note })
    progress.hasSpoken = true
  }
  progress.isParked = true
  addClientKeys(progress, step.calls)
  // Whole steps first: should the gateway end between the two, the session says a thing twice and loses none.
  const said = {
    role: 'assistant',
    content: [step.text, note].filter((text) => text !== '').join(STEP_SEPARATOR),
  } as const
  await saveHistory(turn)
  const unsaid = progress.fresh
  progress.fresh = []
  if (unsaid.length > 0 || note !== '') await deps.appendHistory(note === '' ? unsaid : [...unsaid, said])
  await hideAll(turn)
  await keepTurn(turn, step)
  return { kind: 'finished', end: calls.length > 0 ? 'tool_calls' : 'stop', calls, pending }
}

/** The step as it waits from now on: the long timeout counts. */
async function parkedStep({ deps }: Turn, step: StepState): Promise<StepState> {
  const approvals = pendingOfStep(step).flatMap((each) => ('approval' in each ? [each.approval] : []))
  const expiresMs = approvals.length === 0 ? undefined : await deps.keeper.park(approvals)
  if (expiresMs === undefined) return step
  const later = (each: Pending): Pending => ('approval' in each ? { ...each, expiresMs } : each)
  return {
    ...step,
    calls: step.calls.map(({ call, state }) => {
      const waits = state.kind === 'run' || state.kind === 'call'
      return { call, state: waits ? { ...state, pending: state.pending.map(later) } : state }
    }),
  }
}
