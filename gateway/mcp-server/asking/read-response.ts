import { fillForm } from '../../../bridge/asking/fill-form.ts'
import { LINE_MAX_LENGTH, SAMPLE_ANSWER_MAX_LENGTH } from '../../../bridge/asking/limits.ts'
import { plainLine } from '../../../bridge/asking/plain-text.ts'
import type { ScreenedQuestion } from '../../../bridge/asking/screen-question.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { ToolAnswer } from '../../../catalog/question.ts'

export type ReadResponse =
  | { readonly kind: 'answer'; readonly answer: ToolAnswer }
  /** What was filled in is not what was asked for. */
  | { readonly kind: 'problem'; readonly problem: string }

/** What a client answered. It is as much a stranger's as the question: only what was asked for reaches the server. */
export function readResponse(question: ScreenedQuestion, response: unknown): ReadResponse {
  if (!isJsonObject(response)) return answered({ action: 'cancel' })
  if (question.kind === 'sample') return answered(sampleOf(response))
  const { action, content } = response
  if (action === 'decline') return answered({ action })
  if (action !== 'accept') return answered({ action: 'cancel' })
  if (question.kind === 'url') return answered({ action, content: {} })
  const filled = fillForm(question.fields, isJsonObject(content) ? content : {})
  if (filled.kind === 'filled') return answered({ action, content: filled.content })
  return { kind: 'problem', problem: filled.message }
}

function sampleOf(result: JsonObject): ToolAnswer {
  const { role, content, model, stopReason } = result
  const [block, ...more] = Array.isArray(content) ? content : [content]
  const kept = more.length === 0 ? blockOf(block) : undefined
  const isMessage = role === 'assistant' || role === 'user'
  if (!isMessage || kept === undefined || typeof model !== 'string')
    return { action: 'decline', reason: 'the client gave no answer' }
  if (JSON.stringify(kept).length > SAMPLE_ANSWER_MAX_LENGTH) {
    return { action: 'decline', reason: `the answer has more than ${SAMPLE_ANSWER_MAX_LENGTH} characters` }
  }
  const why = typeof stopReason === 'string' && { stopReason: plainLine(stopReason, LINE_MAX_LENGTH) }
  return { action: 'accept', content: { role, content: kept, model: plainLine(model, LINE_MAX_LENGTH), ...why } }
}

function blockOf(block: unknown): JsonObject | undefined {
  if (!isJsonObject(block)) return undefined
  const { type, text, data, mimeType } = block
  if (type === 'text') return typeof text === 'string' ? { type, text } : undefined
  if (type !== 'image' && type !== 'audio') return undefined
  return typeof data === 'string' && typeof mimeType === 'string' ? { type, data, mimeType } : undefined
}

function answered(answer: ToolAnswer): ReadResponse {
  return { kind: 'answer', answer }
}
