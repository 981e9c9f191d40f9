import type { Store } from '../store/store.ts'
import type { WaitingClaim } from '../store/waiting-store.ts'
import { CLAIM_LEASE_MS } from './limits.ts'

export interface WorkClaimsDeps {
  readonly store: Pick<Store, 'waiting'>
  /** Of this gateway, the same after a restart; no other gateway on the store has it. */
  readonly owner: string
  /** Claims are renewed until then. */
  readonly closing: AbortSignal
  readonly now: () => number
  readonly onError: (error: unknown) => void
  /** 30 s where it is not said. */
  readonly leaseMs?: number
}

/**
 * What this gateway is at, told to every other one on the same store: each row of work that waits names who is at it, and
 * until when. Who does not renew it (a gateway that was killed, or stands still) has lost it, and can neither keep nor
 * remove the row any more, nor so begin a call.
 */
export interface WorkClaims {
  /** False where another gateway is at it. Work that has no row yet is its maker's. */
  take(tenant: string, id: string): Promise<boolean>
  drop(tenant: string, id: string): Promise<void>
  isElsewhere(tenant: string, id: string): Promise<boolean>
  /** What a row is kept or removed with. */
  claimOn(tenant: string, id: string): WaitingClaim
  /** Whether the row is there now, as this gateway knows it. */
  note(tenant: string, id: string, isThere: boolean): void
}

export function createWorkClaims(deps: WorkClaimsDeps): WorkClaims {
  const { store, owner, closing, now, leaseMs = CLAIM_LEASE_MS } = deps
  // What this process is at, and whether its row is known to be there.
  const held = new Map<string, boolean>()
  const fresh = (): Omit<WaitingClaim, 'isHeld' | 'isKnown'> => ({ owner, nowMs: now(), untilMs: now() + leaseMs })
  const renew = (): void => {
    if (![...held.values()].includes(true)) return
    store.waiting.renew(owner, now() + leaseMs).catch(deps.onError)
  }
  const timer = setInterval(renew, leaseMs / 3)
  timer.unref()
  const stop = (): void => clearInterval(timer)
  if (closing.aborted) stop()
  else closing.addEventListener('abort', stop, { once: true })
  return {
    async take(tenant, id) {
      const taken = await store.waiting.claim(tenant, id, fresh())
      if (taken !== 'taken') held.set(keyOf(tenant, id), taken === 'claimed')
      return taken !== 'taken'
    },
    async drop(tenant, id) {
      const isKnown = held.get(keyOf(tenant, id)) === true
      held.delete(keyOf(tenant, id))
      if (isKnown) await store.waiting.release(tenant, id, owner)
    },
    async isElsewhere(tenant, id) {
      const other = await store.waiting.ownerOf(tenant, id, now())
      return other !== undefined && other !== owner
    },
    claimOn(tenant, id) {
      const known = held.get(keyOf(tenant, id))
      return { ...fresh(), isHeld: known !== undefined, isKnown: known === true }
    },
    note(tenant, id, isThere) {
      if (held.has(keyOf(tenant, id))) held.set(keyOf(tenant, id), isThere)
    },
  }
}

function keyOf(tenant: string, id: string): string {
  return JSON.stringify([tenant, id])
}
