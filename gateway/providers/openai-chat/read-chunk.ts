import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Usage } from '../provider.ts'

/** A part of a tool call as it came; every field may be missing. */
export interface CallFragment {
  readonly index?: number
  readonly id?: string
  readonly name?: string
  readonly arguments: string
  readonly extra?: JsonObject
  /** It came beside others and nothing tells it apart but its name: then it is a call of its own. */
  readonly isOwnCall?: true
}

export interface Chunk {
  readonly text: string
  readonly fragments: readonly CallFragment[]
  /** What of the model's reasoning came, in the two forms in which it must go back. */
  readonly reasoning?: string
  readonly details?: readonly JsonObject[]
  readonly finish?: string
  readonly usage?: Usage
  /** The server said that the answer is whole, without a reason to finish. */
  readonly isLast?: true
}

/**
 * Reads one chunk of a Chat Completions stream, or a whole completion that a server sent although a stream was asked
 * for. It takes what is there and ignores what is not: servers differ in all of it.
 */
export function readChunk(value: unknown): Chunk {
  if (!isJsonObject(value)) return { text: '', fragments: [] }
  const usage = readUsage(value['usage'])
  const choices = value['choices']
  const all: readonly unknown[] = Array.isArray(choices) ? choices : []
  // Only one is asked for; who sends more numbers them.
  const choice = all.find((each) => isJsonObject(each) && each['index'] === 0) ?? all[0]
  if (!isJsonObject(choice)) return { text: '', fragments: [], ...(usage && { usage }) }
  const delta = isJsonObject(choice['delta']) ? choice['delta'] : choice['message']
  const finish = choice['finish_reason']
  const reasoning = isJsonObject(delta) ? delta['reasoning_content'] : undefined
  const details = isJsonObject(delta) ? delta['reasoning_details'] : undefined
  return {
    text: isJsonObject(delta) ? textOf(delta['content']) + textOf(delta['refusal']) : '',
    fragments: isJsonObject(delta) ? fragmentsIn(delta) : [],
    ...(typeof reasoning === 'string' && { reasoning }),
    ...(Array.isArray(details) && { details: details.filter(isJsonObject) }),
    ...(typeof finish === 'string' && finish !== '' && { finish }),
    ...(usage && { usage }),
  }
}

/** Mistral streams content as parts, its thinking among them; only text is the answer. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) =>
      isJsonObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .join('')
}

function fragmentsOf(calls: unknown): readonly CallFragment[] {
  const fragments = Array.isArray(calls) ? calls.filter(isJsonObject).map(fragmentOf) : []
  if (fragments.length < 2) return fragments
  return fragments.map((fragment) => {
    const isTold = fragment.index !== undefined || fragment.id !== undefined || fragment.name === undefined
    return isTold ? fragment : { ...fragment, isOwnCall: true }
  })
}

function fragmentsIn(delta: JsonObject): readonly CallFragment[] {
  const fragments = fragmentsOf(delta['tool_calls'])
  const legacy = delta['function_call']
  // The one call of a step, as servers sent it before there were several; some send it in both forms.
  return fragments.length === 0 && isJsonObject(legacy) ? [fragmentOf({ function: legacy, index: 0 })] : fragments
}

function fragmentOf(call: JsonObject): CallFragment {
  const body = isJsonObject(call['function']) ? call['function'] : {}
  const { index, id } = call
  const name = typeof body['name'] === 'string' ? plainName(body['name']) : ''
  const extra = call['extra_content']
  return {
    arguments: argumentsText(body['arguments']),
    ...(typeof index === 'number' && { index }),
    ...(typeof id === 'string' && id !== '' && { id }),
    ...(typeof id === 'number' && { id: String(id) }),
    ...(name !== '' && { name }),
    ...(isJsonObject(extra) && { extra }),
  }
}

/**
 * The name alone: open models put the namespace of their chat template before it (`functions.x`, `default_api.x`), or
 * leave a mark of it behind (`x<|channel|>json`). No function of ours or of a client has a dot or such a mark in it.
 */
function plainName(name: string): string {
  const [plain = ''] = name.split('<|', 1)
  return plain.trim().replace(/^(?:functions|default_api)\.(?=.)/, '')
}

/** Some servers send the arguments as an object instead of its text. */
function argumentsText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  return isJsonObject(value) ? JSON.stringify(value) : ''
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined
  const promptTokens = countOf(usage, 'prompt_tokens') ?? 0
  const completionTokens = countOf(usage, 'completion_tokens') ?? 0
  const cachedPromptTokens = countOf(usage['prompt_tokens_details'], 'cached_tokens')
  const reasoningTokens = countOf(usage['completion_tokens_details'], 'reasoning_tokens')
  return {
    promptTokens,
    completionTokens,
    totalTokens: countOf(usage, 'total_tokens') ?? promptTokens + completionTokens,
    ...(cachedPromptTokens !== undefined && { cachedPromptTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

function countOf(counts: unknown, key: string): number | undefined {
  const count = isJsonObject(counts) ? counts[key] : undefined
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined
}
