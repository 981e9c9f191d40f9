/** Work that is done again and again, and that nobody waits for. */
export interface Chore {
  /** Ends it: what is being done at this moment is told by its signal, and fails in silence. */
  readonly stop: () => void
}

export interface ChoreOptions {
  readonly everyMs: number
  /** What the log says when it fails; the next time tries again. */
  readonly failed: string
  readonly log: { readonly error: (facts: { readonly err: unknown }, message: string) => void }
}

/** Does it now and again after each interval, never twice at one time, until it is stopped. It keeps no process alive. */
export function startChore(
  work: (stopping: AbortSignal) => Promise<unknown>,
  { everyMs, failed, log }: ChoreOptions,
): Chore {
  const stopping = new AbortController()
  let isUnderWay = false
  const attempt = async (): Promise<void> => {
    if (isUnderWay) return
    isUnderWay = true
    try {
      await work(stopping.signal)
    } catch (error) {
      // A gateway that stops closes the store under it.
      if (!stopping.signal.aborted) log.error({ err: error }, failed)
    } finally {
      isUnderWay = false
    }
  }
  void attempt()
  const timer = setInterval(() => void attempt(), everyMs)
  timer.unref()
  return {
    stop() {
      stopping.abort()
      clearInterval(timer)
    },
  }
}
