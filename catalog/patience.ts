/** Time that passes only while nobody else is waited for. */
export interface Patience {
  /** Aborted when the time is over, and whenever the outer signal is. */
  readonly signal: AbortSignal
  /** Whether the time was over, in difference to the outer signal's abort. */
  readonly isOver: boolean
  /** It stands still until the given function was called; pauses nest. */
  readonly pause: () => () => void
  /** The whole time is left again. */
  readonly restart: () => void
  readonly end: () => void
}

export interface PatienceOptions {
  readonly ms: number
  /** What the signal is aborted with when the time is over. */
  readonly reason: () => unknown
}

/** A deadline that can be stopped while a person thinks. */
export function startPatience({ ms, reason }: PatienceOptions, outer: AbortSignal): Patience {
  const controller = new AbortController()
  let [leftMs, sinceMs, pauses] = [ms, performance.now(), 0]
  let [isOver, isEnded] = [false, false]
  let timer: NodeJS.Timeout | undefined
  const onOuter = (): void => controller.abort(outer.reason)
  const look = (): void => {
    const stillMs = leftMs - (performance.now() - sinceMs)
    timer = undefined
    if (stillMs > 0) timer = setTimeout(look, stillMs)
    else {
      isOver = true
      controller.abort(reason())
    }
  }
  const run = (): void => {
    if (isEnded || controller.signal.aborted) return
    sinceMs = performance.now()
    // One that is set is too early now, and looks again then: each step of progress sets none anew.
    timer ??= setTimeout(look, leftMs)
  }
  const resume = (): void => {
    pauses -= 1
    if (pauses === 0) run()
  }
  if (outer.aborted) onOuter()
  else {
    outer.addEventListener('abort', onOuter, { once: true })
    run()
  }
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    pause() {
      if (pauses === 0) {
        clearTimeout(timer)
        timer = undefined
        leftMs = Math.max(0, leftMs - (performance.now() - sinceMs))
      }
      pauses += 1
      let isPaused = true
      return () => {
        if (isPaused) resume()
        isPaused = false
      }
    },
    restart() {
      leftMs = ms
      if (pauses === 0) run()
    },
    end() {
      isEnded = true
      clearTimeout(timer)
      outer.removeEventListener('abort', onOuter)
    },
  }
}
