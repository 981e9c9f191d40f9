import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Approval } from '../../../bridge/approval.ts'
import type { Store } from '../store.ts'
import { anEnding, aPending } from './approval-makers.ts'

/** What an approval must be after what happened to it, in the simplest words. */
interface Expected {
  readonly state: Approval['state']
  readonly isParked: boolean
  readonly expiresMs: number
}

type Step =
  | { readonly kind: 'add' | 'get'; readonly call: number }
  | { readonly kind: 'end'; readonly call: number; readonly state: Exclude<Approval['state'], 'pending'> }
  | { readonly kind: 'park'; readonly call: number; readonly expiresMs: number }

const call = fc.integer({ min: 0, max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), call }),
  fc.record({ kind: fc.constant('get' as const), call }),
  fc.record({
    kind: fc.constant('end' as const),
    call,
    state: fc.constantFrom('allowed-once', 'allowed-always', 'denied', 'expired', 'cancelled'),
  }),
  fc.record({ kind: fc.constant('park' as const), call, expiresMs: fc.integer({ min: 1, max: 100 }) }),
)

let tenants = 0

/** In whatever order things happen, an approval ends once, and every way of asking says the same of it. */
export function describeApprovalsModel(store: () => Store): void {
  test('in whatever order things happen, an approval ends once, and every listing agrees', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        tenants += 1
        const tenant = `model-${tenants}`
        const model = new Map<number, Expected>()
        let ends = 0
        for (const each of steps) ends += await apply(each, { tenant, model, store: store() })
        await compare({ tenant, model, store: store() })
        // One receipt for each end, whatever was tried.
        expect(await store().readReceipts(tenant, 0, 100)).toHaveLength(ends)
      }),
      { numRuns: 100 },
    )
  })
}

interface World {
  readonly tenant: string
  readonly model: Map<number, Expected>
  readonly store: Store
}

/** Does it to the store and to the model; how many approvals it ended. */
async function apply(each: Step, { tenant, model, store }: World): Promise<number> {
  const id = `a${each.call}`
  const known = model.get(each.call)
  const asked = { ...aPending(tenant, id, `call-${each.call}`), expiresMs: 50 }
  switch (each.kind) {
    case 'add': {
      const { approval } = await store.approvals.add({ approval: asked, isParked: false }, [])
      if (known === undefined) model.set(each.call, { state: 'pending', isParked: false, expiresMs: 50 })
      expect(approval.state).toBe(known?.state ?? 'pending')
      return 0
    }
    case 'get':
      expect((await store.approvals.get(tenant, id))?.approval.state).toBe(known?.state)
      return 0
    case 'park':
      await store.approvals.park(tenant, [id], each.expiresMs)
      if (known?.state === 'pending') model.set(each.call, { ...known, isParked: true, expiresMs: each.expiresMs })
      return 0
    case 'end': {
      const [ended] = await store.approvals.end([anEnding(asked, each.state)])
      const isEnded = known?.state === 'pending'
      if (isEnded) model.set(each.call, { ...known, state: each.state })
      const told = known && [isEnded ? 'ended' : 'stood', isEnded ? each.state : known.state]
      expect(ended && [ended.kind, ended.approval.state]).toEqual(told)
      return isEnded ? 1 : 0
    }
  }
}

async function compare({ tenant, model, store }: World): Promise<void> {
  const of = (approvals: readonly Approval[]): readonly string[] =>
    approvals.flatMap((each) => (each.tenant === tenant ? [each.id] : [])).toSorted()
  const expected = (where: (each: Expected) => boolean): readonly string[] =>
    [...model].flatMap(([number, each]) => (where(each) ? [`a${number}`] : [])).toSorted()
  const isPending = ({ state }: Expected): boolean => state === 'pending'
  expect(of(await store.approvals.list(tenant, { limit: 100 }))).toEqual(expected(() => true))
  expect(of(await store.approvals.list(tenant, { state: 'pending', limit: 100 }))).toEqual(expected(isPending))
  expect(of(await store.approvals.listHeld({ holder: 'a', nowMs: 0, limit: 1_000 }))).toEqual(
    expected((each) => isPending(each) && !each.isParked),
  )
  for (const nowMs of [1, 49, 50, 100]) {
    const due = expected((each) => isPending(each) && each.expiresMs <= nowMs)
    expect(of(await store.approvals.listDue(nowMs, 1_000))).toEqual(due)
  }
}
