export interface SilenceDeadline {
  /** Aborted when the caller leaves or the silence lasts too long. */
  readonly controller: AbortController
  /** Whether it was the silence. */
  readonly isExpired: () => boolean
  /** Something was heard; from now on no more silence than this is allowed, where it is less. */
  readonly touch: (allowedMs?: number) => void
  readonly stop: () => void
}

/** Aborts when nothing was heard for `silenceMs`, or with the caller's own signal and reason. */
export function createSilenceDeadline(silenceMs: number, signal: AbortSignal): SilenceDeadline {
  const controller = new AbortController()
  let isExpired = false
  const expire = (): void => {
    isExpired = true
    controller.abort(new DOMException('upstream silent for too long', 'TimeoutError'))
  }
  let timer = setTimeout(expire, silenceMs)
  const leave = () => controller.abort(signal.reason)
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  return {
    controller,
    isExpired: () => isExpired,
    touch: (allowedMs = silenceMs) => {
      if (isExpired) return
      clearTimeout(timer)
      timer = setTimeout(expire, Math.min(allowedMs, silenceMs))
    },
    stop: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
    },
  }
}
