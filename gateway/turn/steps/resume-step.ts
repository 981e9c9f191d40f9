import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import type { ChatMessage } from '../../providers/provider.ts'
import { callsForClient, UNKNOWN_RESULT } from './step-messages.ts'
import type { Turn, TurnEnd } from '../turn-progress.ts'
import { settleStep } from './turn-steps.ts'
import type { StepCall, StepState, TurnState } from '../turn-state.ts'

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>

/** A turn to go on with, and what its client brings: nothing where it goes on by itself. */
export interface ResumedTurn {
  readonly state: TurnState
  /** The client's results of its own tools. */
  readonly results: readonly ToolMessage[]
  /** What it says besides; the model sees it after the results. */
  readonly added: readonly ChatMessage[]
}

/** A call that the client was given and brings no result of, though it brings others; providers want them all. */
export function missingResult({ state, results }: Pick<ResumedTurn, 'state' | 'results'>): string | undefined {
  const given = new Set(results.map((message) => message.tool_call_id))
  return callsForClient(state.request, state.step?.calls ?? []).find(({ id }) => !given.has(id))?.id
}

/** Brings the step that waited to its end, or to what it still waits for; undefined when the model has to go on. */
export async function resumeStep(turn: Turn, { state, results, added }: ResumedTurn): Promise<TurnEnd | undefined> {
  const { step } = state
  if (step === undefined) return undefined
  const given = new Map(results.map((message) => [message.tool_call_id, message.content]))
  await answerRuns(turn, step, given)
  const end = await settleStep(
    turn,
    { ...step, calls: step.calls.map((call) => answered(call, given)) },
    ask(turn, step),
  )
  if (end === undefined) turn.progress.produced.push(...added)
  return end
}

function ask(turn: Turn, step: StepState): Parameters<typeof settleStep>[2] {
  const { keeper } = turn.deps
  return async (call, { index, waiting }, signal): Promise<ModelResult> => {
    const state = step.calls[index]?.state
    if (state?.kind === 'run') return keeper.resumeRun(state.run, signal)
    if (state?.kind === 'call')
      return keeper.makeCall(state.call, { parentCallId: call.id, hold: waiting.hold }, signal)
    throw new TypeError(`a call that is ${state?.kind ?? 'not of the step'} cannot be gone on with`)
  }
}

async function answerRuns(
  turn: Turn,
  step: StepState,
  given: ReadonlyMap<string, ToolMessage['content']>,
): Promise<void> {
  for (const { state } of step.calls) {
    if (state.kind !== 'run') continue
    const answers = state.pending.flatMap((each): readonly (readonly [string, string])[] => {
      const content = 'clientCall' in each ? given.get(each.clientCall) : undefined
      return 'clientCall' in each && content !== undefined ? [[each.clientCall, textOf(content)]] : []
    })
    if (answers.length > 0) await turn.deps.keeper.answerRun(state.run, new Map(answers))
  }
}

function answered({ call, state }: StepCall, given: ReadonlyMap<string, ToolMessage['content']>): StepCall {
  // The gateway ended in the middle of it: nobody knows, and it is not made again.
  if (state.kind === 'under-way') return { call, state: { kind: 'settled', text: UNKNOWN_RESULT, isError: true } }
  if (state.kind !== 'client') return { call, state }
  const content = given.get(state.id)
  return { call, state: content === undefined ? state : { ...state, content } }
}

function textOf(content: ToolMessage['content']): string {
  if (typeof content === 'string') return content
  return content.map((part) => (typeof part['text'] === 'string' ? part['text'] : JSON.stringify(part))).join('\n')
}
