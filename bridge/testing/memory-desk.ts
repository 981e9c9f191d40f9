import type { Approval, ApprovalDesk, ApprovalRequest, ApprovalState, SettledApproval } from '../approval.ts'

export interface MemoryDesk extends ApprovalDesk {
  open(request: ApprovalRequest): Promise<Approval>
  /** Every row that there is, in the order in which they were opened. */
  rows(): readonly Approval[]
  requests(): readonly ApprovalRequest[]
  parkedIds(): readonly string[]
  /** Decides a pending one, by its id or the id of its call. */
  decide(idOrCall: string, state: Exclude<ApprovalState, 'pending'>, more?: Partial<SettledApproval>): void
  /** Resolves with the nth row, once it has been opened. */
  opened(count: number): Promise<Approval>
}

/** For tests: the desk in memory. */
export function createMemoryDesk(): MemoryDesk {
  const rows = new Map<string, Approval>()
  const requests: ApprovalRequest[] = []
  const parked = new Set<string>()
  const watchers = new Set<() => void>()
  const changed = (): void => [...watchers].forEach((watcher) => watcher())
  const set = (row: Approval): void => {
    rows.set(row.id, row)
    changed()
  }
  const when = <T>(ask: () => T | undefined, signal?: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const value = ask()
        if (value === undefined) return
        watchers.delete(look)
        resolve(value)
      }
      watchers.add(look)
      if (signal?.aborted === true) reject(signal.reason)
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      look()
    })
  const close = (id: string, state: Exclude<ApprovalState, 'pending'>, more: Partial<SettledApproval>): void => {
    const row = rows.get(id)
    if (row?.state === 'pending') set({ ...row, state, ...more })
  }
  return {
    async open(request) {
      requests.push(request)
      const known = [...rows.values()].find(
        (row) => row.tenant === request.caller.tenant && row.callId === request.callId,
      )
      const isSame = known?.inputHash === request.inputHash && known.schemaHash === request.tool.schemaHash
      if (known !== undefined) return isSame ? known : { ...known, state: 'cancelled' }
      const row = rowOf(request, `ap_${rows.size + 1}`)
      set(row)
      return row
    },
    settled: (_tenant, id, signal) => {
      const decided = (): Approval | undefined => (rows.get(id)?.state === 'pending' ? undefined : rows.get(id))
      return when(decided, signal)
    },
    async park(_tenant, ids) {
      for (const id of ids) parked.add(id)
    },
    async cancel(_tenant, ids, reason) {
      for (const id of ids) close(id, 'cancelled', { reason, decidedBy: 'drawbridge' })
    },
    rows: () => [...rows.values()],
    requests: () => requests,
    parkedIds: () => [...parked],
    decide(idOrCall, state, more = { decidedBy: 'tok_admin' }) {
      const row = [...rows.values()].find(({ id, callId }) => id === idOrCall || callId === idOrCall)
      if (row === undefined) throw new Error(`there is no approval ${idOrCall}`)
      close(row.id, state, more)
    },
    opened: (count) => when(() => [...rows.values()][count - 1]),
  }
}

function rowOf(request: ApprovalRequest, id: string): Approval {
  const { callId, runId, turnId, caller, tool, input, inputHash, title, description, severity, cause } = request
  return {
    id,
    tenant: caller.tenant,
    agent: caller.agent,
    state: 'pending',
    callId,
    toolId: tool.id,
    schemaHash: tool.schemaHash,
    inputHash,
    input,
    title,
    description,
    severity,
    allowedDecisions: request.allowedDecisions,
    cause,
    createdMs: 1_000,
    expiresMs: 121_000,
    ...(runId !== undefined && { runId }),
    ...(turnId !== undefined && { turnId }),
    ...(caller.session !== undefined && { session: caller.session }),
  }
}
