import { expect, test } from 'vitest'
import type { ApprovalStore } from '../approval-store.ts'
import type { Store } from '../store.ts'
import { anEnding, aPending } from './approval-makers.ts'

/** What every implementation must do with approvals of several gateways. */
export function describeHeld(store: () => Store): void {
  const approvals = (): ApprovalStore => store().approvals
  const hold = (id: string, by: string, untilMs: number) => {
    const row = { approval: aPending('held', id, `call-${id}`), isParked: false, holder: { by, untilMs } }
    return approvals().add(row, [])
  }
  test('held ones are those of one gateway, and of others that have not renewed them', async () => {
    for (const [id, by] of [
      ['h1', 'a'],
      ['h2', 'b'],
      ['h3', 'b'],
    ] as const)
      await hold(id, by, 100)
    await approvals().park('held', ['h3'], 9_000)
    const heldBy = async (holder: string, nowMs: number) =>
      (await approvals().listHeld({ holder, nowMs, limit: 100 }))
        .filter(({ tenant }) => tenant === 'held')
        .map(({ id }) => id)
        .toSorted()
    expect([await heldBy('a', 100), await heldBy('b', 0)]).toEqual([['h1'], ['h2']])
    expect(await heldBy('a', 101)).toEqual(['h1', 'h2'])
    await approvals().renewHeld('b', 200)
    expect([await heldBy('a', 101), await heldBy('c', 201)]).toEqual([['h1'], ['h1', 'h2']])
    expect(await approvals().get('held', 'h2')).toMatchObject({ holder: { by: 'b', untilMs: 200 } })
    expect(await approvals().get('held', 'h3')).toMatchObject({ isParked: true, holder: { untilMs: 100 } })
  })
  test('of those that are asked about the ended ones are told, of each tenant its own', async () => {
    for (const id of ['e1', 'e2', 'e3']) await hold(id, 'a', 100)
    const ended = ['e1', 'e3'].map((id) => anEnding(aPending('held', id, `call-${id}`), 'denied'))
    await approvals().end(ended)
    const asked = ['e1', 'e2', 'none'].map((id) => ({ tenant: 'held', id }))
    expect(await approvals().listEnded([...asked, { tenant: 'other', id: 'e3' }])).toEqual([ended[0]?.approval])
    expect(await approvals().listEnded([])).toEqual([])
  })
  test('an answer is given once, to its own tenant, and goes where nobody comes for it', async () => {
    for (const id of ['a1', 'a2']) {
      await hold(id, 'a', 100)
      const ending = anEnding(aPending('held', id, `call-${id}`), 'allowed-once')
      await approvals().end([{ ...ending, answer: `sealed-${id}` }])
    }
    expect(await approvals().takeAnswer('other', 'a1')).toBeUndefined()
    expect([await approvals().takeAnswer('held', 'a1'), await approvals().takeAnswer('held', 'a1')]).toEqual([
      'sealed-a1',
      undefined,
    ])
    await approvals().dropAnswers(5)
    await approvals().dropAnswers(6)
    expect(await approvals().takeAnswer('held', 'a2')).toBeUndefined()
  })
}
