import { canonicalJson } from '../../../catalog/json.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import { HELD_CALLS_MAX, HELD_CALL_MS } from '../limits.ts'
import type { HeldCall } from './held-call.ts'

/** What waits for the next request of its client. */
export interface HeldCalls {
  /** With its key it is found by the same call made again, too. */
  keep(call: HeldCall, key?: string): void
  has(call: HeldCall): boolean
  isEmpty(): boolean
  /** The call that is gone on with by its id; another client's is not there. */
  byId(id: string, owner: Authenticated): HeldCall | undefined
  /** The call that its client was told to make again. */
  byKey(key: string): HeldCall | undefined
  forget(call: HeldCall): void
}

/** The same call by the same client: made again while it waits, it is that call and not another one. */
export function callKey({ token, caller }: Authenticated, name: string, args: JsonObject): string {
  const { tenant, agent, channel, sender, session } = caller
  return canonicalJson([token.id, tenant, agent, channel ?? null, sender ?? null, session ?? null, name, args])
}

interface Kept {
  readonly key: string | undefined
  readonly call: HeldCall
  readonly sinceMs: number
}

export function createHeldCalls(now: () => number): HeldCalls {
  // In order of their keeping.
  const kept = new Map<string, Kept>()
  const sweep = (): void => {
    for (const [id, { sinceMs }] of kept) {
      if (kept.size <= HELD_CALLS_MAX && now() - sinceMs < HELD_CALL_MS) return
      kept.delete(id)
    }
  }
  return {
    has: (call) => kept.has(call.id),
    isEmpty: () => kept.size === 0,
    keep(call, key) {
      kept.delete(call.id)
      kept.set(call.id, { key, call, sinceMs: now() })
      sweep()
    },
    byId(id, { token, caller }) {
      sweep()
      const call = kept.get(id)?.call
      const isOwn = call?.owner.token.id === token.id && call.owner.caller.agent === caller.agent
      return isOwn ? call : undefined
    },
    byKey(key) {
      sweep()
      return [...kept.values()].find((each) => each.key === key)?.call
    },
    forget: (call) => void kept.delete(call.id),
  }
}
