import type { ApprovalDesk, Pending } from '../../bridge/approval.ts'
import type { Run } from '../../bridge/run.ts'
import type { Store } from '../store/store.ts'
import { pendingOfStep } from '../turn/turn-state.ts'
import type { LiveWork } from './live-work.ts'
import type { ToldEnds } from './told-ends.ts'
import type { WaitingRuns } from './waiting-runs.ts'
import type { WaitingTurns } from './waiting-turns.ts'

export interface CancelWorkDeps {
  readonly store: Pick<Store, 'getRun' | 'putRun' | 'waiting'>
  readonly desk: Pick<ApprovalDesk, 'cancel'>
  readonly live: LiveWork
  readonly runs: WaitingRuns
  readonly turns: WaitingTurns
  readonly told: ToldEnds
}

export interface CancelWork {
  /** Ends a run that is parked, with its approvals; the run as it then is, undefined where there is none. */
  cancelRun(tenant: string, id: string): Promise<Run | undefined>
  /** The same for a turn and all that it waits for; false where none of this id waits. */
  cancelTurn(tenant: string, id: string): Promise<boolean>
  /** Ends a turn that whoever calls has entered, with its runs and approvals; false where there is none. Nobody is told. */
  dropTurn(tenant: string, id: string, reason: string): Promise<boolean>
  /**
   * Ends what has waited for its client alone since before a time: it will not come back. All of it is tried, so that one
   * that cannot be read keeps no other; it rejects with what failed.
   */
  cancelAbandoned(beforeMs: number): Promise<void>
  /** Ends a run that cannot be gone on with. */
  endRun(tenant: string, id: string, message: string): Promise<void>
}

const CANCELLED = 'the run was cancelled while it waited'

export function createCancelWork(deps: CancelWorkDeps): CancelWork {
  const end = createEndRun(deps)
  const cancelRun = async (tenant: string, id: string, reason: string): Promise<Run | undefined> => {
    const leave = await deps.live.enter(tenant, id)
    try {
      const waiting = await deps.runs.get(tenant, id)
      if (waiting !== undefined) {
        const pending = waiting.waits.map((wait) => wait.pending)
        await deps.desk.cancel(tenant, approvalsOf(pending), reason)
        await end(tenant, id, { code: 'cancelled', message: reason })
      }
      return (await deps.store.getRun(tenant, id))?.run
    } finally {
      leave()
    }
  }
  const dropTurn: CancelWork['dropTurn'] = async (tenant, id, reason) => {
    const turn = await deps.turns.get(tenant, id)
    if (turn === undefined) return false
    const { step } = turn.state
    // First, so that what is cancelled now goes nowhere.
    await deps.turns.remove(tenant, id)
    for (const call of step?.calls ?? []) if (call.state.kind === 'run') await cancelRun(tenant, call.state.run, reason)
    await deps.desk.cancel(tenant, approvalsOf(pendingOfStep(step)), reason)
    return true
  }
  const cancelTurn = async (tenant: string, id: string): Promise<boolean> => {
    const leave = await deps.live.enter(tenant, id)
    try {
      if (!(await dropTurn(tenant, id, 'the turn was cancelled'))) return false
      await deps.told.tell(tenant, id, {
        id,
        status: 'failed',
        answer: '',
        error: { message: 'the turn was cancelled' },
      })
      return true
    } finally {
      leave()
    }
  }
  return {
    cancelRun: (tenant, id) => cancelRun(tenant, id, CANCELLED),
    cancelTurn,
    dropTurn,
    async cancelAbandoned(beforeMs) {
      const faults: unknown[] = []
      for (const { tenant, id, kind } of await deps.store.waiting.listAbandoned(beforeMs)) {
        const cancelling = kind === 'turn' ? cancelTurn(tenant, id) : cancelRun(tenant, id, CANCELLED)
        await cancelling.catch((error: unknown) => faults.push(error))
      }
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} that nobody comes back for still wait`)
    },
    endRun: (tenant, id, message) => end(tenant, id, { code: 'worker-lost', message }),
  }
}

type EndRun = (tenant: string, id: string, error: Extract<Run, { status: 'failed' }>['error']) => Promise<void>

function createEndRun({ store, runs }: CancelWorkDeps): EndRun {
  return async (tenant, id, error) => {
    const stored = await store.getRun(tenant, id)
    if (stored?.run.status === 'waiting') {
      const { pending: _pending, ...run } = stored.run
      await store.putRun(tenant, { ...run, status: 'failed', error }, stored.record)
    }
    await runs.remove(tenant, id)
  }
}

function approvalsOf(pending: readonly Pending[]): readonly string[] {
  return pending.flatMap((each) => ('approval' in each ? [each.approval] : []))
}
