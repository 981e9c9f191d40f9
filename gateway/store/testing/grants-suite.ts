import { expect, test } from 'vitest'
import type { ApprovalStore } from '../approval-store.ts'
import type { Store } from '../store.ts'
import { aGrant, anEnding, aPending } from './approval-makers.ts'

/** What every implementation must do with grants, and with what has ended long ago. */
export function describeGrants(store: () => Store): void {
  describeInForce(store)
  describeDropping(store)
}

function describeInForce(store: () => Store): void {
  const approvals = (): ApprovalStore => store().approvals
  test('a grant is in force for its tenant, agent and tool until it is ended, once', async () => {
    for (const [id, agent, toolId] of [
      ['g1', 'x', 'plugin:a:t'],
      ['g2', 'y', 'plugin:a:t'],
      ['g3', 'x', 'plugin:a:u'],
    ] as const) {
      const asked = aPending('grants', `of-${id}`, `call-${id}`)
      await approvals().add({ approval: asked, isParked: false }, [])
      await approvals().end([
        { ...anEnding(asked, 'allowed-always'), grant: { ...aGrant('grants', id), agent, toolId } },
      ])
    }
    const inForce = async () =>
      (await approvals().listGrantsInForce('grants', 'x', 'plugin:a:t')).map((each) => each.id)
    expect(await inForce()).toEqual(['g1'])
    expect(await approvals().listGrantsInForce('other', 'x', 'plugin:a:t')).toEqual([])
    const end = { kind: 'revoked', atMs: 9, by: 'tok_1' } as const
    expect(await approvals().endGrant('other', 'g1', end)).toBeUndefined()
    expect((await approvals().endGrant('grants', 'g1', end))?.ended).toEqual(end)
    expect((await approvals().endGrant('grants', 'g1', { ...end, kind: 'voided', by: 'x' }))?.ended).toEqual(end)
    expect(await inForce()).toEqual([])
    expect((await approvals().getGrant('grants', 'g1'))?.ended).toEqual(end)
    expect(await approvals().getGrant('other', 'g2')).toBeUndefined()
    expect((await approvals().listGrants('grants')).map(({ id }) => id)).toEqual(['g3', 'g2', 'g1'])
  })
}

function describeDropping(store: () => Store): void {
  const approvals = (): ApprovalStore => store().approvals
  test('what ended before a time is dropped, grants too, in steps; what waits and what ended later stays', async () => {
    await approvals().dropEnded(Number.MAX_SAFE_INTEGER, 10_000)
    for (const n of [1, 2, 3, 4]) {
      const asked = aPending('drop', `d${n}`, `call-d${n}`)
      await approvals().add({ approval: asked, isParked: false }, [])
      if (n === 4) continue
      const ending = anEnding(asked, 'allowed-always')
      const approval = { ...ending.approval, decidedMs: n * 10 }
      await approvals().end([{ ...ending, approval, grant: aGrant('drop', `dg${n}`) }])
    }
    await approvals().endGrant('drop', 'dg1', { kind: 'revoked', atMs: 15, by: 'tok_1' })
    expect(await approvals().dropEnded(10, 100)).toBe(0)
    expect([await approvals().dropEnded(21, 1), await approvals().dropEnded(21, 100)]).toEqual([2, 1])
    expect((await approvals().list('drop', { limit: 10 })).map(({ id }) => id)).toEqual(['d4', 'd3'])
    expect((await approvals().listGrants('drop')).map(({ id }) => id)).toEqual(['dg3', 'dg2'])
    expect(await store().readReceipts('drop', 0, 10)).toHaveLength(3)
  })

  test('what work still waits for is kept, however long ago it was decided', async () => {
    const asked = aPending('late', 'l1', 'call-l1')
    await approvals().add({ approval: asked, isParked: true }, [])
    await approvals().end([anEnding(asked, 'allowed-once')])
    const work = { id: 'run_1', kind: 'run', approvals: ['l1'], isForClient: false, sealed: '' } as const
    await store().waiting.put({ ...work, tenant: 'late' })
    await approvals().dropEnded(Number.MAX_SAFE_INTEGER, 10_000)
    expect((await approvals().get('late', 'l1'))?.approval.state).toBe('allowed-once')
    await store().waiting.remove('late', 'run_1')
    await store().waiting.put({ ...work, tenant: 'other' })
    await approvals().dropEnded(Number.MAX_SAFE_INTEGER, 10_000)
    expect(await approvals().get('late', 'l1')).toBeUndefined()
    await store().waiting.remove('other', 'run_1')
  })
}
