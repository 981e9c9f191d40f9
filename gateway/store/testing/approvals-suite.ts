import { expect, test } from 'vitest'
import type { Approval } from '../../../bridge/approval.ts'
import type { ApprovalStore } from '../approval-store.ts'
import type { Store } from '../store.ts'
import { aGrant, anEnding, aNotice, aPending, HOOK } from './approval-makers.ts'

/** What every implementation must do with approvals. */
export function describeApprovals(store: () => Store): void {
  describeAsking(store)
  describeRoom(store)
  describeEndings(store)
  describeListings(store)
}

function describeAsking(store: () => Store): void {
  const approvals = (): ApprovalStore => store().approvals
  test('a call has one approval; asked again it is the same row, and nothing else is kept', async () => {
    const first = await approvals().add({ approval: aPending('add', 'a1', 'call-1'), isParked: false }, [aNotice('n1')])
    const again = { ...aPending('add', 'a2', 'call-1'), title: 'other' }
    expect(await approvals().add({ approval: again, isParked: false }, [aNotice('n2')])).toEqual(first)
    expect(await approvals().get('add', 'a2')).toBeUndefined()
    expect(await approvals().getOfCall('add', 'call-1')).toEqual(first)
    expect((await store().outbox.listDue(HOOK, 9e9, 100)).map(({ id }) => id)).toEqual(['n1'])
    await store().outbox.remove('n1')
  })
  test('two tenants may have one call id and one id; neither sees the other', async () => {
    for (const tenant of ['one', 'two']) {
      await approvals().add({ approval: aPending(tenant, 'same', 'same-call'), isParked: false }, [])
    }
    await approvals().end([anEnding(aPending('one', 'same', 'same-call'), 'denied')])
    expect((await approvals().get('two', 'same'))?.approval.state).toBe('pending')
    expect((await approvals().list('two', { limit: 10 })).map(({ tenant }) => tenant)).toEqual(['two'])
    expect(await approvals().get('three', 'same')).toBeUndefined()
    expect(await approvals().getOfCall('three', 'same-call')).toBeUndefined()
  })
}

function describeRoom(store: () => Store): void {
  const approvals = (): ApprovalStore => store().approvals
  const ask = (n: number, { token = 't', agent = 'default', tenant = 'room' } = {}) =>
    approvals().addWithin(
      { ofAgent: 3, ofToken: 2 },
      { approval: { ...aPending(tenant, `r${n}`, `call-r${n}`), agent }, isParked: false, token },
      [{ ...aNotice(`room-${n}`), url: 'https://room.example/' }],
    )
  test('so many of one token, and of one agent, may wait; of any number at once no more are kept', async () => {
    const asked = await Promise.all([1, 2, 3, 4].map((n) => ask(n)))
    expect(asked.map((each) => ('kind' in each ? each : 'kept'))).toEqual([
      'kept',
      'kept',
      { kind: 'no-room', of: 'ofToken' },
      { kind: 'no-room', of: 'ofToken' },
    ])
    expect(await ask(5, { token: 'other' })).toMatchObject({ approval: { id: 'r5' } })
    expect(await ask(6, { token: 'third' })).toEqual({ kind: 'no-room', of: 'ofAgent' })
    expect(await ask(7, { agent: 'x' })).toMatchObject({ approval: { id: 'r7' } })
    expect(await ask(8, { tenant: 'roomy' })).toMatchObject({ approval: { id: 'r8' } })
    // What was asked for before takes no room of its own, and what is refused tells nobody.
    expect(await ask(1)).toMatchObject({ approval: { id: 'r1' } })
    const told = await store().outbox.listDue('https://room.example/', 9e9, 100)
    expect(told.map(({ id }) => id)).toEqual(['room-1', 'room-2', 'room-5', 'room-7', 'room-8'])
    await approvals().end([anEnding(aPending('room', 'r1', 'call-r1'), 'denied')])
    expect(await ask(9)).toMatchObject({ approval: { id: 'r9' } })
    await store().outbox.removeAllTo('https://room.example/')
  })
}

