import { expect, test } from 'vitest'
import type { Store } from '../store.ts'
import { aNotice, HOOK } from './approval-makers.ts'

/** What every implementation must do with messages that wait. */
export function describeOutbox(store: () => Store): void {
  test('of more messages to one address than may wait the oldest are dropped', async () => {
    const { outbox } = store()
    const other = 'https://y.example/h'
    await outbox.put(['f1', 'f2', 'f3', 'f4'].map(aNotice))
    await outbox.put([{ ...aNotice('f5'), url: other }])
    expect(await outbox.dropOldest(4)).toEqual([])
    expect(await outbox.dropOldest(2)).toEqual([{ url: HOOK, count: 2 }])
    expect((await outbox.listDue(HOOK, 9e9, 10)).map(({ id }) => id)).toEqual(['f3', 'f4'])
    expect([await outbox.removeAllTo(HOOK), await outbox.removeAllTo(other)]).toEqual([2, 1])
  })
  test('a message waits until it is due and until it is removed, behind those to its address that came before', async () => {
    const { outbox } = store()
    const other = 'https://y.example/h'
    await outbox.put([
      { ...aNotice('o1'), dueMs: 50 },
      { ...aNotice('o2'), dueMs: 20 },
      { ...aNotice('o3'), dueMs: 30, url: other },
    ])
    expect(await outbox.listDueUrls(19, [])).toEqual([])
    expect((await outbox.listDueUrls(60, [])).toSorted()).toEqual([HOOK, other])
    expect(await outbox.listDueUrls(60, [HOOK])).toEqual([other])
    expect([await outbox.nextDueMs([]), await outbox.nextDueMs([HOOK])]).toEqual([20, 30])
    expect((await outbox.listDue(HOOK, 20, 10)).map(({ id }) => id)).toEqual(['o2'])
    expect((await outbox.listDue(HOOK, 60, 10)).map(({ id }) => id)).toEqual(['o1', 'o2'])
    await outbox.postpone({ id: 'o1', url: HOOK }, 90)
    expect(await outbox.listDueUrls(60, [])).toEqual([other])
    expect(await outbox.listDue(HOOK, 90, 10)).toEqual([
      { ...aNotice('o1'), dueMs: 90, failedRounds: 1 },
      { ...aNotice('o2'), dueMs: 90 },
    ])
    await outbox.remove('o1')
    expect([await outbox.removeAllTo(HOOK), await outbox.removeAllTo(other)]).toEqual([1, 1])
    expect(await outbox.nextDueMs([])).toBeUndefined()
  })
}
