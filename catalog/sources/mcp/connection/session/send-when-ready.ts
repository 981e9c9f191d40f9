import { setTimeout as pause } from 'node:timers/promises'
import type { ToolAnnotations } from '../../../../tool.ts'
import { BUSY_REPEATS_MAX } from '../../limits.ts'
import { ServerBusyError } from '../../transport/http/server-busy.ts'

/** What says how long a call may wait, and whether it may go out twice. */
export interface TimedCall {
  /** Without an answer or progress. */
  readonly idleMs: number
  /** In all, where that is configured. */
  readonly deadlineMs?: number | undefined
  readonly annotations: ToolAnnotations | undefined
}

export interface TimedSend extends TimedCall {
  /** Stops the clock of the server's silence: it has said that it will be silent. Gives how to go on. */
  readonly pauseClock: () => () => void
  /** Shortest wait. */
  readonly busyPauseMs: number
}

/**
 * Sends, and sends again when a server that was too busy has said from when on it will have time: an answer that comes some
 * seconds later is of more use than a model that tries again at once. What would be waited for too long is told right away.
 */
export async function sendWhenReady<T>(send: () => Promise<T>, call: TimedSend, signal: AbortSignal): Promise<T> {
  let leftMs = Math.min(call.idleMs, call.deadlineMs ?? call.idleMs)
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ServerBusyError) || repeats >= BUSY_REPEATS_MAX) throw error
      const mayRepeat = error.hasBegunNothing || isHarmlessTwice(call.annotations)
      const waitMs = Math.max(error.retryAfterMs, call.busyPauseMs)
      if (!mayRepeat || waitMs > leftMs) throw error
      leftMs -= waitMs
      const goOn = call.pauseClock()
      await pause(waitMs, undefined, { signal }).finally(goOn)
    }
  }
}

/** By the word of the tool's author. */
export function isHarmlessTwice(annotations: ToolAnnotations | undefined): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true
}
