import type { AssistantMessage, ChatMessage, ToolCallPart } from '../../providers/provider.ts'
import { clientKeyOf } from '../history/call-ids.ts'
import type { KeptRequest, StepCall, StepState } from '../turn-state.ts'

/** The model's own message and our results; a call of the client bears the id that its result will come back with. */
export function stepMessages({ text, calls, ...reasoning }: StepState): readonly ChatMessage[] {
  const message: AssistantMessage = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...reasoning,
    tool_calls: calls.map(({ call, state }) => ({ ...call, id: state.kind === 'client' ? state.id : call.id })),
  }
  return [message, ...calls.flatMap(resultOf)]
}

/** Whether the client takes no more than one call at a time. */
export function isOneAtATime({ parameters }: Pick<KeptRequest, 'parameters'>): boolean {
  return parameters['parallel_tool_calls'] === false
}

/**
 * The calls that the client has to run now, under its own names for its tools: the model's, with what the provider wants
 * echoed should we forget the turn, and those of programs. What a client that takes one at a time is not given yet goes on
 * waiting.
 */
export function callsForClient(
  request: Pick<KeptRequest, 'parameters'>,
  calls: readonly StepCall[],
): readonly ToolCallPart[] {
  const all = allForClient(calls)
  return isOneAtATime(request) ? all.slice(0, 1) : all
}

function allForClient(calls: readonly StepCall[]): readonly ToolCallPart[] {
  return calls.flatMap(({ call, state }): readonly ToolCallPart[] => {
    if (state.kind === 'client' && state.content === undefined) {
      return [{ ...call, id: state.id, function: { name: state.name, arguments: JSON.stringify(state.arguments) } }]
    }
    if (state.kind !== 'run') return []
    return state.pending.flatMap((pending) => {
      if (!('clientCall' in pending)) return []
      const { clientCall: id, name, args } = pending
      return [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } } as const]
    })
  })
}

/** Keys of the ids under which the client was given calls; each leads back to the turn. */
export function clientKeysOf(calls: readonly StepCall[]): readonly string[] {
  const ids = calls.flatMap(({ state }): readonly string[] => {
    if (state.kind === 'client') return [state.id]
    if (state.kind !== 'run') return []
    return state.pending.flatMap((pending) => ('clientCall' in pending ? [pending.clientCall] : []))
  })
  return ids.flatMap((id) => clientKeyOf(id) ?? [])
}

/** After a crash in the middle of a call. */
export const UNKNOWN_RESULT =
  'The gateway ended while this call was under way; whether it took effect is not known. Check before you repeat it.'

function resultOf({ call, state }: StepCall): readonly ChatMessage[] {
  switch (state.kind) {
    case 'settled':
      return [{ role: 'tool', tool_call_id: call.id, content: state.text }]
    case 'under-way':
      return [{ role: 'tool', tool_call_id: call.id, content: UNKNOWN_RESULT }]
    case 'client':
      return state.content === undefined ? [] : [{ role: 'tool', tool_call_id: state.id, content: state.content }]
    case 'run':
    case 'call':
      return []
  }
}
