import { setImmediate as breathe } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DROP_BATCH_ROWS } from '../approvals/limits.ts'
import type { Store } from '../store/store.ts'

export interface DropDeps {
  readonly store: { readonly approvals: Pick<Store['approvals'], 'dropEnded'> }
  readonly log: Pick<Logger, 'info'>
}

/** Drops approvals and grants that ended before a time, in small steps, until none is left or it has to stop. */
export async function dropEndedApprovals(
  beforeMs: number,
  { store, log }: DropDeps,
  stopping: AbortSignal,
): Promise<void> {
  let dropped = 0
  while (!stopping.aborted) {
    const count = await store.approvals.dropEnded(beforeMs, DROP_BATCH_ROWS)
    dropped += count
    if (count < DROP_BATCH_ROWS) break
    await breathe()
  }
  if (dropped > 0) log.info({ rows: dropped }, 'approvals and grants that ended long ago were dropped')
}
