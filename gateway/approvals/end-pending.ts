import { setImmediate as breathe } from 'node:timers/promises'
import type { Approval } from '../../bridge/approval.ts'
import type { ApprovalStore, EndedApproval } from '../store/approval-store.ts'
import type { Ending } from './end-approval.ts'
import { BY_GATEWAY, endApproval } from './end-approval.ts'
import { END_BATCH_ROWS } from './limits.ts'
import type { NoticesOf } from './webhooks/webhook-notices.ts'

export interface EndPendingDeps {
  readonly store: Pick<ApprovalStore, 'get' | 'end' | 'listDue' | 'listHeld'>
  /** This gateway, as its approvals name it. */
  readonly holder: string
  readonly noticesOf: NoticesOf
  /** Once that is kept. */
  readonly onEnded: (ended: readonly (EndedApproval | undefined)[]) => void
  readonly now: () => number
}

/** Ends approvals that nobody decided, a batch at a time, so that ten thousand of them hold nobody up. */
export interface EndPending {
  cancel(approvals: readonly Approval[], reason: string): Promise<void>
  /** What this gateway holds, and what others hold that have not said so since before a time. */
  cancelHeld(reason: string, nowMs: number): Promise<void>
  /** All whose time is over. */
  expire(): Promise<void>
  /** One that is held, whatever its row says of its time. */
  expireHeld(tenant: string, id: string): Promise<void>
}

export function createEndPending({ store, holder, noticesOf, onEnded, now }: EndPendingDeps): EndPending {
  const endAll = async (approvals: readonly Approval[], how: Pick<Ending, 'state' | 'reason'>): Promise<void> => {
    if (approvals.length === 0) return
    const ending = { ...how, by: BY_GATEWAY, atMs: now() }
    onEnded(await store.end(approvals.map((approval) => endApproval(approval, ending, noticesOf))))
  }
  const endWhile = async (
    list: () => Promise<readonly Approval[]>,
    how: Pick<Ending, 'state' | 'reason'>,
  ): Promise<void> => {
    for (let found = await list(); found.length > 0; found = await list()) {
      await endAll(found, how)
      await breathe()
    }
  }
  return {
    cancel: (approvals, reason) => endAll(approvals, { state: 'cancelled', reason }),
    cancelHeld: (reason, nowMs) =>
      endWhile(() => store.listHeld({ holder, nowMs, limit: END_BATCH_ROWS }), { state: 'cancelled', reason }),
    expire: () => endWhile(() => store.listDue(now(), END_BATCH_ROWS), EXPIRED),
    async expireHeld(tenant, id) {
      const row = await store.get(tenant, id)
      if (row?.approval.state === 'pending' && !row.isParked) await endAll([row.approval], EXPIRED)
    },
  }
}

const EXPIRED = { state: 'expired', reason: 'nobody decided in time' } as const
