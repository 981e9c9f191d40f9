import { setTimeout as pause } from 'node:timers/promises'

/** The sessions of one server, one after the other. */
export interface SessionSuccession<S extends object> {
  readonly current: S | undefined
  stands(session: S): void
  /** The one that stood has ended, and is being opened again. */
  ended(): void
  /** The attempt that followed brought none, or none will follow soon. */
  missed(): void
  /**
   * The one being opened in the place of one that stood, `previous` if that has only just ended; undefined where there is
   * none, or it did not come in time.
   */
  reopened(previous: S | undefined, waitMs: number, signal: AbortSignal): Promise<S | undefined>
  /** The next that stands, however many attempts it takes; undefined where it did not come in time. */
  following(previous: S, waitMs: number, signal: AbortSignal): Promise<S | undefined>
}

/**
 * Between the end of a session and the next one are some hundred milliseconds in which a server is there and yet not to be
 * called. A call of that time waits for the first attempt, as nothing of it has been sent; a server that is down for
 * longer costs no call any waiting.
 */
export function createSessionSuccession<S extends object>(): SessionSuccession<S> {
  let current: S | undefined
  let isReopening = false
  let attempt = Promise.withResolvers<S | undefined>()
  let next = Promise.withResolvers<S>()

  function settleAttempt(session?: S): void {
    isReopening = false
    attempt.resolve(session)
    attempt = Promise.withResolvers()
  }

  return {
    get current() {
      return current
    },
    stands(session) {
      current = session
      settleAttempt(session)
      next.resolve(session)
      next = Promise.withResolvers()
    },
    ended() {
      current = undefined
      isReopening = true
    },
    missed: () => settleAttempt(),
    async reopened(previous, waitMs, signal) {
      const isEnding = previous !== undefined && current === previous
      return isReopening || isEnding ? inTime(attempt.promise, waitMs, signal) : current
    },
    async following(previous, waitMs, signal) {
      const isNewer = current !== undefined && current !== previous
      return isNewer ? current : inTime(next.promise, waitMs, signal)
    },
  }
}

/** Rejects with the signal's reason. */
async function inTime<T>(awaited: Promise<T>, waitMs: number, signal: AbortSignal): Promise<T | undefined> {
  const done = new AbortController()
  const over = pause(waitMs, undefined, { signal: AbortSignal.any([signal, done.signal]) }).catch(() => {
    // The caller has left, of which is told below; or what was awaited came.
  })
  try {
    const value = await Promise.race([awaited, over])
    signal.throwIfAborted()
    return value ?? undefined
  } finally {
    done.abort()
  }
}
