import type { JsonObject } from '../../catalog/json.ts'

/** What a model is to go on with: a server's request for an answer of it, read and bounded. */
export interface Sample {
  /** One block each, so that every revision can say it. */
  readonly messages: readonly SampleMessage[]
  readonly systemPrompt?: string
  readonly maxTokens: number
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  /** What the server would like best; no more than a wish. */
  readonly modelPreferences?: JsonObject
}

export interface SampleMessage {
  readonly role: 'user' | 'assistant'
  readonly content: SampleBlock
}

export type SampleBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
