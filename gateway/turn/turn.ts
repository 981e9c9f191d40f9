import type { Presentation } from '../../bridge/presentation/presentation.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type {
  ChatMessage,
  Provider,
  ProviderErrorCode,
  StepEnd,
  ToolCallPart,
  ToolChoice,
  Usage,
} from '../providers/provider.ts'
import type { SessionEvent } from '../store/store.ts'

/** One request of a client: its new messages, or with a stateless client its whole history. */
export interface TurnRequest {
  readonly id: string
  readonly caller: Caller
  readonly messages: readonly ChatMessage[]
  /** Names of the client's own tools, as the client calls them. */
  readonly clientTools: readonly string[]
  readonly toolChoice?: ToolChoice
  /** Passed to the provider as they came. */
  readonly parameters: JsonObject
}

/** What the session log says of the tools in a turn; the direct figures are what showing every tool would have cost. */
export interface Surface {
  readonly catalogSize: number
  readonly sources: Readonly<Record<string, number>>
  readonly directTools: number
  readonly directBytes: number
}

/** Hidden messages of turns that wait for their client; the key is a secret that only the client was given. */
export interface ParkedTurns {
  put(tenant: string, key: string, messages: readonly ChatMessage[]): Promise<void>
  /** Undefined when it is gone; then the client's own history has to do. */
  get(tenant: string, key: string): Promise<readonly ChatMessage[] | undefined>
}

type TraceAttributes = Readonly<Record<string, string | number | boolean>>

/** Runs `work` in a span; `turn`, `model-step` and `model-call` are the names asked for. */
type Trace = <T>(
  name: 'turn' | 'model-step' | 'model-call',
  attributes: TraceAttributes,
  work: (span: { readonly setAttributes: (attributes: TraceAttributes) => unknown }) => Promise<T>,
) => Promise<T>

export interface TurnDeps {
  readonly provider: Provider
  /** The provider's own name of the model. */
  readonly model: string
  /** The agent's instructions, first in every prompt. */
  readonly instructions?: string
  /** Asked anew for each model step: what a caller sees changes between steps only. */
  readonly present: () => Promise<Presentation>
  readonly surface: (presentation: Presentation) => Surface
  /** Waits until no other turn of the session runs; absent for a stateless caller. The turn calls what it gives when it ends. */
  readonly enterSession?: (signal: AbortSignal) => Promise<() => void>
  /** The session's messages so far; empty for a stateless caller. */
  readonly loadHistory: () => Promise<readonly ChatMessage[]>
  /** Adds to the session in one transaction; does nothing for a stateless caller. */
  readonly appendHistory: (messages: readonly ChatMessage[]) => Promise<void>
  readonly parked: ParkedTurns
  readonly record: (event: SessionEvent) => void
  readonly trace: Trace
  readonly nowMs: () => number
}

export type TurnFailureCode = ProviderErrorCode | 'invalid_history' | 'step_limit' | 'tool_choice_unmet'

export interface TurnFailure {
  readonly code: TurnFailureCode
  readonly message: string
  /** Of the request, e.g. `messages[3].tool_call_id`. */
  readonly param?: string
  readonly retryAfterSeconds?: number
}

/** A turn as it happens. The last event is `finished` or `failed`, unless the caller left: then there is none. */
export type TurnEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call-started'; readonly step: number; readonly callId: string; readonly name: string }
  | {
      readonly kind: 'call-settled'
      readonly step: number
      readonly callId: string
      readonly name: string
      readonly isError: boolean
      readonly ms: number
    }
  | {
      readonly kind: 'finished'
      /** `tool_calls` exactly when `calls` holds calls that the client has to run. */
      readonly end: StepEnd
      readonly calls: readonly ToolCallPart[]
      /** Summed over the model steps; absent where the provider said nothing. */
      readonly usage?: Usage
    }
  | { readonly kind: 'failed'; readonly failure: TurnFailure; readonly usage?: Usage }