function describeEndings(store: () => Store): void {
  const approvals = (): ApprovalStore => store().approvals
  test('the first ending counts; later ones are given what stands, and keep nothing', async () => {
    const asked = aPending('race', 'r1', 'c')
    await approvals().add({ approval: asked, isParked: false }, [])
    const states = ['allowed-always', 'denied', 'expired', 'allowed-once'] as const
    const answers = await Promise.all(
      states.map((state, index) =>
        approvals().end([
          { ...anEnding(asked, state), notices: [aNotice(`race-${index}`)], grant: aGrant('race', `g${index}`) },
        ]),
      ),
    )
    const kinds = answers.map(([answer]) => answer?.kind)
    expect(kinds.filter((kind) => kind === 'ended')).toHaveLength(1)
    const winner = kinds.indexOf('ended')
    for (const [answer] of answers) expect(answer?.approval.state).toBe(states[winner])
    expect((await approvals().listGrants('race')).map(({ id }) => id)).toEqual([`g${winner}`])
    expect((await store().readReceipts('race', 0, 10)).map(({ id }) => id)).toEqual([`rc-r1-${states[winner]}`])
    const notices = await store().outbox.listDue(HOOK, 9e9, 100)
    expect(notices.map(({ id }) => id)).toEqual([`race-${winner}`])
    await store().outbox.remove(`race-${winner}`)
  })
  test('of endings of which one cannot be kept none is', async () => {
    const [one, two] = [aPending('whole', 'w1', 'c1'), aPending('whole', 'w2', 'c2')]
    for (const approval of [one, two]) await approvals().add({ approval, isParked: false }, [])
    const tooLarge = { ...anEnding(two, 'denied'), notices: [{ ...aNotice('big'), body: { x: 'x'.repeat(4e7) } }] }
    await expect(approvals().end([anEnding(one, 'denied'), tooLarge])).rejects.toMatchObject({ code: 'row-too-large' })
    for (const id of ['w1', 'w2']) expect((await approvals().get('whole', id))?.approval.state).toBe('pending')
    expect(await store().readReceipts('whole', 0, 10)).toEqual([])
  })
  test('an ending of one that is not there is told, and the others end', async () => {
    const there = aPending('absent', 'b1', 'c1')
    await approvals().add({ approval: there, isParked: false }, [])
    const ended = await approvals().end([
      anEnding(aPending('absent', 'none', 'c'), 'denied'),
      anEnding(there, 'allowed-once'),
    ])
    expect(ended.map((each) => each?.kind)).toEqual([undefined, 'ended'])
  })
}

function describeListings(store: () => Store): void {
  const approvals = (): ApprovalStore => store().approvals
  test('a listing is of one state, run and set of agents, the last asked first', async () => {
    for (const [id, agent, runId] of [
      ['l1', 'x', 'run1'],
      ['l2', 'y', 'run1'],
      ['l3', 'x', 'run2'],
    ] as const) {
      const approval = { ...aPending('list', id, `call-${id}`), agent, runId, createdMs: Number(id.slice(1)) }
      await approvals().add({ approval, isParked: false }, [])
    }
    await approvals().end([anEnding({ ...aPending('list', 'l3', 'call-l3'), agent: 'x', runId: 'run2' }, 'denied')])
    const ids = async (query: object) =>
      (await approvals().list('list', { limit: 10, ...query })).map((each) => each.id)
    expect(await ids({})).toEqual(['l3', 'l2', 'l1'])
    expect(await ids({ limit: 1 })).toEqual(['l3'])
    expect(await ids({ state: 'pending' })).toEqual(['l2', 'l1'])
    expect(await ids({ runId: 'run1', agents: ['x', 'z'] })).toEqual(['l1'])
    expect(await ids({ agents: [] })).toEqual([])
    expect(await ids({ before: 'l3', limit: 1 })).toEqual(['l2'])
    expect(await ids({ before: 'l2' })).toEqual(['l1'])
    expect(await ids({ before: 'none' })).toEqual([])
    expect(await ids({ limit: -1 })).toEqual([])
  })
  test('parking moves the end of pending ones, which are then held no more', async () => {
    const due = (id: string): Approval => ({ ...aPending('park', id, `call-${id}`), expiresMs: 1_000 })
    const [held, parked, decided] = [due('h'), due('p'), due('d')]
    for (const approval of [held, parked, decided]) await approvals().add({ approval, isParked: false }, [])
    await approvals().end([anEnding(decided, 'denied')])
    await approvals().park('park', ['p', 'd', 'none'], 5_000)
    await approvals().park('other', ['h'], 5_000)
    const of = async (rows: Promise<readonly Approval[]>) =>
      (await rows).filter(({ tenant }) => tenant === 'park').map(({ id }) => id)
    expect(await of(approvals().listHeld({ holder: 'a', nowMs: 0, limit: 1_000 }))).toEqual(['h'])
    expect(await of(approvals().listDue(999, 1_000))).toEqual([])
    expect(await of(approvals().listDue(1_000, 1_000))).toEqual(['h'])
    expect(await of(approvals().listDue(5_000, 1_000))).toEqual(['h', 'p'])
    expect(await approvals().get('park', 'p')).toMatchObject({ isParked: true, approval: { expiresMs: 5_000 } })
    expect((await approvals().get('park', 'd'))?.approval.expiresMs).toBe(1_000)
    expect(await approvals().nextExpiryMs()).toBe(1_000)
  })
}
