import type { ModelTool } from '../../bridge/presentation/presentation.ts'
import type { JsonObject } from '../../catalog/json.ts'

export interface ToolCallPart {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  /** Fields of the provider that must come back to it unchanged (Gemini's thought signature). */
  readonly extra_content?: JsonObject
}

/** A message in the form of OpenAI Chat Completions; content parts that we do not know pass through. */
export type ChatMessage =
  | {
      readonly role: 'system' | 'developer' | 'user'
      readonly content: string | readonly JsonObject[]
      readonly name?: string
    }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly ToolCallPart[] }
  | { readonly role: 'tool'; readonly content: string | readonly JsonObject[]; readonly tool_call_id: string }

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
}

/** One model step as it streams. A tool call comes whole, with an id that is unique in the step. */
export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly call: ToolCallPart }
  | {
      readonly kind: 'finish'
      readonly reason: 'stop' | 'tool_calls' | 'length' | 'content_filter'
      readonly usage?: Usage
    }

/** A model behind one wire format. */
export interface Provider {
  /** Name under `models.providers`, or `scripted`. */
  readonly name: string
  /**
   * Streams one step; always ends with `finish`.
   * @throws {ProviderError} when the upstream refuses, breaks off or cannot be reached
   */
  step(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

/** The upstream failed. `status` is what our client gets: 502, 504, 429, or 400 when it refused the request itself. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly status: number
  readonly code: string
  readonly retryAfterSeconds: number | undefined
  constructor(message: string, options: { status: number; code: string; retryAfterSeconds?: number; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.status = options.status
    this.code = options.code
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
