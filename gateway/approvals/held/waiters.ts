import type { Approval } from '../../../bridge/approval.ts'
import type { ApprovalRef } from '../approval-key.ts'
import { approvalKey, readApprovalKey } from '../approval-key.ts'

/** Who waits, in this process, for which approval. */
export interface Waiters {
  /** Resolves when that approval is woken; rejects with the signal's reason when that aborts first. */
  wait(tenant: string, id: string, signal: AbortSignal): Promise<Approval>
  wake(approval: Approval): void
  /** What anybody waits for. */
  all(): readonly ApprovalRef[]
}

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<(approval: Approval) => void>>()
  return {
    wait(tenant, id, signal) {
      const key = approvalKey({ tenant, id })
      const { promise, resolve, reject } = Promise.withResolvers<Approval>()
      const own = waiting.get(key) ?? new Set()
      waiting.set(key, own.add(resolve))
      const leave = (): void => {
        own.delete(resolve)
        if (own.size === 0 && waiting.get(key) === own) waiting.delete(key)
        signal.removeEventListener('abort', abort)
      }
      const abort = (): void => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      return promise.finally(leave)
    },
    wake(approval) {
      for (const resolve of waiting.get(approvalKey(approval)) ?? []) resolve(approval)
    },
    all: () => [...waiting.keys()].map(readApprovalKey),
  }
}
