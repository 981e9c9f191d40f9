import { expect, test } from 'vitest'
import type { Approval } from '../../../bridge/approval.ts'
import type { ApprovalEnding, ApprovalStore, Grant } from '../approval-store.ts'
import type { Store } from '../store.ts'
import type { OutboxEntry } from '../webhook-outbox.ts'

/** What every implementation must do with approvals, grants and messages that wait. */
export function describeApprovals(store: () => Store): void {
  describeAsking(store)
  describeRoom(store)
  describeEndings(store)
  describeListings(store)
  describeGrants(store)
  describeDropping(store)
  describeOutbox(store)
}

function describeAsking(store: () => Store): void {
  const approvals = (): ApprovalStore => store().approvals
  test('a call has one approval; asked again it is the same row, and nothing else is kept', async () => {
    const first = await approvals().add({ approval: aPending('add', 'a1', 'call-1'), isParked: false }, [entry('n1')])
    const again = { ...aPending('add', 'a2', 'call-1'), title: 'other' }
    expect(await approvals().add({ approval: again, isParked: false }, [entry('n2')])).toEqual(first)
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
      [{ ...entry(`room-${n}`), url: 'https://room.example/' }],
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
          { ...anEnding(asked, state), notices: [entry(`race-${index}`)], grant: grant('race', `g${index}`) },
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
    const tooLarge = { ...anEnding(two, 'denied'), notices: [{ ...entry('big'), body: { x: 'x'.repeat(4e7) } }] }
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
    expect(await of(approvals().listHeld(1_000))).toEqual(['h'])
    expect(await of(approvals().listDue(999, 1_000))).toEqual([])
    expect(await of(approvals().listDue(1_000, 1_000))).toEqual(['h'])
    expect(await of(approvals().listDue(5_000, 1_000))).toEqual(['h', 'p'])
    expect(await approvals().get('park', 'p')).toMatchObject({ isParked: true, approval: { expiresMs: 5_000 } })
    expect((await approvals().get('park', 'd'))?.approval.expiresMs).toBe(1_000)
    expect(await approvals().nextExpiryMs()).toBe(1_000)
  })
}

function describeGrants(store: () => Store): void {
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
        { ...anEnding(asked, 'allowed-always'), grant: { ...grant('grants', id), agent, toolId } },
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
      await approvals().end([{ ...ending, approval, grant: grant('drop', `dg${n}`) }])
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

function describeOutbox(store: () => Store): void {
  test('of more messages to one address than may wait the oldest are dropped', async () => {
    const { outbox } = store()
    const other = 'https://y.example/h'
    await outbox.put(['f1', 'f2', 'f3', 'f4'].map(entry))
    await outbox.put([{ ...entry('f5'), url: other }])
    expect(await outbox.dropOldest(4)).toEqual([])
    expect(await outbox.dropOldest(2)).toEqual([{ url: HOOK, count: 2 }])
    expect((await outbox.listDue(HOOK, 9e9, 10)).map(({ id }) => id)).toEqual(['f3', 'f4'])
    expect([await outbox.removeAllTo(HOOK), await outbox.removeAllTo(other)]).toEqual([2, 1])
  })
  test('a message waits until it is due and until it is removed, behind those to its address that came before', async () => {
    const { outbox } = store()
    const other = 'https://y.example/h'
    await outbox.put([
      { ...entry('o1'), dueMs: 50 },
      { ...entry('o2'), dueMs: 20 },
      { ...entry('o3'), dueMs: 30, url: other },
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
      { ...entry('o1'), dueMs: 90, failedRounds: 1 },
      { ...entry('o2'), dueMs: 90 },
    ])
    await outbox.remove('o1')
    expect([await outbox.removeAllTo(HOOK), await outbox.removeAllTo(other)]).toEqual([1, 1])
    expect(await outbox.nextDueMs([])).toBeUndefined()
  })
}

const HOOK = 'https://x.example/h'

export function aPending(tenant: string, id: string, callId: string): Approval {
  const hashes = { schemaHash: 's', inputHash: 'i' }
  return {
    id,
    tenant,
    callId,
    ...hashes,
    agent: 'default',
    state: 'pending',
    toolId: 'plugin:a:t',
    input: { amount: 1 },
    title: 'Pay',
    description: '',
    severity: 'warning',
    allowedDecisions: ['allow-once', 'deny'],
    cause: { by: 'default', where: 'tools.approvals' },
    createdMs: 1,
    expiresMs: 1e12,
  }
}

export function anEnding(approval: Approval, state: Exclude<Approval['state'], 'pending'>): ApprovalEnding {
  const { tenant, id, callId, agent, toolId, schemaHash, inputHash } = approval
  const common = { tenant, callId, agent, toolId, schemaHash, inputHash }
  return {
    approval: { ...approval, state, decidedMs: 5, decidedBy: 'tok_1' },
    receipt: {
      ...common,
      kind: 'decision',
      id: `rc-${id}-${state}`,
      approval: id,
      state,
      decidedBy: 'tok_1',
      startedMs: 1,
      ms: 4,
    },
    notices: [],
  }
}

function grant(tenant: string, id: string): Grant {
  const cause = { by: 'default', where: 'tools.approvals' } as const
  const of = { agent: 'default', toolId: 'plugin:a:t', schemaHash: 's', cause, approval: 'a' }
  return { id, tenant, ...of, grantedBy: 'tok_1', createdMs: 1 }
}

function entry(id: string): OutboxEntry {
  return { id, tenant: 'a', url: HOOK, body: { id }, createdMs: 1, dueMs: 1, failedRounds: 0 }
}
