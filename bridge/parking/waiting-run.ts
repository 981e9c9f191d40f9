import type { Caller } from '../../catalog/caller.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { Pending } from '../approval.ts'
import type { FrozenCall } from '../approving/frozen-call.ts'
import type { Notice } from '../outcome.ts'
import type { Artifact, RunCall, RunTelemetry } from '../run.ts'
import type { RunRecording } from './run-recording.ts'

/** A call of a program that waits, under the number of the operation that asked for it. */
export interface WaitingCall {
  readonly operation: number
  readonly call: FrozenCall
  readonly pending: Pending
  /** The client's result of its own tool, once it has come. */
  readonly answer?: string
}

/** What had come of a run before it was parked. */
export interface EarlierPart {
  readonly calls: readonly RunCall[]
  readonly notices: readonly Notice[]
  readonly artifacts: readonly Artifact[]
  readonly asked: Pick<RunTelemetry, 'searches' | 'describes'>
}

/**
 * A run that waits, or that has waited and is under way again: all that going on from here needs, with nothing done
 * twice. It holds inputs and answers whole; wherever it is kept it lies sealed.
 */
export interface WaitingRun {
  readonly id: string
  readonly caller: Caller
  readonly turnId?: string
  readonly parentCallId?: string
  /** The tools that the client brought. */
  readonly clientTools: readonly Tool[]
  readonly reachesClient: boolean
  readonly recording: RunRecording
  readonly waits: readonly WaitingCall[]
  /** Operations that were asked for and not begun. Whatever else has no answer was under way: its effect is unknown. */
  readonly notBegun: readonly number[]
  /** Calls so far: the next one's number follows. */
  readonly callCount: number
  readonly earlier: EarlierPart
}
