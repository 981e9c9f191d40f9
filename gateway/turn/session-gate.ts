/** Lets the turns of one session in one after another, in the order in which they came. */
export interface SessionGate {
  /** Resolves when it is this turn's; call what it gives when the turn has ended. Rejects when `signal` is aborted first. */
  enter(key: string, signal: AbortSignal): Promise<() => void>
}

/**
 * Two turns of one session at once would each miss the other's messages, and their histories would interleave. The gate
 * holds for one process; a session that several gateways serve needs its own.
 */
export function createSessionGate(): SessionGate {
  const tails = new Map<string, Promise<void>>()
  return {
    async enter(key, signal) {
      const before = tails.get(key) ?? Promise.resolve()
      const { promise: left, resolve: leave } = Promise.withResolvers<void>()
      const tail = forgetAfter(before.then(() => left))
      tails.set(key, tail)
      try {
        await settledOrAborted(before, signal)
      } catch (error) {
        // Its place in the queue is free once those before it have gone.
        leave()
        throw error
      }
      return leave

      // The last one out leaves nothing behind.
      async function forgetAfter(ended: Promise<void>): Promise<void> {
        await ended
        if (tails.get(key) === tail) tails.delete(key)
      }
    },
  }
}

async function settledOrAborted(before: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([before, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
