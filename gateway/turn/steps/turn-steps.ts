import type { CallWaiting, ModelResult, Presentation } from '../../../bridge/presentation/presentation.ts'
import type { ToolCallPart } from '../../providers/provider.ts'
import { addUsage } from '../add-usage.ts'
import { endStep, failed } from './end-step.ts'
import { TURN_STEPS_MAX } from '../limits.ts'
import type { ModelStep } from './model-step.ts'
import { runModelStep } from './model-step.ts'
import { createCallIds } from '../history/call-ids.ts'
import { refusedCall, settleCalls } from './settle-calls.ts'
import { isOneAtATime } from './step-messages.ts'
import { StepWaits } from './step-waits.ts'
import { systemMessages } from './system-message.ts'
import { stepChoice, unmetChoice } from './tool-choice.ts'
import type { Turn, TurnEnd } from '../turn-progress.ts'
import { addClientKeys, forgetTurn, keepTurn } from '../turn-progress.ts'
import type { StepCall, StepState } from '../turn-state.ts'

/** Model step, calls, results, until the answer or until there is something to wait for. */
export async function runSteps(turn: Turn, first?: Presentation): Promise<TurnEnd> {
  const { deps, progress } = turn
  let presentation = first
  while (progress.steps < TURN_STEPS_MAX) {
    const shown = presentation ?? (await deps.present(progress.toolsAllow)).presentation
    presentation = undefined
    // Between two steps nothing is under way: after a crash the model is asked this step again.
    if (progress.isKept) await keepTurn(turn, undefined)
    const answer = await askModel(turn, shown)
    const end = await takeAnswer(turn, answer, shown)
    if (end) return end
  }
  return failed({
    code: 'step_limit',
    message: `the turn took ${TURN_STEPS_MAX} model steps without an answer; ask for less at once, or look at the session log for calls that go in circles`,
  })
}

/** Handles one call of a step, or goes on with it. */
export type AskCall = (
  call: ToolCallPart,
  at: { readonly index: number; readonly waiting: CallWaiting },
  signal: AbortSignal,
) => Promise<ModelResult>

/** Brings the calls of a step to their ends, or to what they wait for. */
export async function settleStep(turn: Turn, step: StepState, ask: AskCall): Promise<TurnEnd | undefined> {
  const { deps, progress, request, emit, signal, log } = turn
  const ids = createCallIds()
  const waits = openWaits(turn, step)
  const oneForClient = createClientTurns(turn, step)
  waits.follow(signal)
  try {
    const open = step.calls.flatMap(({ call, state }, index) => (isOpen(state) ? [{ call, index }] : []))
    const settled = await settleCalls(
      {
        step: progress.steps,
        calls: open.map(({ call }) => call),
        ask: async (call, at, callSignal) => {
          const index = open[at]?.index ?? at
          return oneForClient(await ask(call, { index, waiting: waits.forCall(index) }, callSignal))
        },
        onSettled: (at, result) => waits.settled(open[at]?.index ?? at, result, ids.next),
        failures: progress.failures,
        areForbidden: request.toolChoice === 'none',
        emit,
      },
      deps,
      signal,
    )
    for (const { call, result, ms } of settled) {
      if (result.kind === 'result' && result.waiting !== undefined) continue
      log.callSettled({ step: progress.steps, callId: call.id, name: call.function.name.trim(), ms, result })
    }
  } finally {
    waits.close()
  }
  const end = await endStep(turn, { ...step, calls: waits.calls() })
  // What waited was decided while it was held: the turn is like any other again, and what was kept of it is not needed.
  const isParked = end?.kind === 'finished' && end.pending !== undefined
  if (!progress.isKept && !isParked) await forgetTurn(turn)
  return end
}

/** A client that forbade parallel calls is given one of its own in a step; a model may make several all the same. */
function createClientTurns({ request }: Turn, step: StepState): (result: ModelResult) => ModelResult {
  let isGiven = step.calls.some(({ state }) => state.kind === 'client')
  return (result) => {
    if (result.kind !== 'client-call' || !isOneAtATime(request)) return result
    if (isGiven)
      return refusedCall(
        'the client takes one call of its tools at a time, and this one was not made; make it again when you have the result of the other',
      )
    isGiven = true
    return result
  }
}

async function askModel(turn: Turn, presentation: Presentation): Promise<ModelStep> {
  const { request, deps, progress, log, signal, emit } = turn
  const step = progress.steps + 1
  const choice = stepChoice(request, presentation, step)
  const system = systemMessages({
    instructions: deps.instructions,
    mode: presentation.mode,
    hasTools: presentation.definitions().length > 0,
    head: progress.head,
    note: choice.note,
  })
  const messages = [...system, ...progress.conversation, ...progress.produced]
  const input = { step, presentation, messages, choice, request, isContinued: progress.hasSpoken, emit }
  const answer = await runModelStep(input, deps, signal)
  progress.steps = step
  progress.usage = addUsage(progress.usage, answer.usage)
  progress.hasSpoken ||= answer.isShown
  log.stepFinished(step, answer)
  return answer
}

/** The end of the turn, or undefined when the model has to see the results. */
async function takeAnswer(turn: Turn, answer: ModelStep, presentation: Presentation): Promise<TurnEnd | undefined> {
  const { request, progress } = turn
  if (answer.calls.length === 0) {
    progress.produced.push({ role: 'assistant', content: answer.text })
    const unmet = unmetChoice(request, [])
    if (unmet !== undefined) return failed({ code: 'tool_choice_unmet', message: unmet })
    return { kind: 'finished', end: answer.reason, calls: [] }
  }
  const calls = answer.calls.map((call): StepCall => ({ call, state: { kind: 'under-way' } }))
  const step: StepState = { text: answer.text, ...answer.reasoning, calls }
  // From here on a crash finds them under way.
  if (progress.isKept) await keepTurn(turn, step)
  return settleStep(turn, step, ({ id, function: body }, { waiting }, signal) => {
    const call = { id, name: body.name.trim(), arguments: body.arguments }
    return presentation.handle({ ...call, waiting }, signal)
  })
}

/** What has not ended, and does not wait for the client alone. */
function isOpen(state: StepCall['state']): boolean {
  return state.kind === 'under-way' || state.kind === 'run' || state.kind === 'call'
}

function openWaits(turn: Turn, step: StepState): StepWaits {
  const { deps, progress, request, emit } = turn
  return new StepWaits({
    turnId: request.id,
    calls: step.calls,
    holdMs: deps.keeper.holdMs(),
    isKept: progress.isKept,
    keep: async (calls) => {
      addClientKeys(progress, calls)
      await keepTurn(turn, { ...step, calls })
    },
    onWaiting({ id, function: body }, pending) {
      const name = body.name.trim()
      void emit({ kind: 'call-waiting', step: progress.steps, callId: id, name, pending })
    },
  })
}
