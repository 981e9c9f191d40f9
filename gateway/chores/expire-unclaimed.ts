import type { Store } from '../store/store.ts'
import { PARKED_CALL_SPACE } from '../mcp-server/approving/parked-calls.ts'
import { TOLD_SPACE } from '../parking/told-ends.ts'
import { TURN_POINTER_SPACE } from '../parking/waiting-turns.ts'
import { HIDDEN_MESSAGES_SPACE } from '../turn/history/hidden-messages.ts'

const SPACES = [HIDDEN_MESSAGES_SPACE, TURN_POINTER_SPACE, TOLD_SPACE, PARKED_CALL_SPACE]

export interface ExpiryDeps {
  readonly store: Pick<Store, 'expireValues'>
  /** Ends what has waited for its client alone since before a time. */
  readonly cancelAbandoned: (beforeMs: number) => Promise<void>
}

/**
 * Drops what was kept before a time for clients that never sent the results of their tools, and what was told of turns and
 * calls that had waited.
 */
export async function expireUnclaimed(beforeMs: number, { store, cancelAbandoned }: ExpiryDeps): Promise<void> {
  for (const space of SPACES) await store.expireValues(space, beforeMs)
  await cancelAbandoned(beforeMs)
}
