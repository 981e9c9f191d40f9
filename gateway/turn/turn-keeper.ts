import type { CallHold } from '../../bridge/approving/call-hold.ts'
import type { FrozenCall } from '../../bridge/approving/frozen-call.ts'
import type { ModelResult } from '../../bridge/presentation/presentation.ts'
import type { TurnState } from './turn-state.ts'

/** What keeps turns that wait, and goes on with what they wait for. */
export interface TurnKeeper {
  /** How long a call is held for a person before the turn is parked, in ms. */
  readonly holdMs: () => number
  /** Keeps it as it stands now, where a crash does not reach it. */
  readonly keep: (state: TurnState) => Promise<void>
  /** It has ended, or waits no longer. */
  readonly forget: () => Promise<void>
  /** The turn is parked: the long timeout counts for these approvals. Gives the time until which they wait from now on. */
  readonly park: (approvals: readonly string[]) => Promise<number>
  /** Goes on with a program that waits, as far as what it waits for has come. */
  readonly resumeRun: (run: string, signal: AbortSignal) => Promise<ModelResult>
  /** Makes a call that was parked. */
  readonly makeCall: (call: FrozenCall, waiting: ParkedCall, signal: AbortSignal) => Promise<ModelResult>
  /** Gives a program the client's results, by the ids of the calls. */
  readonly answerRun: (run: string, answers: ReadonlyMap<string, string>) => Promise<void>
}

export interface ParkedCall {
  /** The model's own call. */
  readonly parentCallId: string
  readonly hold: CallHold
}
