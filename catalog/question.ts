import type { JsonObject } from './json.ts'

/** What a tool wants to know of its caller's person while it runs. */
export interface ToolQuestion {
  readonly message: string
  /** Of the fields that an answer may have. */
  readonly schema: JsonObject
  /** How long the tool can wait, in milliseconds. */
  readonly waitMs: number
}

/** `cancel`: nobody answered in time. */
export type ToolAnswer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel' }

export type AskPerson = (question: ToolQuestion, signal: AbortSignal) => Promise<ToolAnswer>
