import { addressKey } from './address-key.ts'
import { ADDRESSES_MAX, FAILURES_AT_ONCE, FAILURE_EVERY_MS } from './limits.ts'

/** Counts wrong tokens by the address that sent them. */
export interface FailedAttempts {
  /** Until the address may fail again; 0 when it may now. */
  waitMs(address: string): number
  note(address: string): void
}

interface Level {
  /** Time until all failures are forgiven, counted from `atMs`. */
  readonly debtMs: number
  readonly atMs: number
}

const DEBT_MAX_MS = FAILURES_AT_ONCE * FAILURE_EVERY_MS

/**
 * A leaking bucket for each address. What is refused while an address has to wait is not counted, so that nobody waits
 * longer than one leak, whatever a neighbour behind the same address does.
 */
export function createFailedAttempts(now: () => number): FailedAttempts {
  const levels = new Map<string, Level>()
  const debtOf = (key: string, nowMs: number): number => {
    const level = levels.get(key)
    return level === undefined ? 0 : Math.max(0, level.debtMs - Math.max(0, nowMs - level.atMs))
  }
  return {
    waitMs(address) {
      // Nearly always; the key of an address takes longer than the look.
      if (levels.size === 0) return 0
      return Math.max(0, debtOf(addressKey(address), now()) + FAILURE_EVERY_MS - DEBT_MAX_MS)
    },
    note(address) {
      const [key, nowMs] = [addressKey(address), now()]
      const level = { debtMs: debtOf(key, nowMs) + FAILURE_EVERY_MS, atMs: nowMs }
      // To the end of the map, whose beginning is so what failed longest ago.
      levels.delete(key)
      levels.set(key, level)
      const [oldest] = levels.keys()
      if (levels.size > ADDRESSES_MAX && oldest !== undefined) levels.delete(oldest)
    },
  }
}
