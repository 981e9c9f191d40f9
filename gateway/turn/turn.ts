import type { Pending } from '../../bridge/approval.ts'
import type { HookRunner } from '../../bridge/hooks/hook-runner.ts'
import type { Presentation } from '../../bridge/presentation/presentation.ts'
import type { ChatMessage, Provider, ProviderErrorCode, StepEnd, ToolCallPart, Usage } from '../providers/provider.ts'
import type { SessionEvent } from '../store/store.ts'
import type { ChatCommand } from './resumer.ts'
import type { TurnKeeper } from './turn-keeper.ts'
import type { KeptRequest } from './turn-state.ts'

/** One request of a client: its new messages, or with a stateless client its whole history. */
export interface TurnRequest extends KeptRequest {
  readonly messages: readonly ChatMessage[]
}

/** What a model step is shown. */
export interface PresentedTools {
  readonly presentation: Presentation
  /** Counted when it is read, by a look at every tool. */
  readonly figures: ToolFigures
}

/** What the session log says of the tools in a turn; the direct figures are what showing every tool would have cost. */
export interface ToolFigures {
  readonly catalogSize: number
  readonly sources: Readonly<Record<string, number>>
  readonly directTools: number
  readonly directBytes: number
}

/** Hidden messages of turns that wait for their client; the key is a secret that only the client was given. */
export interface HiddenMessages {
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
  /** The agent's own, first in every prompt; may be empty. */
  readonly instructions: string
  /** Asked anew for each model step: what a caller sees changes between steps only. `toolsAllow` narrows it further. */
  readonly present: (toolsAllow: readonly (readonly string[])[]) => Promise<PresentedTools>
  /** Waits until no other turn of the session runs, which a stateless caller need not. The turn calls what it gives when it ends. */
  readonly enterSession: (signal: AbortSignal) => Promise<() => void>
  /** The session's messages so far; empty for a stateless caller. */
  readonly loadHistory: () => Promise<readonly ChatMessage[]>
  /** Adds to the session in one transaction; does nothing for a stateless caller. */
  readonly appendHistory: (messages: readonly ChatMessage[]) => Promise<void>
  readonly hidden: HiddenMessages
  /** Handlers of plugins. */
  readonly hooks: Pick<HookRunner, 'beforeModel' | 'afterModel' | 'turnStart' | 'turnEnd'>
  readonly keeper: TurnKeeper
  /** Lines of the chat that are for the gateway. */
  readonly chatCommand: ChatCommand
  readonly record: (event: SessionEvent) => void
  readonly trace: Trace
  readonly nowMs: () => number
}

export type TurnFailureCode =
  | ProviderErrorCode
  | 'invalid_history'
  | 'step_limit'
  | 'tool_choice_unmet'
  /** A hook refused it. */
  | 'turn_blocked'

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
  /** A call is held until a person has decided, or until the turn is parked. */
  | {
      readonly kind: 'call-waiting'
      readonly step: number
      readonly callId: string
      readonly name: string
      readonly pending: readonly Pending[]
    }
  | {
      readonly kind: 'finished'
      /** `tool_calls` exactly when `calls` holds calls that the client has to run. */
      readonly end: StepEnd
      readonly calls: readonly ToolCallPart[]
      /** The turn is parked, and goes on by itself once this has come; its text says so. */
      readonly pending?: readonly Pending[]
      /** Summed over the model steps; absent where the provider said nothing. */
      readonly usage?: Usage
    }
  | { readonly kind: 'failed'; readonly failure: TurnFailure; readonly usage?: Usage }
