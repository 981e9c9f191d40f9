import type { Approval } from '../../bridge/approval.ts'
import { HELD_OVERTIME_MS } from './limits.ts'

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
  const end = (tenant: string, id: string): void => {
    const key = JSON.stringify([tenant, id])
    clearTimeout(timers.get(key))
    timers.delete(key)
  }
  return {
    begin({ tenant, id, createdMs, expiresMs }) {
      end(tenant, id)
      const timer = setTimeout(
        () => {
          end(tenant, id)
          expire(tenant, id)
        },
        expiresMs - createdMs + HELD_OVERTIME_MS,
      )
      timers.set(JSON.stringify([tenant, id]), timer.unref())
    },
    end,
    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
