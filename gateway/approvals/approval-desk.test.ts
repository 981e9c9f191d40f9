import { describe, expect, test } from 'vitest'
import type { ApprovalDecision } from '../../bridge/approval.ts'
import { describeCall } from '../../bridge/approving/pose-question.ts'
import { END_BATCH_ROWS } from './limits.ts'
import { aRequest, aTool, openDesk } from './testing/desk-under-test.ts'

const signal = new AbortController().signal

describe('asking', () => {
  test('a call asks once: asked again, also after a restart, it is the same row', async () => {
    const first = await openDesk()
    const asked = await first.desk.open(aRequest({ callId: 'run_1/1' }))
    expect(asked).toMatchObject({ state: 'pending', callId: 'run_1/1', toolId: 'plugin:pay:send', agent: 'default' })
    expect(asked.expiresMs - asked.createdMs).toBe(120_000)
    await first.desk.park('default', [asked.id])
    const again = await openDesk({ folder: first.folder })
    expect((await again.desk.open(aRequest({ callId: 'run_1/1' }))).id).toBe(asked.id)
    await first.desk.decide([{ id: asked.id, decision: 'allow-once' }], by())
    expect((await again.desk.open(aRequest({ callId: 'run_1/1' }))).state).toBe('allowed-once')
  })

  test.each([
    ['input', { input: { amount: 2 } }],
    ['schema', { tool: aTool({ amount: { type: 'string' } }) }],
  ])('a call that comes again with another %s is not allowed by what was decided', async (_what, changed) => {
    const { desk, store } = await openDesk()
    const allowed = await desk.open(aRequest({ callId: 'a' }))
    await desk.decide([{ id: allowed.id, decision: 'allow-once' }], by())
    expect(await desk.open(aRequest({ callId: 'a', ...changed }))).toMatchObject({ id: allowed.id, state: 'cancelled' })
    expect((await store.approvals.get('default', allowed.id))?.approval.state).toBe('allowed-once')
    const pending = await desk.open(aRequest({ callId: 'b' }))
    expect((await desk.open(aRequest({ callId: 'b', ...changed }))).state).toBe('cancelled')
    // Nobody can allow what is not going to be asked for any more.
    expect(await desk.decide([{ id: pending.id, decision: 'allow-once' }], by())).toMatchObject([{ kind: 'conflict' }])
  })

  test('a row says of channel and sender whether anybody vouched for them', async () => {
    const { desk } = await openDesk()
    const rowOf = async (callId: string, said: object) =>
      desk.open(aRequest({ callId, caller: { tenant: 'default', agent: 'default', ...said } }))
    expect(await rowOf('a', { channel: 'ops', sender: 'ada' })).toMatchObject({ sender: 'ada', isVouched: false })
    expect(await rowOf('b', { channel: 'ops', sender: 'ada', isVouched: true })).toMatchObject({ isVouched: true })
    expect(await rowOf('c', {})).not.toHaveProperty('isVouched')
  })

  test('of two calls with one id at the same time both are told the same', async () => {
    const { desk } = await openDesk()
    const both = await Promise.all([desk.open(aRequest({})), desk.open(aRequest({}))])
    expect(both[0].id).toBe(both[1].id)
    expect(await desk.open(aRequest({ tenant: 'other' }))).not.toMatchObject({ id: both[0].id })
  })

  test('what people are shown is redacted, and long texts are cut where one sees it', async () => {
    const { desk } = await openDesk()
    const input = { password: 'hunter2-hunter2', note: 'x'.repeat(40_000), amount: 1 }
    const { input: shown, title } = await desk.open(aRequest({ input, title: `Pay ${'y'.repeat(200)}` }))
    expect(shown).toEqual({
      password: expect.not.stringContaining('hunter2'),
      note: `${'x'.repeat(2048)}… (37952 more characters)`,
      amount: 1,
    })
    expect(title).toHaveLength(80)
  })

  test('a description made of the input shows no more than the input that is shown', async () => {
    const { desk } = await openDesk()
    const secret = `hunter2${'-hunter2'.repeat(60)}`
    const input = { credentials: { a: { b: 'plain-looking' } }, note: `password=${secret}` }
    const asked = aRequest({ input, description: describeCall(aTool(), input) })
    const { description } = await desk.open(asked)
    expect(description).toMatch(/^plugin:pay:send with \{"credentials":/)
    expect(description).not.toMatch(/plain-looking|hunter2/)
  })

  test('when the store cannot keep it, asking rejects', async () => {
    const { desk, store } = await openDesk()
    await store.close()
    await expect(desk.open(aRequest({}))).rejects.toMatchObject({ code: 'store-closed' })
  })
})

describe('deciding', () => {
  test.each([
    ['allow-once', 'allowed-once'],
    ['allow-always', 'allowed-always'],
    ['deny', 'denied'],
  ] as const)('%s ends it as %s and wakes who waits', async (decision, state) => {
    const { desk, store, ended } = await openDesk()
    const { id } = await desk.open(aRequest({}))
    const waiting = desk.settled('default', id, signal)
    const [answer] = await desk.decide([{ id, decision, reason: 'as agreed' }], by())
    expect(answer).toMatchObject({ kind: 'decided', approval: { state, decidedBy: 'tok_1', reason: 'as agreed' } })
    expect(await waiting).toMatchObject({ id, state })
    expect((await desk.settled('default', id, signal)).state).toBe(state)
    expect(ended.map((each) => each.state)).toEqual([state])
    expect(await store.readReceipts('default', 0, 10)).toHaveLength(1)
  })

  test('the first answer wins: the same one again is harmless, another is told what was decided', async () => {
    const { desk, store, ended } = await openDesk()
    const { id } = await desk.open(aRequest({}))
    const decisions: readonly ApprovalDecision[] = ['deny', 'allow-once', 'deny', 'allow-always', 'allow-once', 'deny']
    const answers = (
      await Promise.all(decisions.map((decision) => desk.decide([{ id, decision }], by(`tok_${decision}`))))
    ).flat()
    expect(answers.filter(({ kind }) => kind === 'decided')).toHaveLength(1)
    const winner = decisions[answers.findIndex(({ kind }) => kind === 'decided')]
    const state = (await store.approvals.get('default', id))?.approval.state
    for (const [index, answer] of answers.entries()) {
      expect(answer).toMatchObject({ approval: { state } })
      if (answer.kind !== 'decided') expect(answer.kind).toBe(decisions[index] === winner ? 'repeated' : 'conflict')
    }
    expect(ended).toHaveLength(1)
  })

  test('another tenant, another agent than one may see, and an unknown id are all absent', async () => {
    const { desk } = await openDesk()
    const { id } = await desk.open(aRequest({}))
    const deny = [{ id, decision: 'deny' }] as const
    expect(await desk.decide(deny, { tenant: 'rival', by: 'x' })).toEqual([{ kind: 'absent', id }])
    expect(await desk.decide(deny, { tenant: 'default', by: 'x', agents: ['other'] })).toEqual([{ kind: 'absent', id }])
    expect(await desk.decide([{ id: 'apr_none', decision: 'deny' }], by())).toMatchObject([{ kind: 'absent' }])
  })

  test('what comes after its time decides nothing, though it has not been ended yet', async () => {
    const { desk, store } = await openDesk()
    const { id } = await desk.open(aRequest({}))
    // Behind the timer's back, as by a machine that slept.
    await store.approvals.park('default', [id], 1)
    const [decided] = await desk.decide([{ id, decision: 'allow-once' }], { tenant: 'default', by: 'tok_1' })
    expect(decided).toMatchObject({ kind: 'conflict', approval: { state: 'expired', decidedBy: 'drawbridge' } })
  })

  test('a decision that was not offered changes nothing', async () => {
    const { desk, store } = await openDesk()
    const { id } = await desk.open(aRequest({ allowedDecisions: ['allow-once', 'deny'] }))
    expect(await desk.decide([{ id, decision: 'allow-always' }], by())).toMatchObject([{ kind: 'not-allowed' }])
    expect((await store.approvals.get('default', id))?.approval.state).toBe('pending')
  })

  test('several are decided in one step, each with its own result', async () => {
    const { desk } = await openDesk()
    const [one, two] = await Promise.all([
      desk.open(aRequest({ callId: 'r/1' })),
      desk.open(aRequest({ callId: 'r/2' })),
    ])
    await desk.decide([{ id: two.id, decision: 'deny' }], by())
    const answers = await desk.decide(
      ['apr_none', one.id, two.id].map((id) => ({ id, decision: 'allow-once' })),
      by(),
    )
    expect(answers.map(({ kind }) => kind)).toEqual(['absent', 'decided', 'conflict'])
  })

  test('when the store cannot keep a decision, nothing is decided and nobody is told', async () => {
    const { desk, store, ended, lock } = await openDesk()
    const { id } = await desk.open(aRequest({}))
    const waiting = desk.settled('default', id, signal)
    const unlock = lock()
    await expect(desk.decide([{ id, decision: 'allow-always' }], by())).rejects.toMatchObject({ code: 'store-locked' })
    unlock()
    expect((await store.approvals.get('default', id))?.approval.state).toBe('pending')
    expect([ended, await store.approvals.listGrants('default')]).toEqual([[], []])
    await desk.decide([{ id, decision: 'deny' }], by())
    expect((await waiting).state).toBe('denied')
  })
})

test('on a full disk neither a question nor a decision is kept by half; both go on once there is room', async () => {
  const { desk, store, ended, fill } = await openDesk()
  const note = 'x'.repeat(8_000)
  const { id } = await desk.open(aRequest({ input: { note }, callId: 'first' }))
  const empty = fill()
  await expect(desk.open(aRequest({ input: { note }, callId: 'second' }))).rejects.toMatchObject({ code: 'store-full' })
  // Its own row may still fit; the grant, the receipt and the messages have to, too.
  const always = { id, decision: 'allow-always', reason: note.slice(0, 512), args: { description: note } } as const
  await expect(desk.decide([always], by())).rejects.toMatchObject({ code: 'store-full' })
  expect((await store.approvals.get('default', id))?.approval.state).toBe('pending')
  expect([ended, await store.approvals.listGrants('default'), await store.readReceipts('default', 0, 9)]).toEqual([
    [],
    [],
    [],
  ])
  empty()
  expect(await desk.decide([always], by())).toMatchObject([{ kind: 'decided' }])
  expect((await desk.open(aRequest({ input: { note }, callId: 'second' }))).state).toBe('allowed-always')
})

describe('waiting', () => {
  test('one that is held ends in its time also where the clock is set back meanwhile', async () => {
    const clock = { nowMs: 10_000_000 }
    const { desk } = await openDesk({ timeoutMs: 100, clock: () => clock.nowMs })
    const { id } = await desk.open(aRequest({}))
    const parked = await desk.open(aRequest({ callId: 'parked' }))
    await desk.park('default', [parked.id])
    clock.nowMs -= 3_600_000
    expect(await desk.settled('default', id, signal)).toMatchObject({ state: 'expired', decidedBy: 'drawbridge' })
    expect(await desk.decide([{ id, decision: 'allow-once' }], by())).toMatchObject([{ kind: 'conflict' }])
    expect(await desk.decide([{ id: parked.id, decision: 'deny' }], by())).toMatchObject([{ kind: 'decided' }])
  })

  test('nobody decides: it expires, later once it is parked', async () => {
    const { desk, clock } = await openDesk({ timeoutMs: 100, parkedTimeoutMs: 300 })
    const [held, parked] = await Promise.all([
      desk.open(aRequest({ callId: 'held', timeoutMs: 40 })),
      desk.open(aRequest({ callId: 'parked' })),
    ])
    await desk.park('default', [parked.id])
    expect(await desk.settled('default', held.id, signal)).toMatchObject({ state: 'expired', decidedBy: 'drawbridge' })
    const end = await desk.settled('default', parked.id, signal)
    expect(end.state).toBe('expired')
    expect(clock() - end.createdMs).toBeGreaterThanOrEqual(300)
  })

  test('very many that are over at once leave room for others in between', async () => {
    const { desk } = await openDesk({ parkedTimeoutMs: 0 })
    const asked = await Promise.all(
      Array.from({ length: 3 * END_BATCH_ROWS }, (_, index) => desk.open(aRequest({ callId: `call_${index}` }))),
    )
    let turns = 0
    const turn = (): void => {
      turns += 1
      if (turns < 1_000_000) setImmediate(turn)
    }
    setImmediate(turn)
    await desk.park(
      'default',
      asked.map(({ id }) => id),
    )
    const ends = await Promise.all(asked.map(({ id }) => desk.settled('default', id, signal)))
    const between = turns
    turns = 1_000_000
    expect(new Set(ends.map(({ state }) => state))).toEqual(new Set(['expired']))
    expect(between).toBeGreaterThanOrEqual(2)
  })

  test('who stops waiting leaves the approval as it is', async () => {
    const { desk } = await openDesk()
    const { id } = await desk.open(aRequest({}))
    const stop = new AbortController()
    const waiting = desk.settled('default', id, stop.signal)
    stop.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await expect(desk.settled('default', id, stop.signal)).rejects.toThrow('gone')
    expect(await desk.decide([{ id, decision: 'allow-once' }], by())).toMatchObject([{ kind: 'decided' }])
  })

  test('cancelling ends pending ones alone, with the reason', async () => {
    const { desk, store } = await openDesk()
    const [one, two] = await Promise.all([desk.open(aRequest({ callId: 'x' })), desk.open(aRequest({ callId: 'y' }))])
    await desk.decide([{ id: two.id, decision: 'deny' }], by())
    await desk.cancel('rival', [one.id], 'not mine')
    expect((await store.approvals.get('default', one.id))?.approval.state).toBe('pending')
    await desk.cancel('default', [one.id, two.id, 'apr_none'], 'the turn was cancelled')
    const states = await store.approvals.list('default', { limit: 10 })
    expect(states.map(({ state, reason }) => [state, reason])).toEqual([
      ['denied', undefined],
      ['cancelled', 'the turn was cancelled'],
    ])
  })

  test('a stop cancels what was held, and a start what a killed gateway held; parked ones stay', async () => {
    const first = await openDesk()
    const ask = async (callId: string) => (await first.desk.open(aRequest({ callId }))).id
    const [held, parked] = [await ask('held'), await ask('parked')]
    await first.desk.park('default', [parked])
    await first.desk.close()
    await first.desk.close()
    const orphan = await ask('orphan')
    const second = await openDesk({ folder: first.folder })
    const read = async (id: string) => (await second.store.approvals.get('default', id))?.approval
    expect(await read(held)).toMatchObject({ state: 'cancelled', reason: 'the gateway stopped' })
    expect(await read(orphan)).toMatchObject({ state: 'cancelled', reason: 'the gateway ended while this was pending' })
    expect(await read(parked)).toMatchObject({ state: 'pending' })
  })
})

describe('grants', () => {
  test('what is always allowed is not asked again, and says by which grant', async () => {
    const { desk, store, notices } = await openDesk()
    await allowAlways(desk, aRequest({ callId: '1' }))
    const [grant] = await store.approvals.listGrants('default')
    const before = notices.length
    const covered = await desk.open(aRequest({ callId: '2', input: { amount: 9 } }))
    expect(covered).toMatchObject({ state: 'allowed-always', decidedBy: `grant:${grant?.id}` })
    expect(await desk.settled('default', covered.id, signal)).toMatchObject({ state: 'allowed-always' })
    expect(notices).toHaveLength(before)
    // The call leaves its trace all the same.
    expect(await store.readReceipts('default', 0, 10)).toHaveLength(2)
  })

  test.each([
    ['another tenant', { tenant: 'rival' }],
    ['another agent', { agent: 'other' }],
    ['another tool', { tool: aTool({}, 'refund') }],
    ['another reason to ask', { cause: { by: 'hook', where: 'guard' } as const }],
    ['one who has to decide each time', { allowedDecisions: ['allow-once', 'deny'] as const }],
    ['arguments beyond its pattern', { input: { amount: 101 } }],
    ['arguments that its pattern cannot compare', { input: { amount: '9' } }],
    ['arguments beyond its pattern under another key', { input: { amount: 9, Amount: 101 } }],
  ])('it does not cover %s', async (_what, other) => {
    const { desk } = await openDesk()
    await allowAlways(desk, aRequest({ callId: '1' }), { args: { properties: { amount: { maximum: 100 } } } })
    expect((await desk.open(aRequest({ callId: '2' }))).state).toBe('allowed-always')
    expect((await desk.open(aRequest({ callId: '3', ...other }))).state).toBe('pending')
  })

  test('it holds for the rule that asked, wherever that stands, and for no other that comes in its place', async () => {
    const { desk, rules } = await openDesk()
    const by = (where: string) => ({ cause: { by: 'rule', where } }) as const
    rules.set('tools.rules[0]', 'large sums')
    await allowAlways(desk, aRequest({ callId: '1', ...by('tools.rules[0]') }))
    expect((await desk.open(aRequest({ callId: '2', ...by('tools.rules[0]') }))).state).toBe('allowed-always')
    rules.set('tools.rules[0]', 'foreign accounts').set('tools.rules[1]', 'large sums')
    expect((await desk.open(aRequest({ callId: '3', ...by('tools.rules[0]') }))).state).toBe('pending')
    expect((await desk.open(aRequest({ callId: '4', ...by('tools.rules[1]') }))).state).toBe('allowed-always')
    rules.clear()
    expect((await desk.open(aRequest({ callId: '5', ...by('tools.rules[1]') }))).state).toBe('pending')
  })

  test('it ends with its time', async () => {
    const { desk, clock } = await openDesk()
    await allowAlways(desk, aRequest({ callId: '1' }), { untilMs: clock() - 1 })
    expect((await desk.open(aRequest({ callId: '2' }))).state).toBe('pending')
  })

  test('a changed schema voids it for good', async () => {
    const { desk, store } = await openDesk()
    await allowAlways(desk, aRequest({ callId: '1' }))
    expect((await desk.open(aRequest({ callId: '2', tool: aTool({ amount: { type: 'integer' } }) }))).state).toBe(
      'pending',
    )
    expect((await store.approvals.listGrants('default'))[0]?.ended).toMatchObject({ kind: 'voided' })
    expect((await desk.open(aRequest({ callId: '3' }))).state).toBe('pending')
  })

  test('is found where there is no room to ask, too', async () => {
    const { desk, ask } = await openDesk({ maxPending: 1 })
    await allowAlways(desk, aRequest({ callId: '1' }))
    await desk.open(aRequest({ callId: '2', tool: aTool({}, 'other') }))
    expect(await ask(aRequest({ callId: '3', tool: aTool({}, 'other') }))).toMatchObject({ state: 'no-room' })
    expect((await desk.open(aRequest({ callId: '4' }))).state).toBe('allowed-always')
  })

  test('a revoked one covers nothing', async () => {
    const { desk, store } = await openDesk()
    await allowAlways(desk, aRequest({ callId: '1' }))
    const [grant] = await store.approvals.listGrants('default')
    await store.approvals.endGrant('default', grant?.id ?? '', { kind: 'revoked', atMs: 1, by: 'tok_1' })
    expect((await desk.open(aRequest({ callId: '2' }))).state).toBe('pending')
  })
})

test('one token, and one agent, can have so many waiting; the refusal says which bound, and what is decided makes room', async () => {
  const { desk, ask } = await openDesk({ maxPending: 2, maxPendingPerToken: 1 })
  const { id } = await desk.open(aRequest({ callId: '1', token: 'tok_a' }))
  expect(await ask(aRequest({ callId: '2', token: 'tok_a' }))).toEqual({
    state: 'no-room',
    reason:
      '1 calls of this token wait for a decision already, as many as may (approvals.maxPendingPerToken); try again when some are decided, which "drawbridge approvals pending" lists',
  })
  await desk.open(aRequest({ callId: '3', token: 'tok_b' }))
  expect(await ask(aRequest({ callId: '4', token: 'tok_c' }))).toMatchObject({
    reason: expect.stringMatching(/^2 calls of agent "default" .*\(approvals\.maxPending\)/),
  })
  await desk.decide([{ id, decision: 'deny' }], by())
  expect((await desk.open(aRequest({ callId: '2', token: 'tok_a' }))).state).toBe('pending')
})

function by(token = 'tok_1') {
  return { tenant: 'default', by: token }
}

type Desk = Awaited<ReturnType<typeof openDesk>>['desk']

async function allowAlways(desk: Desk, request: ReturnType<typeof aRequest>, more: object = {}): Promise<void> {
  const { id } = await desk.open(request)
  const [answer] = await desk.decide([{ id, decision: 'allow-always', ...more }], by())
  expect(answer?.kind).toBe('decided')
}
