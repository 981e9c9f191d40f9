import type { Logger } from 'pino'
import type { Run } from '../../bridge/run.ts'
import type { RunBusy } from '../../bridge/running/run-program.ts'
import { CallerLeft } from '../../bridge/parking/caller-left.ts'
import type { TurnOpening } from '../routes/chat/chat-route-deps.ts'
import { HttpError } from '../http/http-error.ts'
import { StoreError } from '../store/errors.ts'
import type { WaitingEntry } from '../store/waiting-store.ts'
import type { OnTurnFinished } from '../turn/resumer.ts'
import { resumeTurn } from '../turn/run-turn.ts'
import type { TurnDeps } from '../turn/turn.ts'
import type { CallerFault } from '../auth/caller-fault.ts'
import type { CancelWork } from './cancel-work.ts'
import type { Resumed } from './create-resumer.ts'
import { followTurn, tellFailed } from './follow-turn.ts'
import type { LiveWork } from './live-work.ts'
import type { ToldEnds } from './told-ends.ts'
import type { WaitingCalls } from './waiting-calls.ts'
import type { WaitingRuns } from './waiting-runs.ts'
import type { WaitingTurns } from './waiting-turns.ts'

export interface ResumeWorkDeps {
  readonly live: LiveWork
  readonly runs: WaitingRuns
  readonly turns: WaitingTurns
  readonly calls: WaitingCalls
  readonly told: ToldEnds
  readonly resumeRun: (tenant: string, id: string, signal: AbortSignal) => Promise<Run | RunBusy | undefined>
  /** Ends a run that cannot be gone on with. */
  readonly endRun: (tenant: string, id: string, message: string) => Promise<void>
  readonly openTurn: (opening: TurnOpening) => Promise<TurnDeps>
  /** Ends a turn that whoever calls has entered, with all that it waits for. */
  readonly dropTurn: CancelWork['dropTurn']
  readonly callerFault: CallerFault
  readonly onTurnFinished: OnTurnFinished
  /** Resolves when the sources of tools have had their time after a start. */
  readonly sourcesReady: () => Promise<void>
  readonly closing: AbortSignal
  readonly log: Pick<Logger, 'error' | 'info'>
}

export type ResumeWork = (entry: WaitingEntry) => Promise<Resumed>

/** Goes on with a turn, a run or a call in the background. What cannot be gone on with by a defect ends as failed. */
export function createResumeWork(deps: ResumeWorkDeps): ResumeWork {
  return async (entry) => {
    const { tenant, id, kind } = entry
    await deps.sourcesReady()
    if (deps.closing.aborted) return 'done'
    deps.log.info({ tenant, id, kind }, 'going on with what waited')
    try {
      return await resume(entry, deps)
    } catch (error) {
      if (deps.closing.aborted || error instanceof CallerLeft) return 'done'
      deps.log.error({ err: error, tenant, id, kind }, 'what waited could not be gone on with')
      // A store that is locked or full is so for a while.
      if (error instanceof StoreError) return 'later'
      const message = error instanceof HttpError ? error.message : 'internal error; the log has the details'
      await giveUp(entry, message, deps)
      return 'done'
    }
  }
}

async function resume({ tenant, id, kind }: WaitingEntry, deps: ResumeWorkDeps): Promise<Resumed> {
  switch (kind) {
    case 'run': {
      // Whoever is at it looks again when it leaves.
      if (deps.live.isLive(tenant, id)) return 'done'
      if (await deps.live.isElsewhere(tenant, id)) return 'later'
      const run = await deps.resumeRun(tenant, id, deps.closing)
      return run?.status === 'busy' ? 'later' : 'done'
    }
    case 'call':
      return alone({ tenant, id }, deps, () => deps.calls.resume(tenant, id, deps.closing))
    case 'turn':
      return alone({ tenant, id }, deps, () => resumeKeptTurn({ tenant, id }, deps))
  }
}

/** What another gateway is at is looked at again: it may be killed in the middle of it. */
async function alone(
  { tenant, id }: Pick<WaitingEntry, 'tenant' | 'id'>,
  { live }: ResumeWorkDeps,
  work: () => Promise<void>,
): Promise<Resumed> {
  const entered = await live.tryEnter(tenant, id)
  if (entered.kind !== 'in') return entered.kind === 'here' ? 'done' : 'later'
  await work().finally(entered.leave)
  return 'done'
}

async function resumeKeptTurn(
  { tenant, id }: Pick<WaitingEntry, 'tenant' | 'id'>,
  deps: ResumeWorkDeps,
): Promise<void> {
  const kept = await deps.turns.get(tenant, id)
  if (kept === undefined) return
  const { state, caller, clientTools } = kept
  const following = { ...deps, request: state.request }
  try {
    const fault = await deps.callerFault(caller)
    if (fault !== undefined) {
      const rejected = `rejected: ${fault}`
      await deps.dropTurn(tenant, id, rejected)
      return await tellFailed(following, rejected)
    }
    const opening = { caller, turnId: id, requestId: `resumed_${id}`, clientTools, isBackground: true }
    const turnDeps = await deps.openTurn(opening)
    const events = resumeTurn({ state, results: [], added: [] }, turnDeps, deps.closing)
    await drained(followTurn(events, following))
  } catch (error) {
    // The agent's model or tools are gone by now.
    if (!(error instanceof HttpError)) throw error
    await deps.turns.remove(tenant, id)
    await tellFailed(following, error.message)
  }
}

/** Nobody reads it: who asks later finds what was told of its end. */
async function drained(events: AsyncGenerator): Promise<void> {
  while ((await events.next()).done !== true) continue
}

async function giveUp({ tenant, id, kind }: WaitingEntry, message: string, deps: ResumeWorkDeps): Promise<void> {
  if (kind === 'run') await deps.endRun(tenant, id, message)
  if (kind === 'turn') {
    const kept = await deps.turns.get(tenant, id)
    await deps.turns.remove(tenant, id)
    if (kept !== undefined) await tellFailed({ ...deps, request: kept.state.request }, message)
  }
  if (kind === 'call') {
    await deps.runs.remove(tenant, id)
    await deps.told.tell(tenant, id, { callId: id, outcome: 'failed', effect: 'unknown', message })
  }
}
