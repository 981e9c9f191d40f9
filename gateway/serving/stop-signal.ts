import { STOP_ECHO_MS } from './limits.ts'

export interface StopSignal {
  /** Resolves at the first signal. */
  readonly asked: Promise<void>
  /** Resolves when someone who will not wait signals again. */
  readonly insisted: Promise<void>
}

export interface StopSignalDeps {
  readonly on: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void) => unknown
  readonly nowMs: () => number
}

/**
 * Listens for the signals that stop a gateway. One Ctrl-C comes several times: from the terminal, which sends it to every
 * process in front, and from each launcher between, which passes it on. So what follows at once is not another request.
 */
export function listenForStop({ on, nowMs }: StopSignalDeps): StopSignal {
  const asked = Promise.withResolvers<void>()
  const insisted = Promise.withResolvers<void>()
  let askedAtMs: number | undefined
  const listener = (): void => {
    askedAtMs ??= nowMs()
    if (nowMs() - askedAtMs > STOP_ECHO_MS) insisted.resolve()
    asked.resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) on(signal, listener)
  return { asked: asked.promise, insisted: insisted.promise }
}
