import type { JsonObject } from './json.ts'

/** What a tool wants of its caller while it runs. All of it is the words of a stranger, and not looked at yet. */
export type ToolQuestion =
  | {
      readonly kind: 'form'
      readonly message: string
      /** Of the fields that an answer may have. */
      readonly schema: JsonObject
      readonly doubt?: QuestionDoubt
    }
  /** A page that the caller's person is to open, for what must not pass through here. */
  | { readonly kind: 'url'; readonly message: string; readonly url: string; readonly doubt?: QuestionDoubt }
  /** An answer of the caller's model: the parameters of `sampling/createMessage`. */
  | { readonly kind: 'sample'; readonly params: JsonObject }

/** It may be about another call of the same caller, which was given up: of one of these tools. */
export interface QuestionDoubt {
  readonly givenUp: readonly string[]
}

/**
 * `cancel`: nobody answered in time. What an accepted form holds are its fields, of a sample the result of
 * `sampling/createMessage`, of an address nothing.
 */
export type ToolAnswer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' | 'cancel'; readonly reason?: string }

/** Rejects with the signal's reason when that aborts; then the question is taken back. */
export type AskPerson = (question: ToolQuestion, signal: AbortSignal) => Promise<ToolAnswer>
