/** Work under a signal of its own and until the gateway stops. */
export type WithClosing = <T>(signal: AbortSignal, work: (joined: AbortSignal) => Promise<T>) => Promise<T>

/**
 * `AbortSignal.any` for the many calls that each are over before the gateway is: it keeps them in lists of weak references,
 * which takes four times as long.
 */
export function createClosingJoin(closing: AbortSignal): WithClosing {
  const open = new Set<AbortController>()
  const endAll = (): void => {
    for (const each of open) each.abort(closing.reason)
  }
  closing.addEventListener('abort', endAll, { once: true })
  return async (signal, work) => {
    const joined = new AbortController()
    const onAbort = (): void => joined.abort(signal.reason)
    if (signal.aborted) onAbort()
    else if (closing.aborted) joined.abort(closing.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    open.add(joined)
    try {
      return await work(joined.signal)
    } finally {
      signal.removeEventListener('abort', onAbort)
      open.delete(joined)
    }
  }
}
