import type { Approval } from '../../../bridge/approval.ts'
import { approvalKey } from '../approval-key.ts'
import { HELD_OVERTIME_MS } from '../limits.ts'

/**
 * Ends held approvals when their time is over by a clock that nobody sets. The rows say when by the one on the wall, and
 * where that is set back an hour a person would have the hour more to allow what nobody waits for any longer.
 */
export interface HeldDeadlines {
  begin(approval: Approval): void
  /** It has ended, or is parked and waits by the rows alone. */
  end(tenant: string, id: string): void
  stop(): void
}

export function createHeldDeadlines(expire: (tenant: string, id: string) => void): HeldDeadlines {
  const timers = new Map<string, NodeJS.Timeout>()
  const end = (key: string): void => {
    clearTimeout(timers.get(key))
    timers.delete(key)
  }
  return {
    begin({ tenant, id, createdMs, expiresMs }) {
      const key = approvalKey({ tenant, id })
      end(key)
      const over = (): void => {
        end(key)
        expire(tenant, id)
      }
      timers.set(key, setTimeout(over, expiresMs - createdMs + HELD_OVERTIME_MS).unref())
    },
    end: (tenant, id) => end(approvalKey({ tenant, id })),
    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
