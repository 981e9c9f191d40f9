import type { JsonValue } from '../catalog/json.ts'
import type { ToolResult } from '../catalog/tool.ts'
import type { Pending } from './approval.ts'

/** Whether the tool may have changed something: `unknown` where it was under way and its end was not seen. */
export type Effect = 'none' | 'done' | 'unknown'

/** One thing that is wrong with arguments, written for a model. */
export interface InputProblem {
  /** JSON pointer into the arguments, `` for the whole. */
  readonly path: string
  /** What the schema wants there. */
  readonly expected: string
  /** What stands there, cut short; absent where nothing does. */
  readonly got?: string
  /** What to do: a near-miss property name, the allowed values. */
  readonly suggestion?: string
}

/** How a call ended: a value, written for the model that asked. `message` says what was wrong and what to do next. */
export type Outcome =
  | { readonly kind: 'ok'; readonly value: JsonValue; readonly result: ToolResult; readonly effect: 'done' }
  | {
      readonly kind: 'unknown-tool'
      readonly message: string
      readonly suggestions: readonly string[]
      readonly effect: 'none'
    }
  | {
      readonly kind: 'ambiguous-tool'
      readonly message: string
      readonly ids: readonly string[]
      readonly effect: 'none'
    }
  | {
      readonly kind: 'invalid-input'
      readonly message: string
      readonly problems: readonly InputProblem[]
      readonly signature: string
      readonly effect: 'none'
    }
  | { readonly kind: 'denied'; readonly message: string; readonly effect: 'none' }
  | { readonly kind: 'rejected'; readonly message: string; readonly effect: 'none' }
  | { readonly kind: 'expired'; readonly message: string; readonly effect: 'none' }
  | { readonly kind: 'stale-tool'; readonly message: string; readonly effect: 'none' }
  | { readonly kind: 'client-tool'; readonly message: string; readonly effect: 'none' }
  | { readonly kind: 'busy'; readonly message: string; readonly effect: 'none' }
  /** It has not ended: it is parked until a person has decided or the client has brought its result. */
  | { readonly kind: 'waiting'; readonly message: string; readonly pending: Pending; readonly effect: 'none' }
  | { readonly kind: 'unavailable'; readonly message: string; readonly effect: Effect }
  | { readonly kind: 'timed-out'; readonly message: string; readonly effect: Effect }
  | { readonly kind: 'cancelled'; readonly message: string; readonly effect: Effect }
  | { readonly kind: 'failed'; readonly message: string; readonly result?: ToolResult; readonly effect: Effect }
  | { readonly kind: 'invalid-output'; readonly message: string; readonly effect: Effect }

export type OutcomeKind = Outcome['kind']

/** A call that has ended, as the dispatcher reports it. */
export interface SettledCall {
  readonly callId: string
  /** Absent where no tool was resolved. */
  readonly toolId?: string
  /** What the caller asked for, as text, cut at the longest id. */
  readonly requested: string
  readonly outcome: Outcome
  /** Repairs and clamps, written for the model. */
  readonly notices: readonly Notice[]
  readonly ms: number
  /** Of a call that waits: of the receipt that its end will leave. */
  readonly receiptId: string
}

/** Something that was changed or assumed on the caller's behalf, and that it must be able to see. */
export interface Notice {
  readonly code: string
  readonly message: string
}
