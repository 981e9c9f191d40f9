import { setImmediate as breathe } from 'node:timers/promises'
import type { Approval } from '../../../bridge/approval.ts'
import type { HeldApprovals } from '../../store/approval-store.ts'
import { HELD_BATCH_ROWS, HELD_LEASE_MS, HELD_LOOK_MS } from '../limits.ts'

export interface HeldWatchDeps {
  readonly store: Pick<HeldApprovals, 'versionOfOthers' | 'listEnded' | 'renewHeld' | 'dropAnswers'>
  /** This gateway, as its approvals name it. */
  readonly holder: string
  /** Approvals that somebody waits for here. */
  readonly waiting: () => readonly Pick<Approval, 'tenant' | 'id'>[]
  /** One of them has ended, in this gateway or in another. */
  readonly onEnded: (approval: Approval) => void
  readonly onError: (error: unknown) => void
  readonly lookMs?: number
  readonly now: () => number
}

/**
 * Looks in the store at what is waited for here, since another gateway on it may decide that, and says there that this
 * one still holds it. Nothing is looked at while nobody waits.
 */
export interface HeldWatch {
  /** Somebody waits. */
  look(): void
  /** Drops the answers that nobody came for. */
  forgetAnswers(): Promise<void>
  /** Until when what this gateway holds now counts as held. */
  untilMs(): number
  /** Resolves when no look is under way. Safe to call twice. */
  stop(): Promise<void>
}

export function createHeldWatch(deps: HeldWatchDeps): HeldWatch {
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isStopped = false
  let seenVersion: number | undefined
  const renewing = createRenewing(deps)

  const round = async (): Promise<void> => {
    try {
      await renewing()
      // What is decided here is told at once, so that only what others wrote is a reason to read.
      const version = await deps.store.versionOfOthers()
      if (version !== seenVersion) await tellEnded(deps)
      seenVersion = version
    } catch (error) {
      // A store that is locked is so for a moment: the next look is soon.
      deps.onError(error)
    }
  }
  const arm = (): void => {
    if (isStopped || timer !== undefined || looking !== undefined || deps.waiting().length === 0) return
    timer = setTimeout(() => {
      timer = undefined
      looking = round().finally(() => {
        looking = undefined
        arm()
      })
    }, deps.lookMs ?? HELD_LOOK_MS)
    timer.unref()
  }
  return {
    look: arm,
    forgetAnswers: () => forgetAnswers(deps),
    untilMs: () => deps.now() + HELD_LEASE_MS,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
    },
  }
}

/** By rounds, not by the clock, which may be set. */
function createRenewing({ store, holder, now }: HeldWatchDeps): () => Promise<void> {
  const everyRounds = Math.floor(HELD_LEASE_MS / 3 / HELD_LOOK_MS)
  let rounds = 0
  return async () => {
    if (rounds % everyRounds === 0) {
      await store.renewHeld(holder, now() + HELD_LEASE_MS)
      await forgetAnswers({ store, now })
    }
    rounds += 1
  }
}

function forgetAnswers({ store, now }: Pick<HeldWatchDeps, 'store' | 'now'>): Promise<void> {
  return store.dropAnswers(now() - HELD_LEASE_MS)
}

async function tellEnded({ store, waiting, onEnded }: HeldWatchDeps): Promise<void> {
  const all = waiting()
  for (let start = 0; start < all.length; start += HELD_BATCH_ROWS) {
    const ended = await store.listEnded(all.slice(start, start + HELD_BATCH_ROWS))
    // What was decided here in this very moment has its answer put away first.
    await breathe()
    for (const approval of ended) onEnded(approval)
  }
}
