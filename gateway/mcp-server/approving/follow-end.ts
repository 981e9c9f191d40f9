import { setTimeout as pause } from 'node:timers/promises'
import type { Pending } from '../../../bridge/approval.ts'
import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import { runResult } from '../../../bridge/presentation/run-result.ts'
import type { Run } from '../../../bridge/run.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import { END_POLL_MS } from '../limits.ts'

export interface FollowDeps {
  readonly getRun: (tenant: string, id: string) => Promise<Run | undefined>
  /** What became of a call that was parked. */
  readonly callEnd: (tenant: string, callId: string) => Promise<JsonObject | undefined>
  readonly runText: (run: Run) => string
}

/** How something that was parked has ended. */
export type Followed =
  | { readonly kind: 'result'; readonly result: ModelResult }
  | { readonly kind: 'call'; readonly end: JsonObject }

/** A run, or a call by itself, that is parked, and what it waits for. */
export interface Parked {
  readonly runId?: string
  readonly callId?: string
  readonly waiting: readonly Pending[]
}

export function parkedOf({ run, settled, waiting = [] }: Extract<ModelResult, { kind: 'result' }>): Parked {
  if (run !== undefined) return { runId: run.id, waiting }
  return { ...(settled && { callId: settled.callId }), waiting }
}

/** A run or call that its tenant's store tells of. */
export interface ParkedWork {
  readonly tenant: string
  readonly parked: Parked
}

/** Waits until what was parked has ended; rejects with the signal's reason. */
export async function followEnd(work: ParkedWork, deps: FollowDeps, signal: AbortSignal): Promise<Followed> {
  for (;;) {
    const followed = await look(work, deps)
    if (followed !== undefined) return followed
    await pause(END_POLL_MS, undefined, { signal, ref: false })
  }
}

async function look({ tenant, parked }: ParkedWork, deps: FollowDeps): Promise<Followed | undefined> {
  const { runId, callId } = parked
  if (runId !== undefined) {
    const now = await deps.getRun(tenant, runId)
    if (now === undefined || now.status === 'waiting') return undefined
    return { kind: 'result', result: runResult(now, deps.runText(now)) }
  }
  const end = callId === undefined ? undefined : await deps.callEnd(tenant, callId)
  const outcome = end?.['outcome']
  return end === undefined || outcome === 'waiting' || outcome === 'under-way' ? undefined : { kind: 'call', end }
}
