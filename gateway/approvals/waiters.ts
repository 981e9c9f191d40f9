import type { Approval } from '../../bridge/approval.ts'

/** Who waits, in this process, for which approval. */
export interface Waiters {
  /** Resolves when that approval is woken; rejects with the signal's reason when that aborts first. */
  wait(tenant: string, id: string, signal: AbortSignal): Promise<Approval>
  wake(approval: Approval): void
  /** What anybody waits for. */
  all(): readonly Pick<Approval, 'tenant' | 'id'>[]
}

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<(approval: Approval) => void>>()
  return {
    wait(tenant, id, signal) {
      const key = keyOf(tenant, id)
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
      for (const resolve of waiting.get(keyOf(approval.tenant, approval.id)) ?? []) resolve(approval)
    },
    all: () => [...waiting.keys()].map(readKey),
  }
}

function keyOf(tenant: string, id: string): string {
  return JSON.stringify([tenant, id])
}

function readKey(key: string): Pick<Approval, 'tenant' | 'id'> {
  const [tenant, id] = JSON.parse(key)
  return { tenant, id }
}
