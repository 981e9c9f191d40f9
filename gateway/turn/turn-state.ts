import type { Pending } from '../../bridge/approval.ts'
import type { FrozenCall } from '../../bridge/approving/frozen-call.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { ChatMessage, Reasoning, ToolCallPart, ToolChoice, Usage } from '../providers/provider.ts'

/** What a turn is asked for, but for its messages. */
export interface KeptRequest {
  readonly id: string
  readonly caller: Caller
  /** Names of the client's own tools, as the client calls them. */
  readonly clientTools: readonly string[]
  readonly toolChoice?: ToolChoice
  /** Passed to the provider as they came. */
  readonly parameters: JsonObject
}

/** Where one call of a model's step stands. */
export type StepCallState =
  /** Nothing is known of its end: after a crash it counts as unknown, and is not made again. */
  | { readonly kind: 'under-way' }
  | { readonly kind: 'settled'; readonly text: string; readonly isError: boolean }
  /** A program that waits, kept as a run of this id. */
  | { readonly kind: 'run'; readonly run: string; readonly pending: readonly Pending[] }
  /** A call of the model's own that waits. */
  | { readonly kind: 'call'; readonly call: FrozenCall; readonly pending: readonly Pending[] }
  /** Given to the client under this id; `content` is what it sent back. */
  | {
      readonly kind: 'client'
      readonly id: string
      readonly name: string
      readonly arguments: JsonObject
      readonly content?: Extract<ChatMessage, { role: 'tool' }>['content']
    }

export interface StepCall {
  readonly call: ToolCallPart
  readonly state: StepCallState
}

/** A model's step whose calls have not all ended. */
export interface StepState extends Pick<Reasoning, 'reasoning_content' | 'reasoning_details'> {
  readonly text: string
  readonly calls: readonly StepCall[]
}

/**
 * A turn that waits, or that has waited and is under way again: all that going on from here needs. It holds messages and
 * inputs whole; wherever it is kept it lies sealed.
 */
export interface TurnState {
  readonly request: KeptRequest
  /** Lists of tools that hooks narrowed it to. */
  readonly toolsAllow: readonly (readonly string[])[]
  /** System and developer messages at the head. */
  readonly head: readonly ChatMessage[]
  /** What the model saw, the whole steps of this turn among it. */
  readonly conversation: readonly ChatMessage[]
  /** The part of it that the session does not hold yet. */
  readonly unsaved: readonly ChatMessage[]
  /** Whole steps of this turn: what a stateless client was not shown. */
  readonly hidden: readonly ChatMessage[]
  readonly steps: number
  readonly usage?: Usage
  /** How often each call, letter for letter, has failed. */
  readonly failures: readonly (readonly [string, number])[]
  /** Absent between two steps. */
  readonly step?: StepState
  /** Keys of the ids under which the client was given calls. */
  readonly clientKeys: readonly string[]
  /** Whether the client has been told that it waits. */
  readonly isParked: boolean
}

/** What a turn waits for, in the order of its calls. */
export function pendingOfStep(step: StepState | undefined): readonly Pending[] {
  return (step?.calls ?? []).flatMap(({ state }) =>
    state.kind === 'run' || state.kind === 'call' ? state.pending : [],
  )
}
