import { canonicalJson } from '../../../catalog/json.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import { HELD_CALLS_MAX, HELD_CALL_MS } from '../limits.ts'
import type { HeldCall } from './held-call.ts'

/** What waits for the next request of its client. */
export interface HeldCalls {
  /** Once its client was told to make it again, it is found by that too, whatever else it waits for later. */
  keep(call: HeldCall, found: 'by-id' | 'by-call'): void
  has(call: HeldCall): boolean
  isEmpty(): boolean
  /** The call that is gone on with by its id; another client's is not there. */
  byId(id: string, owner: Authenticated): HeldCall | undefined
  /** The call that its client was told to make again. */
  byKey(key: string): HeldCall | undefined
  /** It has ended, and its client has the end. */
  forget(call: HeldCall): void
  /** Whether it was forgotten: a client that comes back for it once more must not be told to make it again. */
  hasEnded(id: string, owner: Authenticated): boolean
}

/** The same call by the same client: made again while it waits, it is that call and not another one. */
export function callKey({ token, caller }: Authenticated, name: string, args: JsonObject): string {
  const { tenant, agent, channel, sender, session } = caller
  return canonicalJson([token.id, tenant, agent, channel ?? null, sender ?? null, session ?? null, name, args])
}

interface Kept {
  readonly isFoundByCall: boolean
  readonly call: HeldCall
  readonly sinceMs: number
}

interface Ended {
  readonly owner: HeldCall['owner']
  readonly sinceMs: number
}

export function createHeldCalls(now: () => number): HeldCalls {
  // In order of their keeping.
  const kept = new Map<string, Kept>()
  const ended = new Map<string, Ended>()
  const sweep = (calls: Map<string, Kept | Ended>): void => {
    for (const [id, { sinceMs }] of calls) {
      if (calls.size <= HELD_CALLS_MAX && now() - sinceMs < HELD_CALL_MS) return
      calls.delete(id)
    }
  }
  return {
    has: (call) => kept.has(call.id),
    isEmpty: () => kept.size === 0,
    keep(call, found) {
      const isFoundByCall = found === 'by-call' || kept.get(call.id)?.isFoundByCall === true
      kept.delete(call.id)
      kept.set(call.id, { isFoundByCall, call, sinceMs: now() })
      sweep(kept)
    },
    byId(id, owner) {
      sweep(kept)
      const call = kept.get(id)?.call
      return call !== undefined && isOwn(call.owner, owner) ? call : undefined
    },
    byKey(key) {
      sweep(kept)
      return [...kept.values()].find(({ isFoundByCall, call }) => isFoundByCall && call.key === key)?.call
    },
    forget({ id, owner }) {
      if (!kept.delete(id)) return
      ended.set(id, { owner, sinceMs: now() })
      sweep(ended)
    },
    hasEnded(id, owner) {
      sweep(ended)
      const known = ended.get(id)
      return known !== undefined && isOwn(known.owner, owner)
    },
  }
}

function isOwn(held: HeldCall['owner'], { token, caller }: Authenticated): boolean {
  return held.token.id === token.id && held.caller.agent === caller.agent
}
