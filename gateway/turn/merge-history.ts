import type { ChatMessage } from '../providers/provider.ts'
import { STEP_SEPARATOR } from './step-text.ts'

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
  const turns = stepTexts(stored)
  const called = new Set(stored.flatMap(callIdsOf))
  const answered = new Set(stored.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])))
  const anchor = rest.findLastIndex(
    ({ message }) =>
      message.role === 'assistant' &&
      (isAnswer(textOf(message.content), turns) || callIdsOf(message).some((id) => called.has(id))),
  )
  const added = rest.slice(anchor + 1)
  const calledAnew = new Set(added.flatMap(({ message }) => callIdsOf(message)))
  const isKnown = (id: string) => answered.has(id) && !calledAnew.has(id)
  return added.filter(({ message }) => message.role !== 'tool' || !isKnown(message.tool_call_id))
}

export function callIdsOf(message: ChatMessage): readonly string[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : []
}

/** The texts of the model's steps, turn by turn. */
function stepTexts(stored: readonly ChatMessage[]): readonly (readonly string[])[] {
  const turns: string[][] = [[]]
  for (const message of stored) {
    if (message.role === 'user') turns.push([])
    const text = message.role === 'assistant' ? textOf(message.content) : ''
    if (text !== '') turns.at(-1)?.push(text)
  }
  return turns
}

/**
 * Whether a client was shown this text: all model steps between two messages of the user are one answer. A client
 * tool's result may stand between two answers of one turn, so that any run of its steps can be one. Nothing is joined,
 * since a client may bring a history of thousands of steps.
 */
function isAnswer(text: string, turns: readonly (readonly string[])[]): boolean {
  return turns.some((steps) => steps.some((_, last) => isRunOfSteps(text, steps, last)))
}

function isRunOfSteps(text: string, steps: readonly string[], last: number): boolean {
  let end = text.length
  for (let at = last; at >= 0; at -= 1) {
    const step = steps[at] ?? ''
    if (!text.endsWith(step, end)) return false
    end -= step.length
    if (end === 0) return true
    if (!text.endsWith(STEP_SEPARATOR, end)) return false
    end -= STEP_SEPARATOR.length
  }
  return false
}

function textOf(content: ChatMessage['content']): string {
  if (content === null) return ''
  if (typeof content === 'string') return content
  return content.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join('')
}
