import type { ChatMessage } from '../providers/provider.ts'
import { STEP_SEPARATOR } from './model-step.ts'

/** A message of the request with its place in it, for errors that name it. */
export interface PlacedMessage {
  readonly message: ChatMessage
  readonly index: number
}

export interface RequestHistory {
  /** System and developer messages at the head of the request. */
  readonly head: readonly PlacedMessage[]
  readonly rest: readonly PlacedMessage[]
}

export function splitHead(messages: readonly ChatMessage[]): RequestHistory {
  const placed = messages.map((message, index) => ({ message, index }))
  const start = placed.findIndex(({ message }) => message.role !== 'system' && message.role !== 'developer')
  return start === -1 ? { head: placed, rest: [] } : { head: placed.slice(0, start), rest: placed.slice(start) }
}

/**
 * What is new in a request to a session that has a history. Some clients send only the new messages, others their whole
 * history each time (a `user` field alone makes a session). New is what follows the last assistant message that the
 * session knows, by its text or by the ids of its calls, without results that the session already has. A request that
 * holds no such message is new as a whole.
 */
export function newMessages(rest: readonly PlacedMessage[], stored: readonly ChatMessage[]): readonly PlacedMessage[] {
  if (stored.length === 0) return rest
  const texts = new Set(answerTexts(stored))
  const called = new Set(stored.flatMap(callIdsOf))
  const answered = new Set(stored.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])))
  const anchor = rest.findLastIndex(
    ({ message }) =>
      message.role === 'assistant' &&
      (texts.has(textOf(message.content)) || callIdsOf(message).some((id) => called.has(id))),
  )
  const added = rest.slice(anchor + 1)
  const calledAnew = new Set(added.flatMap(({ message }) => callIdsOf(message)))
  const isKnown = (id: string) => answered.has(id) && !calledAnew.has(id)
  return added.filter(({ message }) => message.role !== 'tool' || !isKnown(message.tool_call_id))
}

export function callIdsOf(message: ChatMessage): readonly string[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : []
}

/** The text of each turn as its client saw it: all model steps between two messages of the user as one answer. */
function answerTexts(stored: readonly ChatMessage[]): readonly string[] {
  const texts: string[] = []
  let steps: readonly string[] = []
  for (const message of stored) {
    if (message.role === 'user') steps = []
    const text = message.role === 'assistant' ? textOf(message.content) : ''
    if (text === '') continue
    steps = [...steps, text]
    // A client tool's result may stand between two answers of one turn: each tail of the steps can be an answer.
    texts.push(...steps.map((_, index) => steps.slice(index).join(STEP_SEPARATOR)))
  }
  return texts
}

function textOf(content: ChatMessage['content']): string {
  if (content === null) return ''
  if (typeof content === 'string') return content
  return content.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join('')
}
