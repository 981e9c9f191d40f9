import type { JsonObject } from '../../catalog/json.ts'
import { DECISIONS } from '../approvals/decision.ts'
import type { ChatMessage } from '../providers/provider.ts'
import type { Turn, TurnEnd } from './turn-progress.ts'

/** A message that is a line for the gateway is answered by it; undefined for what the model has to see. */
export async function answerCommand(turn: Turn, messages: readonly ChatMessage[]): Promise<TurnEnd | undefined> {
  const { deps, request, emit } = turn
  const last = messages.at(-1)
  if (last?.role !== 'user') return undefined
  const answer = await deps.chatCommand.answer(textOf(last.content), request.caller)
  if (answer === undefined) return undefined
  await emit({ kind: 'text', text: answer })
  await deps.appendHistory([withoutValues(last), { role: 'assistant', content: answer }])
  return { kind: 'finished', end: 'stop', calls: [] }
}

/**
 * A line for the gateway as it may be kept and shown to a model: the command, the id and the decision. What else stands
 * in it may be what a person filled in for a tool alone.
 */
export function withoutValues(message: ChatMessage): ChatMessage {
  if (message.role !== 'user') return message
  const [command = '', id = '', word = '', ...rest] = textOf(message.content).trim().split(/\s+/)
  if (command.toLowerCase() !== '/approve') return message
  const isDecision = DECISIONS.some((decision) => decision === word.toLowerCase())
  const kept = [command, ...(id === '' || id.includes('=') ? [] : [id]), ...(isDecision ? [word] : [])]
  const isWhole = kept.length === [command, id, word].filter((each) => each !== '').length && rest.length === 0
  return isWhole ? message : { role: 'user', content: [...kept, '…'].join(' ') }
}

function textOf(content: string | readonly JsonObject[]): string {
  if (typeof content === 'string') return content
  return content.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join('')
}
