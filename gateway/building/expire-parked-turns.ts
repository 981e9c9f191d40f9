import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'
import { PARKED_CALL_SPACE } from '../mcp-server/approving/parked-calls.ts'
import { TOLD_SPACE } from '../parking/told-ends.ts'
import { TURN_POINTER_SPACE } from '../parking/waiting-turns.ts'
import { PARKED_TURN_SPACE } from '../turn/parked-turn.ts'
import { JOURNAL_LOOK_MS, PARKED_TURN_KEPT_MS } from './limits.ts'

const SPACES = [PARKED_TURN_SPACE, TURN_POINTER_SPACE, TOLD_SPACE, PARKED_CALL_SPACE]

interface ExpiryDeps {
  readonly store: Pick<Store, 'expireValues'>
  /** Ends what has waited for its client alone since before a time. */
  readonly cancelAbandoned: (beforeMs: number) => Promise<void>
  readonly log: Logger
  readonly now: () => number
}

/**
 * Drops what was kept for clients that never sent the results of their tools, and what was told of turns and calls that
 * had waited: now, and every hour.
 */
export function expireParkedTurns({ store, cancelAbandoned, log, now }: ExpiryDeps): { readonly stop: () => void } {
  const expireAll = async (beforeMs: number): Promise<void> => {
    for (const space of SPACES) await store.expireValues(space, beforeMs)
    await cancelAbandoned(beforeMs)
  }
  const expire = (): void => {
    expireAll(now() - PARKED_TURN_KEPT_MS).catch((error: unknown) => {
      log.error({ err: error }, 'parked turns could not be dropped')
    })
  }
  expire()
  const timer = setInterval(expire, JOURNAL_LOOK_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
