/** Tells one session's client that its tools have changed. */
export interface ChangeTeller {
  changed(): void
  /** Its client has opened the stream on which it hears of that, until `closed`. */
  opened(closed: Promise<unknown>): void
}

/**
 * A client opens its stream after it has begun, and again a second after its connection broke: what changes meanwhile is told
 * to it then, since it would go on with the tools that it knows.
 */
export function createChangeTeller(tell: () => void): ChangeTeller {
  let streams = 0
  let isBehind = false
  return {
    changed() {
      if (streams > 0) tell()
      else isBehind = true
    },
    opened(closed) {
      // The one before may have been lost unseen, and with it what was told on it.
      isBehind ||= streams > 0
      streams += 1
      void closed.finally(() => (streams -= 1))
      if (!isBehind) return
      isBehind = false
      tell()
    },
  }
}
