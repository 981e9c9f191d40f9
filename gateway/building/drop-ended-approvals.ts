import { setImmediate as breathe } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DROP_BATCH_ROWS } from '../approvals/limits.ts'
import type { Store } from '../store/store.ts'
import { DAY_MS, JOURNAL_LOOK_MS } from './limits.ts'

interface DropDeps {
  readonly store: { readonly approvals: Pick<Store['approvals'], 'dropEnded'> }
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly now: () => number
}

/** Drops approvals and grants whose end is so many days ago: now, and every hour, in small steps. */
export function dropEndedApprovals(days: () => number, deps: DropDeps): { readonly stop: () => void } {
  const { store, log, now } = deps
  const stopping = new AbortController()
  const dropAll = async (): Promise<void> => {
    let dropped = 0
    const beforeMs = now() - days() * DAY_MS
    while (!stopping.signal.aborted) {
      const count = await store.approvals.dropEnded(beforeMs, DROP_BATCH_ROWS)
      dropped += count
      if (count < DROP_BATCH_ROWS) break
      await breathe()
    }
    if (dropped > 0) log.info({ rows: dropped }, 'approvals and grants that ended long ago were dropped')
  }
  const drop = (): void => {
    dropAll().catch((error: unknown) => {
      if (!stopping.signal.aborted) log.error({ err: error }, 'ended approvals could not be dropped')
    })
  }
  drop()
  const timer = setInterval(drop, JOURNAL_LOOK_MS)
  timer.unref()
  return {
    stop() {
      stopping.abort()
      clearInterval(timer)
    },
  }
}
