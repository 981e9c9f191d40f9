import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'
import { DAY_MS, JOURNAL_LOOK_MS } from './limits.ts'

interface KeepDeps {
  readonly store: Pick<Store, 'expireJournals'>
  readonly log: Logger
  readonly now: () => number
}

/** Drops the recorded answers of runs when their time is over: now, and every hour. */
export function keepJournalsFor(days: () => number, { store, log, now }: KeepDeps): { readonly stop: () => void } {
  const expire = (): void => {
    store.expireJournals(now() - days() * DAY_MS).catch((error: unknown) => {
      log.error({ err: error }, 'recorded answers could not be dropped')
    })
  }
  expire()
  const timer = setInterval(expire, JOURNAL_LOOK_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
