import type { JsonObject } from '../../../../catalog/json.ts'
import type { StepEnd, ToolCallPart, Usage } from '../../../providers/provider.ts'

/** What is the same in every chunk of an answer. */
export interface AnswerHead {
  readonly id: string
  readonly model: string
  /** Unix seconds. */
  readonly created: number
}

/** A whole answer, `chat.completion`. */
export function completionOf(
  head: AnswerHead,
  answer: {
    readonly text: string
    readonly calls: readonly ToolCallPart[]
    readonly end: StepEnd
    readonly usage?: Usage
    readonly events?: readonly JsonObject[]
    /** What the turn waits for. */
    readonly waiting?: JsonObject
  },
): object {
  const { text, calls, end, usage, events, waiting } = answer
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: end }],
    ...(usage && { usage: wireUsage(usage) }),
    ...((events ?? waiting) && { drawbridge: { ...(events && { events }), ...waiting } }),
  }
}

/** One chunk of a streamed answer with what is new in it. */
export function deltaChunk(head: AnswerHead, delta: object, finish: StepEnd | null = null): object {
  return { ...chunkHead(head), choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] }
}

/** The last chunk of an answer whose turn is parked. */
export function waitingChunk(head: AnswerHead, finish: StepEnd, waiting: JsonObject): object {
  return { ...deltaChunk(head, {}, finish), drawbridge: waiting }
}

/** The chunks of the calls that the client has to run: each begins with its name and goes on with its arguments. */
export function callChunks(head: AnswerHead, calls: readonly ToolCallPart[]): readonly object[] {
  return calls.flatMap(({ function: body, ...call }, index) => [
    deltaChunk(head, { tool_calls: [{ index, ...call, function: { name: body.name, arguments: '' } }] }),
    deltaChunk(head, { tool_calls: [{ index, function: { arguments: body.arguments } }] }),
  ])
}

export function usageChunk(head: AnswerHead, usage: Usage): object {
  return { ...chunkHead(head), choices: [], usage: wireUsage(usage) }
}

/** What the gateway itself did; clients that do not know the field skip a chunk without choices. */
export function eventChunk(head: AnswerHead, event: JsonObject): object {
  return { ...chunkHead(head), choices: [], drawbridge: event }
}

function chunkHead(head: AnswerHead): object {
  return { ...head, object: 'chat.completion.chunk' }
}

function wireUsage(usage: Usage): object {
  const { cachedPromptTokens, reasoningTokens } = usage
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.totalTokens,
    ...(cachedPromptTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedPromptTokens } }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}
