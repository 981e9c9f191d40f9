import { createHash } from 'node:crypto'
import type { ChatMessage } from '../provider.ts'

/**
 * Mistral, and vLLM where it serves Mistral's models, refuses a request whose calls have ids of another form than its own:
 * nine letters and digits. Ids that went to a client lead back to its turn and are longer, and a history may come from
 * another model.
 */
export interface CallIdForm {
  /** An id that the model gave a call. */
  saw(model: string, id: string): void
  /** The conversation with ids as this model takes them. */
  wire(model: string, messages: readonly ChatMessage[]): readonly ChatMessage[]
}

export function createCallIdForm(baseUrl: string): CallIdForm {
  const isMistral = URL.canParse(baseUrl) && /(?:^|\.)mistral\.ai$/.test(new URL(baseUrl).hostname)
  /** Whether every id that a model gave is of that form. */
  const seen = new Map<string, boolean>()
  return {
    saw: (model, id) => void seen.set(model, (seen.get(model) ?? true) && NINE.test(id)),
    wire: (model, messages) => (isMistral || seen.get(model) === true ? messages.map(withNineLetterIds) : messages),
  }
}

const NINE = /^[A-Za-z0-9]{9}$/

function withNineLetterIds(message: ChatMessage): ChatMessage {
  if (message.role === 'tool') return { ...message, tool_call_id: nine(message.tool_call_id) }
  if (message.role !== 'assistant' || message.tool_calls === undefined) return message
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: nine(call.id) })) }
}

/** The same for the same id, so that prompt caches hold and results find their calls. */
function nine(id: string): string {
  return NINE.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9)
}
