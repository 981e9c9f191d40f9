import type { JsonObject } from '../../catalog/json.ts'
import type { ChatMessage } from '../providers/provider.ts'
import type { Turn, TurnEnd } from './turn-progress.ts'

/** A message that is a line for the gateway is answered by it; undefined for what the model has to see. */
export async function answerCommand(turn: Turn, messages: readonly ChatMessage[]): Promise<TurnEnd | undefined> {
  const { deps, request, emit } = turn
  const last = messages.at(-1)
  if (deps.chatCommand === undefined || last?.role !== 'user') return undefined
  const answer = await deps.chatCommand(textOf(last.content), request.caller)
  if (answer === undefined) return undefined
  await emit({ kind: 'text', text: answer })
  await deps.appendHistory([last, { role: 'assistant', content: answer }])
  return { kind: 'finished', end: 'stop', calls: [] }
}

function textOf(content: string | readonly JsonObject[]): string {
  if (typeof content === 'string') return content
  return content.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join('')
}
