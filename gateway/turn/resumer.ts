import type { Approval } from '../../bridge/approval.ts'
import type { RunError } from '../../bridge/run.ts'
import type { Caller } from '../../catalog/caller.ts'

/** Goes on with what waits for a decision: turns, runs and single calls. Only one gateway may hold the state. */
export interface Resumer {
  /**
   * An approval has left `pending`, however: what waits for it goes on in the background, unless it is still held by the
   * request that made it. Does not wait and never throws; telling it twice is harmless.
   */
  onDecided(approval: Approval): void
  /** At start: whatever was decided, or was under way, when the last gateway ended. Never rejects. */
  resumeAll(): Promise<void>
}

/** A turn that had been parked has come to its end, seen or not by the client that began it. */
export interface FinishedTurn {
  readonly tenant: string
  readonly agent: string
  readonly turnId: string
  readonly session?: string
  readonly status: 'completed' | 'failed'
  /** The assistant's answer, of all steps since the turn was parked. */
  readonly answer: string
  readonly error?: Pick<RunError, 'message'>
}

/** Told of each such end; webhooks are made of it. */
export type OnTurnFinished = (turn: FinishedTurn) => void

/** Lines in the chat that are for the gateway, such as `/approve <id> allow-once`. */
export interface ChatCommand {
  /** The text that the assistant answers with, or undefined where it is no such line and the model has to see it. */
  answer(text: string, caller: Caller): Promise<string | undefined>
  /** Whether anybody can decide by such a line where this caller writes. */
  isHeardFrom(caller: Caller): boolean
}
