import type { WaitingRun } from '../../bridge/parking/waiting-run.ts'
import type { WaitingEntry } from '../store/waiting-store.ts'
import type { SealedWork } from './sealed-work.ts'

/** Runs that wait, or that have waited and are under way again. */
export interface WaitingRuns {
  keep(run: WaitingRun): Promise<void>
  get(tenant: string, id: string): Promise<WaitingRun | undefined>
  remove(tenant: string, id: string): Promise<void>
  /** Keeps the client's results; the ids of those that no call of the run waits for. */
  answer(tenant: string, id: string, answers: ReadonlyMap<string, string>): Promise<readonly string[]>
}

export function createWaitingRuns(work: SealedWork): WaitingRuns {
  const keep = (run: WaitingRun): Promise<void> => work.put(entryOf(run), run)
  const get = async (tenant: string, id: string): Promise<WaitingRun | undefined> => {
    const found = await work.get(tenant, id)
    if (found?.entry.kind !== 'run') return undefined
    const run: WaitingRun = JSON.parse(found.json)
    return run
  }
  return {
    keep,
    get,
    remove: (tenant, id) => work.remove(tenant, id),
    async answer(tenant, id, answers) {
      const run = await get(tenant, id)
      if (run === undefined) return [...answers.keys()]
      const known = new Set<string>()
      const waits = run.waits.map((wait) => {
        const answer = 'clientCall' in wait.pending ? answers.get(wait.pending.clientCall) : undefined
        // The first answer counts: it may be on its way into the program.
        if (answer === undefined || wait.answer !== undefined) return wait
        if ('clientCall' in wait.pending) known.add(wait.pending.clientCall)
        return { ...wait, answer }
      })
      if (known.size > 0) await keep({ ...run, waits })
      return [...answers.keys()].filter((each) => !known.has(each))
    },
  }
}

function entryOf({ id, caller, turnId, waits }: WaitingRun): WaitingEntry {
  // Once the client has answered one of its calls there is nothing to wait for.
  const isReady = waits.some(({ answer }) => answer !== undefined)
  const approvals = waits.flatMap(({ pending }) => ('approval' in pending ? [pending.approval] : []))
  const isForClient = waits.some(({ pending }) => 'clientCall' in pending)
  return {
    tenant: caller.tenant,
    id,
    kind: 'run',
    approvals: isReady ? [] : approvals,
    isForClient: !isReady && isForClient,
    ...(turnId !== undefined && { turnId }),
  }
}
