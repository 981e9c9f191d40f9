import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import {
  LINE_MAX_LENGTH,
  SAMPLE_MAX_LENGTH,
  SAMPLE_MESSAGES_MAX,
  SAMPLE_STOP_MAX_LENGTH,
  SAMPLE_STOPS_MAX,
  SAMPLE_TOKENS_MAX,
} from './limits.ts'
import { plainLine, visibleText } from './plain-text.ts'
import type { Sample, SampleBlock, SampleMessage } from './sample.ts'

export type ReadSample =
  | { readonly kind: 'sample'; readonly sample: Sample }
  | { readonly kind: 'unaskable'; readonly reason: string }

/**
 * The parameters of `sampling/createMessage`. Tools and the context of other servers are not given to a stranger's
 * prompt; more tokens than there may be are fewer.
 */
export function readSample(params: JsonObject): ReadSample {
  if (params['tools'] !== undefined || params['toolChoice'] !== undefined) {
    return unaskable('a model with tools is not offered here; ask without "tools"')
  }
  const { messages, maxTokens } = params
  if (!Array.isArray(messages) || typeof maxTokens !== 'number') return unaskable('it is no request for a message')
  if (messages.length === 0 || messages.length > SAMPLE_MESSAGES_MAX) {
    return unaskable(`it has ${messages.length} messages; there may be 1 to ${SAMPLE_MESSAGES_MAX}`)
  }
  const read = messages.map(readMessages)
  if (!read.every((each) => each !== undefined)) return unaskable('a message is neither text nor picture nor sound')
  const sample: Sample = {
    messages: read.flat(),
    maxTokens: Math.max(1, Math.min(Math.trunc(maxTokens), SAMPLE_TOKENS_MAX)),
    ...optionsOf(params),
  }
  const { length } = JSON.stringify(sample)
  if (length <= SAMPLE_MAX_LENGTH) return { kind: 'sample', sample }
  return unaskable(`it has ${length} characters, more than ${SAMPLE_MAX_LENGTH}`)
}

function readMessages(message: JsonValue): readonly SampleMessage[] | undefined {
  const { role, content } = isJsonObject(message) ? message : {}
  if (role !== 'user' && role !== 'assistant') return undefined
  const blocks = (Array.isArray(content) ? content : [content]).map(readBlock)
  return blocks.every((block) => block !== undefined) ? blocks.map((block) => ({ role, content: block })) : undefined
}

function readBlock(block: JsonValue | undefined): SampleBlock | undefined {
  if (!isJsonObject(block)) return undefined
  const { type, text, data, mimeType } = block
  if (type === 'text') return typeof text === 'string' ? { type, text: visibleText(text) } : undefined
  if (type !== 'image' && type !== 'audio') return undefined
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined
  return { type, data, mimeType: plainLine(mimeType, LINE_MAX_LENGTH) }
}

function optionsOf(params: JsonObject): Partial<Sample> {
  const { systemPrompt, temperature, stopSequences, modelPreferences } = params
  const stops = Array.isArray(stopSequences) ? stopSequences.filter(isStop).slice(0, SAMPLE_STOPS_MAX) : []
  return {
    ...(typeof systemPrompt === 'string' && systemPrompt !== '' && { systemPrompt: visibleText(systemPrompt) }),
    ...(typeof temperature === 'number' && temperature >= 0 && temperature <= 2 && { temperature }),
    ...(stops.length > 0 && { stopSequences: stops }),
    ...(isJsonObject(modelPreferences) && { modelPreferences: preferencesOf(modelPreferences) }),
  }
}

function isStop(text: JsonValue): text is string {
  return typeof text === 'string' && text !== '' && text.length <= SAMPLE_STOP_MAX_LENGTH
}

const HINTS_MAX = 5

function preferencesOf(wishes: JsonObject): JsonObject {
  const { hints } = wishes
  const names = Array.isArray(hints)
    ? hints.flatMap((hint: JsonValue) => (isJsonObject(hint) ? [hint['name']] : []))
    : []
  const read = names.flatMap((name) => (typeof name === 'string' ? [{ name: plainLine(name, LINE_MAX_LENGTH) }] : []))
  const weights = ['costPriority', 'speedPriority', 'intelligencePriority'].flatMap((key) => {
    const weight = wishes[key]
    return typeof weight === 'number' && weight >= 0 && weight <= 1 ? [[key, weight] as const] : []
  })
  return { ...Object.fromEntries(weights), ...(read.length > 0 && { hints: read.slice(0, HINTS_MAX) }) }
}

function unaskable(reason: string): ReadSample {
  return { kind: 'unaskable', reason }
}
