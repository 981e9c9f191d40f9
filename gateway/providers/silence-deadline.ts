export interface SilenceDeadline {
  /** Aborted when the caller leaves or the silence lasts too long. */
  readonly controller: AbortController
  /** Whether it was the silence. */
  readonly isExpired: () => boolean
  /** Something was heard. */
  readonly touch: () => void
  readonly stop: () => void
}

/** Aborts when nothing was heard for `silenceMs`, or with the caller's own signal and reason. */
export function createSilenceDeadline(silenceMs: number, signal: AbortSignal): SilenceDeadline {
  const controller = new AbortController()
  let isExpired = false
  const timer = setTimeout(() => {
    isExpired = true
    controller.abort(new DOMException('upstream silent for too long', 'TimeoutError'))
  }, silenceMs)
  const leave = () => controller.abort(signal.reason)
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  return {
    controller,
    isExpired: () => isExpired,
    touch: () => {
      timer.refresh()
    },
    stop: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    },
  }
}
