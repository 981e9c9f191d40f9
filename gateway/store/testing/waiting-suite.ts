import { describe, expect, test } from 'vitest'
import type { Store } from '../store.ts'
import type { WaitingRow } from '../waiting-store.ts'

/** What every implementation of `Store` must do with work that waits. */
export function describeWaiting(store: () => Store): void {
  describe('work that waits', () => {
    test('comes back as it was last kept, for its tenant only, until it is removed', async () => {
      const { waiting } = store()
      await waiting.put(aRow({ id: 'run_w1', turnId: 'turn_1' }))
      await waiting.put(aRow({ id: 'run_w1', turnId: 'turn_1', approvals: [], isForClient: true, sealed: 'bmV3' }))
      expect(await waiting.get('w', 'run_w1')).toEqual(
        aRow({ id: 'run_w1', turnId: 'turn_1', approvals: [], isForClient: true, sealed: 'bmV3' }),
      )
      expect(await waiting.get('other', 'run_w1')).toBeUndefined()
      await waiting.remove('other', 'run_w1')
      expect(await waiting.get('w', 'run_w1')).toBeDefined()
      await waiting.remove('w', 'run_w1')
      await waiting.remove('w', 'run_w1')
      expect(await waiting.get('w', 'run_w1')).toBeUndefined()
    })

    test('is told to be abandoned where nobody but its client is waited for, and that long', async () => {
      const { waiting } = store()
      await waiting.put(aRow({ id: 'run_client', approvals: [], isForClient: true }))
      await waiting.put(aRow({ id: 'run_both', isForClient: true }))
      await waiting.put(aRow({ id: 'run_person' }))
      const idsBefore = async (beforeMs: number) => (await waiting.listAbandoned(beforeMs)).map(({ id }) => id)
      expect(await idsBefore(Date.now() + 60_000)).toEqual(['run_client'])
      expect(await idsBefore(Date.now() - 60_000)).toEqual([])
      for (const id of ['run_client', 'run_both', 'run_person']) await waiting.remove('w', id)
    })

    test('is listed page by page, each once, of all tenants', async () => {
      const { waiting } = store()
      const rows = Array.from({ length: 1_050 }, (_, n) => aRow({ tenant: `w${n % 3}`, id: `run_${n}` }))
      for (const row of rows) await waiting.put(row)
      const first = await waiting.list(undefined)
      const second = await waiting.list(first.at(-1))
      expect(first).toHaveLength(1_000)
      const ids = [...first, ...second].map(({ tenant, id }) => `${tenant}/${id}`)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toEqual(expect.arrayContaining(rows.map(({ tenant, id }) => `${tenant}/${id}`)))
      expect(await waiting.list(second.at(-1))).toEqual([])
      for (const { tenant, id } of rows) await waiting.remove(tenant, id)
    })
  })
}

function aRow(given: Partial<WaitingRow>): WaitingRow {
  return { tenant: 'w', id: 'run_w', kind: 'run', approvals: ['apr_1'], isForClient: false, sealed: 'c2Vh', ...given }
}
