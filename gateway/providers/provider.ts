import type { ModelTool } from '../../bridge/presentation/presentation.ts'
import type { JsonObject } from '../../catalog/json.ts'

export interface ToolCallPart {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  /** Fields of the provider that must come back to it unchanged (Gemini's thought signature). */
  readonly extra_content?: JsonObject
}

/**
 * A model's reasoning, which some providers must get back with the calls that it led to: DeepSeek refuses a tool loop
 * without `reasoning_content`, and OpenRouter loses signatures without `reasoning_details`. Never shown to a client.
 */
export interface Reasoning {
  readonly reasoning_content?: string
  readonly reasoning_details?: readonly JsonObject[]
}

export interface AssistantMessage extends Reasoning {
  readonly role: 'assistant'
  readonly content: string | null | readonly JsonObject[]
  readonly tool_calls?: readonly ToolCallPart[]
}

interface ToolMessage {
  readonly role: 'tool'
  /** `''` is a finished result. */
  readonly content: string | readonly JsonObject[]
  readonly tool_call_id: string
}

/** A message in the form of OpenAI Chat Completions; content parts that we do not know pass through. */
export type ChatMessage =
  | {
      readonly role: 'system' | 'developer' | 'user'
      readonly content: string | readonly JsonObject[]
      readonly name?: string
    }
  | AssistantMessage
  | ToolMessage

export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }

export interface ModelRequest {
  /** The provider's own name of the model, e.g. `gpt-5.4`. */
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice?: ToolChoice
  /** Sampling and other parameters of the request, passed through as they came (`temperature`, `max_tokens` …). */
  readonly parameters: JsonObject
}

export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
  /** Of the prompt tokens, those read from the provider's cache; absent where it does not say. */
  readonly cachedPromptTokens?: number
  /** Of the completion tokens, those spent on reasoning; absent where it does not say. */
  readonly reasoningTokens?: number
}

export type StepEnd = 'stop' | 'tool_calls' | 'length' | 'content_filter'

/** One model step as it streams. A tool call comes whole, with an id that is unique in the step. */
export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly call: ToolCallPart }
  /** `tool_calls` exactly when there were calls. */
  | {
      readonly kind: 'finish'
      readonly reason: StepEnd
      readonly usage?: Usage
      /** Only with tool calls: goes back on the assistant message that holds them. */
      readonly reasoning?: Reasoning
    }

/** A model behind one wire format. */
export interface Provider {
  /** Name under `models.providers`, or `scripted`. */
  readonly name: string
  /**
   * Streams one step; always ends with `finish`. Once `signal` is aborted it throws the signal's reason.
   * @throws {ProviderError} when the upstream refuses, breaks off or cannot be reached
   */
  step(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export type ProviderErrorCode =
  | 'upstream_key_refused'
  | 'upstream_rate_limited'
  | 'upstream_unreachable'
  | 'upstream_timeout'
  | 'upstream_model_not_found'
  | 'upstream_failed'
  | 'upstream_invalid_answer'
  | 'upstream_refused_request'
  | 'context_length_exceeded'

/** The upstream failed. The message names the provider and never holds its key. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly code: ProviderErrorCode
  /** What the upstream asked us to wait, for our client's `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  constructor(
    message: string,
    options: { readonly code: ProviderErrorCode; readonly retryAfterSeconds?: number; readonly cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.code = options.code
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
