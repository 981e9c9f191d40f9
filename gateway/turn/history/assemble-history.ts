import type { Presentation } from '../../../bridge/presentation/presentation.ts'
import type { AssistantMessage, ChatMessage } from '../../providers/provider.ts'
import type { PlacedMessage } from './merge-history.ts'
import { callIdsOf, newMessages, splitHead } from './merge-history.ts'
import { clientKeyOf } from './call-ids.ts'
import type { HiddenMessages } from '../turn.ts'

export interface HistoryParts {
  readonly tenant: string
  /** The messages of the request. */
  readonly messages: readonly ChatMessage[]
  /** The messages of the session; empty for a stateless caller. */
  readonly stored: readonly ChatMessage[]
  readonly hidden: Pick<HiddenMessages, 'get'>
  readonly presentation: Presentation
}

export type AssembledHistory =
  | {
      readonly kind: 'ready'
      /** System and developer messages at the head: those of the request, else those that the session began with. */
      readonly head: readonly ChatMessage[]
      /** Everything after the head, with hidden messages put back. */
      readonly conversation: readonly ChatMessage[]
      /** What the session does not hold yet. */
      readonly fresh: readonly ChatMessage[]
    }
  | { readonly kind: 'invalid'; readonly message: string; readonly param: string }

/** The model's history out of the request, the session and the hidden messages that the request's call ids lead to. */
export async function assembleHistory(parts: HistoryParts): Promise<AssembledHistory> {
  const own = splitHead(parts.messages)
  const kept = splitHead(parts.stored)
  const fresh = await restoreAll(newMessages(own.rest, parts.stored), parts)
  const problem = findProblem(fresh, parts.stored)
  if (problem) return { kind: 'invalid', ...problem }
  const head = (own.head.length > 0 ? own.head : kept.head).map(({ message }) => message)
  const added = fresh.map(({ message }) => message)
  const conversation = answerAbandoned([...kept.rest.map(({ message }) => message), ...added])
  return { kind: 'ready', head, conversation, fresh: parts.stored.length === 0 ? [...head, ...added] : added }
}

/** Puts hidden messages back in the place of what their client was shown. */
async function restoreAll(placed: readonly PlacedMessage[], parts: HistoryParts): Promise<readonly PlacedMessage[]> {
  const restored: PlacedMessage[] = []
  /** Calls that a program made of the client's tools: their results are inside what the program gave back. */
  const absorbed = new Set<string>()
  for (const { message, index } of placed) {
    if (message.role === 'tool' && absorbed.has(message.tool_call_id)) continue
    const messages = message.role === 'assistant' ? await restore(message, parts) : [message]
    const known = new Set(messages.flatMap(callIdsOf))
    for (const id of callIdsOf(message)) if (!known.has(id)) absorbed.add(id)
    restored.push(...messages.map((each) => ({ message: each, index })))
  }
  return restored
}

async function restore(message: AssistantMessage, parts: HistoryParts): Promise<readonly ChatMessage[]> {
  const calls = message.tool_calls ?? []
  if (calls.length === 0) return [{ role: 'assistant', content: message.content }]
  const keys = [...new Set(calls.flatMap((call) => clientKeyOf(call.id) ?? []))]
  const hidden = await Promise.all(keys.map((key) => parts.hidden.get(parts.tenant, key)))
  if (hidden.some((messages) => messages !== undefined)) return hidden.flatMap((messages) => messages ?? [])
  const recalled = calls.map((call) => ({
    ...call,
    function: parts.presentation.recall({ name: call.function.name.trim(), arguments: call.function.arguments }),
  }))
  return [{ ...message, tool_calls: recalled }]
}

/** Every result must answer a call before it, once; every call of this request must have its result. */
function findProblem(
  fresh: readonly PlacedMessage[],
  stored: readonly ChatMessage[],
): { readonly message: string; readonly param: string } | undefined {
  const called = new Set(stored.flatMap(callIdsOf))
  const answered = new Set<string>()
  /** Calls of this request without a result yet, with their place. */
  const open = new Map<string, number>()
  for (const { message, index } of fresh) {
    if (message.role === 'tool') {
      const problem = resultProblem(message.tool_call_id, called, answered)
      if (problem)
        return { message: `messages[${index}].tool_call_id ${problem}`, param: `messages[${index}].tool_call_id` }
      answered.add(message.tool_call_id)
      open.delete(message.tool_call_id)
    } else {
      const [missing] = open
      if (missing) return unanswered(missing)
      for (const id of callIdsOf(message)) {
        called.add(id)
        open.set(id, index)
        // Some servers use one id again and again: the new call wants a result of its own.
        answered.delete(id)
      }
    }
  }
  const [missing] = open
  return missing && unanswered(missing)
}

function resultProblem(id: string, called: ReadonlySet<string>, answered: ReadonlySet<string>): string | undefined {
  if (answered.has(id)) return `"${id}" was already answered`
  return called.has(id) ? undefined : `"${id}" matches no call of an assistant message before it`
}

function unanswered([id, index]: readonly [string, number]): { readonly message: string; readonly param: string } {
  return {
    message: `messages[${index}].tool_calls has the call "${id}" without a tool message that answers it`,
    param: `messages[${index}].tool_calls`,
  }
}

/** A call that a session's client left without a result and spoke on: providers refuse an unanswered call. */
function answerAbandoned(conversation: readonly ChatMessage[]): readonly ChatMessage[] {
  const answered = new Set(conversation.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])))
  return conversation.flatMap((message): readonly ChatMessage[] => {
    const abandoned = callIdsOf(message).filter((id) => !answered.has(id))
    const answers = abandoned.map((id) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: 'The client sent no result for this call; whether it ran is not known.',
    }))
    return [message, ...answers]
  })
}
