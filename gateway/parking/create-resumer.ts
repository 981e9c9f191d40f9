import type { Logger } from 'pino'
import type { Approval } from '../../bridge/approval.ts'
import type { Store } from '../store/store.ts'
import type { WaitingEntry } from '../store/waiting-store.ts'
import { mapBounded } from '../turn/steps/map-bounded.ts'
import type { Resumer } from '../turn/resumer.ts'
import { RESUMES_AT_ONCE, RETRY_MS } from './limits.ts'

/** `later`: no worker came free, or the store refused; it is tried again. */
export type Resumed = 'done' | 'later'

export interface ResumerDeps {
  readonly store: {
    readonly waiting: Pick<Store['waiting'], 'get' | 'list'>
    readonly approvals: Pick<Store['approvals'], 'get'>
  }
  /** Goes on with one piece of work as far as it comes, unless somebody is at it already. */
  readonly resume: (entry: WaitingEntry) => Promise<Resumed>
  readonly track: <T>(work: Promise<T>) => Promise<T>
  readonly closing: AbortSignal
  readonly log: Pick<Logger, 'error' | 'info'>
}

export interface WorkResumer extends Resumer {
  /** Nobody is at this piece of work any more: goes on with it where there is a reason to. */
  look(tenant: string, id: string): void
}

export function createResumer(deps: ResumerDeps): WorkResumer {
  const { store, closing, log } = deps
  const slot = createSlots(RESUMES_AT_ONCE)
  const background = (work: () => Promise<void>): void => {
    if (closing.aborted) return
    deps
      .track(work())
      .catch((error: unknown) => log.error({ err: error }, 'what waits could not be gone on with; the next start does'))
  }
  const goOn = async (entry: WaitingEntry): Promise<void> => {
    while (!closing.aborted) {
      if ((await slot(() => deps.resume(entry))) === 'done') return
      await pause(RETRY_MS, closing)
    }
  }
  const look = async (tenant: string, id: string): Promise<void> => {
    const entry = await store.waiting.get(tenant, id)
    if (entry !== undefined && (await isReady(entry, store))) await goOn(await ownerOf(entry, store))
  }
  const resumeAtStart = async (entry: WaitingEntry): Promise<void> => {
    try {
      if (!closing.aborted && (await isReady(entry, store))) await deps.track(goOn(await ownerOf(entry, store)))
    } catch (error) {
      const { tenant, id } = entry
      log.error({ err: error, tenant, id }, 'what waited could not be gone on with; the next start tries again')
    }
  }
  return {
    look: (tenant, id) => background(() => look(tenant, id)),
    onDecided: (approval) =>
      background(async () => {
        for (const id of workOf(approval)) {
          if ((await store.waiting.get(approval.tenant, id)) !== undefined) return look(approval.tenant, id)
        }
      }),
    resumeAll: async () => {
      try {
        let last: WaitingEntry | undefined
        do {
          const page = await store.waiting.list(last)
          last = page.at(-1)
          await mapBounded(page, RESUMES_AT_ONCE, resumeAtStart)
        } while (last !== undefined)
      } catch (error) {
        if (!closing.aborted) log.error({ err: error }, 'what waits could not be looked through; the next start does')
      }
    },
  }
}

/** So many pieces of work at one time; the others wait in their order. */
function createSlots(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = limit
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot goes from hand to hand.
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

/** Whether something that it waits for has come, or it was under way when its gateway ended. */
async function isReady(
  { tenant, approvals, isForClient }: WaitingEntry,
  store: ResumerDeps['store'],
): Promise<boolean> {
  if (approvals.length === 0) return !isForClient
  for (const id of approvals) {
    const row = await store.approvals.get(tenant, id)
    if (row === undefined || row.approval.state !== 'pending') return true
  }
  return false
}

/** The turn of a run, where there is one that waits: a run of a turn goes on with it, and alone where that is gone. */
async function ownerOf(entry: WaitingEntry, store: ResumerDeps['store']): Promise<WaitingEntry> {
  const turn = entry.turnId === undefined ? undefined : await store.waiting.get(entry.tenant, entry.turnId)
  return turn ?? entry
}

/** The widest first. */
function workOf({ runId, callId, turnId }: Approval): readonly string[] {
  return [turnId, runId, callId].filter((id) => id !== undefined)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
