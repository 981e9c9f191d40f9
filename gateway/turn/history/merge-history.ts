import type { ChatMessage } from '../../providers/provider.ts'
import { STEP_SEPARATOR } from '../steps/step-text.ts'

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
  const steps = stepsOf(stored)
  const called = new Set(stored.flatMap(callIdsOf))
  const answered = new Set(stored.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])))
  const anchor = rest.findLastIndex(
    ({ message }) =>
      message.role === 'assistant' &&
      (isAnswer(textOf(message.content), steps) || callIdsOf(message).some((id) => called.has(id))),
  )
  const added = rest.slice(anchor + 1)
  const calledAnew = new Set(added.flatMap(({ message }) => callIdsOf(message)))
  const isKnown = (id: string) => answered.has(id) && !calledAnew.has(id)
  return added.filter(({ message }) => message.role !== 'tool' || !isKnown(message.tool_call_id))
}

export function callIdsOf(message: ChatMessage): readonly string[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : []
}

/** One of the texts that the model gave between two messages of the user. */
interface Step {
  /** All texts of the turn, in order. */
  readonly texts: readonly string[]
  readonly index: number
}

/** The model's steps by their last lines: of the thousands that a client may bring, each text is compared with few. */
type StepsByLastLine = ReadonlyMap<string, readonly Step[]>

function stepsOf(stored: readonly ChatMessage[]): StepsByLastLine {
  const steps = new Map<string, Step[]>()
  let texts: string[] = []
  for (const message of stored) {
    if (message.role === 'user') texts = []
    const text = message.role === 'assistant' ? textOf(message.content) : ''
    if (text === '') continue
    const step = { texts, index: texts.push(text) - 1 }
    const alike = steps.get(lastLineOf(text))
    if (alike === undefined) steps.set(lastLineOf(text), [step])
    else alike.push(step)
  }
  return steps
}

/** Of several steps in a row it is the last line of their last one, since what is put between them ends a line. */
function lastLineOf(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1)
}

/**
 * Whether a client was shown this text: all model steps between two messages of the user are one answer. A client
 * tool's result may stand between two answers of one turn, so that any run of its steps can be one.
 */
function isAnswer(text: string, steps: StepsByLastLine): boolean {
  return (steps.get(lastLineOf(text)) ?? []).some((step) => isRunOfSteps(text, step))
}

/** Nothing is joined, since a turn may have thousands of steps. */
function isRunOfSteps(text: string, { texts, index }: Step): boolean {
  let end = text.length
  for (let at = index; at >= 0; at -= 1) {
    const step = texts[at] ?? ''
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
