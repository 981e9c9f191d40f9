import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'
import { PARKED_TURN_SPACE } from '../turn/parked-turn.ts'
import { JOURNAL_LOOK_MS, PARKED_TURN_KEPT_MS } from './limits.ts'

interface ExpiryDeps {
  readonly store: Pick<Store, 'expireValues'>
  readonly log: Logger
  readonly now: () => number
}

/** Drops what was kept for clients that never sent the results of their tools: now, and every hour. */
export function expireParkedTurns({ store, log, now }: ExpiryDeps): { readonly stop: () => void } {
  const expire = (): void => {
    store.expireValues(PARKED_TURN_SPACE, now() - PARKED_TURN_KEPT_MS).catch((error: unknown) => {
      log.error({ err: error }, 'parked turns could not be dropped')
    })
  }
  expire()
  const timer = setInterval(expire, JOURNAL_LOOK_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
