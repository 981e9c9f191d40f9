import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Approval } from '../../bridge/approval.ts'
import { approvalOf } from '../turn/fixtures/a-keeper.ts'
import type { WaitingEntry, WaitingRow } from '../store/waiting-store.ts'
import type { ResumerDeps, WorkResumer } from './create-resumer.ts'
import { createResumer } from './create-resumer.ts'

let closing: AbortController
beforeEach(() => {
  closing = new AbortController()
})
afterEach(() => closing.abort())

interface World {
  readonly rows: Map<string, WaitingRow>
  readonly approvals: Map<string, Approval['state']>
  readonly resumed: string[]
  readonly resumer: WorkResumer
  /** Everything in the background has ended. */
  readonly idle: () => Promise<void>
}

function aWorld(resume: (entry: WaitingEntry) => ReturnType<ResumerDeps['resume']> = async () => 'done'): World {
  const rows = new Map<string, WaitingRow>()
  const approvals = new Map<string, Approval['state']>()
  const resumed: string[] = []
  const underWay = new Set<Promise<unknown>>()
  const resumer = createResumer({
    store: {
      waiting: {
        get: async (_tenant, id) => rows.get(id),
        list: async (after) => {
          const all = [...rows.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
          return all.filter(({ id }) => after === undefined || id > after.id).slice(0, 1_000)
        },
      },
      // Only what stands in the row is asked for.
      approvals: {
        get: async (_tenant, id) => ({
          approval: { ...approvalOf(id), state: approvals.get(id) ?? 'pending' },
          isParked: true,
        }),
      },
    },
    resume: async (entry) => {
      resumed.push(entry.id)
      return resume(entry)
    },
    track(work) {
      const tracked = work.finally(() => underWay.delete(tracked)).catch(() => {})
      underWay.add(tracked)
      return work
    },
    closing: closing.signal,
    log: { error: () => {}, info: () => {} },
  })
  const idle = async (): Promise<void> => {
    await new Promise(setImmediate)
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return { rows, approvals, resumed, resumer, idle }
}

function aRow(id: string, given: Partial<WaitingRow> = {}): WaitingRow {
  return { tenant: 'default', id, kind: 'run', approvals: [`apr_${id}`], isForClient: false, sealed: '', ...given }
}

describe('after a decision', () => {
  test('the turn goes on, or the run where it has none, or the call', async () => {
    const { rows, approvals, resumed, resumer, idle } = aWorld()
    for (const row of [
      aRow('turn_1', { kind: 'turn', approvals: ['a'] }),
      aRow('run_1', { turnId: 'turn_1', approvals: ['a'] }),
      aRow('run_2', { approvals: ['b'] }),
      aRow('call_3', { kind: 'call', approvals: ['c'] }),
    ])
      rows.set(row.id, row)
    for (const id of ['a', 'b', 'c']) approvals.set(id, 'denied')
    resumer.onDecided({ ...approvalOf('run_1/1'), id: 'a', state: 'denied', runId: 'run_1', turnId: 'turn_1' })
    resumer.onDecided({ ...approvalOf('run_2/1'), id: 'b', state: 'denied', runId: 'run_2', turnId: 'turn_gone' })
    resumer.onDecided({ ...approvalOf('call_3'), id: 'c', state: 'denied' })
    resumer.onDecided({ ...approvalOf('call_of_nobody'), id: 'd', state: 'denied' })
    await idle()
    expect(resumed.toSorted()).toEqual(['call_3', 'run_2', 'turn_1'])
  })

  test('of many that are decided together a few go on at one time, and all in the end', async () => {
    let most = 0
    let underWay = 0
    const world = aWorld(async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise(setImmediate)
      underWay -= 1
      return 'done'
    })
    for (let n = 0; n < 100; n += 1) {
      world.rows.set(`run_${n}`, aRow(`run_${n}`))
      world.approvals.set(`apr_run_${n}`, 'expired')
      world.resumer.onDecided({ ...approvalOf(`run_${n}/1`), id: `apr_run_${n}`, state: 'expired', runId: `run_${n}` })
    }
    await world.idle()
    expect([new Set(world.resumed).size, most]).toEqual([100, 16])
  })

  test('what found no worker is tried again', async () => {
    let attempts = 0
    const world = aWorld(async () => ((attempts += 1) === 1 ? 'later' : 'done'))
    world.rows.set('run_1', aRow('run_1'))
    world.approvals.set('apr_run_1', 'allowed-once')
    world.resumer.look('default', 'run_1')
    await world.idle()
    expect(attempts).toBe(2)
  })
})

describe('at a start', () => {
  test('of a thousand parked runs and more those go on that were decided or under way, each once', async () => {
    const { rows, approvals, resumed, resumer } = aWorld()
    for (let n = 0; n < 1_200; n += 1) rows.set(`run_${n}`, aRow(`run_${n}`))
    for (const n of [3, 700, 1_199]) approvals.set(`apr_run_${n}`, 'allowed-once')
    rows.set('under-way', aRow('under-way', { approvals: [] }))
    rows.set('for-client', aRow('for-client', { approvals: [], isForClient: true }))
    await resumer.resumeAll()
    expect(resumed.toSorted()).toEqual(['run_1199', 'run_3', 'run_700', 'under-way'])
  })

  test('one that cannot be gone on with does not keep the others', async () => {
    const world = aWorld(async ({ id }) => {
      if (id === 'run_1') throw new Error('broken')
      return 'done'
    })
    for (const id of ['run_1', 'run_2']) {
      world.rows.set(id, aRow(id))
      world.approvals.set(`apr_${id}`, 'expired')
    }
    await world.resumer.resumeAll()
    expect(world.resumed.toSorted()).toEqual(['run_1', 'run_2'])
  })
})
