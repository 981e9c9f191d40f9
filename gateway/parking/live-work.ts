import { setTimeout as sleep } from 'node:timers/promises'
import { CLAIM_LOOK_MS } from './limits.ts'
import type { WorkClaims } from './work-claims.ts'

/** Ends what was entered: call it when the work has ended or is parked. */
export type Leave = () => void

export type Entered =
  | { readonly kind: 'in'; readonly leave: Leave }
  /** Somebody is at it: in this process, or in another gateway on the same store. */
  | { readonly kind: 'here' }
  | { readonly kind: 'elsewhere' }

/** What is under way, so that one piece of work is never gone on with twice at once, here or in another gateway. */
export interface LiveWork {
  /** Waits until nobody else is at it. */
  enter(tenant: string, id: string): Promise<Leave>
  /** The same at once. */
  tryEnter(tenant: string, id: string): Promise<Entered>
  /** Whether somebody of this process is at it. */
  isLive(tenant: string, id: string): boolean
  isElsewhere(tenant: string, id: string): Promise<boolean>
}

export interface LiveWorkDeps {
  readonly claims: Pick<WorkClaims, 'take' | 'drop' | 'isElsewhere'>
  /** Told of each piece of work that nobody is at any more. */
  readonly onLeft: (tenant: string, id: string) => void
}

export function createLiveWork({ claims, onLeft }: LiveWorkDeps): LiveWork {
  const live = new Map<string, Promise<void>>()
  const begin = (tenant: string, id: string): { readonly leave: Leave; readonly giveUp: Leave } => {
    const key = keyOf(tenant, id)
    const { promise, resolve } = Promise.withResolvers<void>()
    live.set(key, promise)
    let hasLeft = false
    const giveUp = (): void => {
      if (hasLeft) return
      hasLeft = true
      live.delete(key)
      resolve()
    }
    const leave = (): void => {
      if (hasLeft) return
      // A store that is closed or locked does not take it back: then it ends with its lease.
      claims.drop(tenant, id).catch(() => undefined)
      giveUp()
      onLeft(tenant, id)
    }
    return { leave, giveUp }
  }
  const take = async (tenant: string, id: string): Promise<Leave | undefined> => {
    const { leave, giveUp } = begin(tenant, id)
    try {
      if (await claims.take(tenant, id)) return leave
    } catch (error) {
      giveUp()
      throw error
    }
    giveUp()
    return undefined
  }
  return {
    async enter(tenant, id) {
      for (;;) {
        for (let before = live.get(keyOf(tenant, id)); before !== undefined; before = live.get(keyOf(tenant, id)))
          await before
        const leave = await take(tenant, id)
        if (leave !== undefined) return leave
        await sleep(CLAIM_LOOK_MS)
      }
    },
    async tryEnter(tenant, id) {
      if (live.has(keyOf(tenant, id))) return { kind: 'here' }
      const leave = await take(tenant, id)
      return leave === undefined ? { kind: 'elsewhere' } : { kind: 'in', leave }
    },
    isLive: (tenant, id) => live.has(keyOf(tenant, id)),
    isElsewhere: (tenant, id) => claims.isElsewhere(tenant, id),
  }
}

function keyOf(tenant: string, id: string): string {
  return JSON.stringify([tenant, id])
}
