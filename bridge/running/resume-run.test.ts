import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIsolatePool } from '../isolate/pool.ts'
import type { ProgramHost } from '../isolate/program-host.ts'
import { CallerLeft } from '../parking/caller-left.ts'
import type { WaitingRun } from '../parking/waiting-run.ts'
import type { Run } from '../run.ts'
import type { RunWorld } from '../testing/a-run-world.ts'
import { PARKED_UNTIL_MS, aRunWorld } from '../testing/a-run-world.ts'

let pool: ProgramHost
beforeAll(async () => {
  pool = await createIsolatePool()
})
afterAll(() => pool.close())

const PAY = "return (await tools.call('pay', { amount: 500 })).pay.amount"

function waiting(run: Run): Extract<Run, { status: 'waiting' }> {
  if (run.status !== 'waiting') throw new Error(`the run is ${run.status}: ${JSON.stringify(run)}`)
  return run
}

/** Until every approval so far is as it is told. */
function decideAll(world: RunWorld, state: 'allowed-once' | 'denied'): void {
  for (const { id } of world.desk.rows()) world.desk.decide(id, state)
}

describe('a run with a call that waits', () => {
  test('is held, and goes on when the call is allowed', async () => {
    const world = aRunWorld(pool, { holdMs: 60_000 })
    const running = world.run(PAY)
    world.desk.decide((await world.desk.opened(1)).id, 'allowed-once')
    expect(await running).toMatchObject({ status: 'completed', value: 500 })
    expect(world.made).toHaveLength(1)
  })

  test('does not run out of time while it is held, and its siblings go on', async () => {
    const world = aRunWorld(pool, { holdMs: 60_000, wallMs: 250 })
    const running = world.run(`const paid = tools.call('pay', { amount: 1 })
      const read = await tools.call('read', { n: 1 })
      return [read.read.n, (await paid).pay.amount]`)
    const row = await world.desk.opened(1)
    await sleep(600)
    expect(world.made).toEqual([{ tool: 'read', args: { n: 1 } }])
    world.desk.decide(row.id, 'allowed-once')
    expect(await running).toMatchObject({ status: 'completed', value: [1, 1] })
  })

  test('is parked with all that it waits for, keeps no worker, and is finished from its record', async () => {
    const world = aRunWorld(pool)
    const run = waiting(
      await world.run(`console.log('began')
        const first = await tools.call('read', { n: 1 })
        const both = await Promise.all([tools.call('pay', { amount: 1 }), tools.call('refund', { amount: 2 })])
        console.log('paid')
        return [first.read.n, both[0].pay.amount, both[1].refund.amount, (await tools.call('read', { n: 2 })).read.n]`),
    )
    expect(run.pending).toMatchObject([
      { approval: 'ap_1', callId: `${run.id}/2`, tool: 'plugin:demo:pay', expiresMs: PARKED_UNTIL_MS },
      { approval: 'ap_2', callId: `${run.id}/3`, tool: 'plugin:demo:refund' },
    ])
    expect(run.calls.map(({ outcome, effect }) => [outcome, effect])).toEqual([
      ['ok', 'done'],
      ['waiting', 'none'],
      ['waiting', 'none'],
    ])
    expect(pool.status().busy).toBe(0)
    expect(world.desk.parkedIds()).toEqual(['ap_1', 'ap_2'])

    decideAll(world, 'allowed-once')
    const ended = await world.resume(world.kept(run.id))
    expect(ended).toMatchObject({ id: run.id, status: 'completed', value: [1, 1, 2, 2] })
    expect(ended.logs.map(({ text }) => text)).toEqual(['began', 'paid'])
    expect(ended.calls.map(({ id, outcome }) => [id, outcome])).toEqual([
      [`${run.id}/1`, 'ok'],
      [`${run.id}/2`, 'ok'],
      [`${run.id}/3`, 'ok'],
      [`${run.id}/4`, 'ok'],
    ])
    expect(world.made.map(({ tool }) => tool).toSorted()).toEqual(['pay', 'read', 'read', 'refund'])
    expect(world.desk.rows()).toHaveLength(2)
  })

  test('of which one is decided makes that one and waits again for the other', async () => {
    const world = aRunWorld(pool)
    const source = `const [a, b] = await tools.callAll([{ id: 'pay', args: { amount: 1 } }, { id: 'refund', args: { amount: 2 } }])
      return [a.status, b.reason?.code]`
    const run = waiting(await world.run(source))
    world.desk.decide('ap_1', 'allowed-once')
    const again = waiting(await world.resume(world.kept(run.id)))
    expect(again.pending).toMatchObject([{ approval: 'ap_2' }])
    expect(world.made).toEqual([{ tool: 'pay', args: { amount: 1 } }])
    world.desk.decide('ap_2', 'denied')
    expect(await world.resume(world.kept(run.id))).toMatchObject({ value: ['fulfilled', 'rejected'] })
    expect(world.made).toHaveLength(1)
  })

  test('finds what it had set in the store before it was parked', async () => {
    const world = aRunWorld(pool)
    const run = waiting(
      await world.run(`await tools.store.set('paid', 1)
        await tools.call('pay', { amount: 1 })
        const paid = await tools.store.get('paid')
        await tools.store.set('paid', paid + 1)
        await tools.call('refund', { amount: 1 })
        return [paid, await tools.store.get('paid')]`),
    )
    decideAll(world, 'allowed-once')
    const again = waiting(await world.resume(world.kept(run.id)))
    decideAll(world, 'allowed-once')
    expect(await world.resume(world.kept(again.id))).toMatchObject({ status: 'completed', value: [1, 2] })
  })

  test('that asks again and again is parked each time, under the same id', async () => {
    const world = aRunWorld(pool)
    let run = await world.run(`let sum = 0
      for (let i = 1; i <= 3; i++) sum += (await tools.call('pay', { amount: i })).pay.amount
      return sum`)
    for (let round = 1; round <= 3; round++) {
      expect(waiting(run).pending).toMatchObject([{ approval: `ap_${round}` }])
      decideAll(world, 'allowed-once')
      run = await world.resume(world.kept(run.id))
    }
    expect(run).toMatchObject({ status: 'completed', value: 6 })
    expect(world.made.map(({ args }) => args['amount'])).toEqual([1, 2, 3])
  })

  test('waits for more calls than may be in flight, and loses none that had not begun', async () => {
    const world = aRunWorld(pool)
    let run =
      await world.run(`const all = await tools.callAll(Array.from({ length: 20 }, (_, i) => ({ id: 'pay', args: { i } })))
      return all.map(({ status, reason }) => reason?.code ?? status)`)
    for (let round = 0; round < 4 && run.status === 'waiting'; round++) {
      decideAll(world, 'allowed-once')
      run = await world.resume(world.kept(run.id))
    }
    expect(run).toMatchObject({ value: Array.from({ length: 20 }, () => 'fulfilled') })
    expect(world.made.map(({ args }) => args['i']).toSorted((a, b) => Number(a) - Number(b))).toEqual([
      ...Array.from({ length: 20 }).keys(),
    ])
  })

  test('that is denied tells the program who said no and why', async () => {
    const world = aRunWorld(pool)
    const run = await world.run(
      "try { await tools.call('pay', {}) } catch (e) { return [e.code, e.effect, e.message] }",
    )
    world.desk.decide('ap_1', 'denied', { decidedBy: 'tok_boss', reason: 'not today' })
    expect(await world.resume(world.kept(run.id))).toMatchObject({
      value: ['rejected', 'none', expect.stringContaining('denied by tok_boss: not today')],
    })
  })

  test('shows its hooks each call once, with the call of the model that it is made in', async () => {
    const seen: unknown[] = []
    const common = { plugin: 'witness', priority: 0 }
    const world = aRunWorld(pool, {
      hooks: [
        {
          ...common,
          event: 'before_tool_call',
          handler: ({ callId, parentCallId }) => void seen.push(callId, parentCallId),
        },
        { ...common, event: 'after_tool_call', handler: ({ callId, turnId }) => void seen.push(callId, turnId) },
      ],
    })
    const run = await world.run(PAY, { id: 'run_seen', turnId: 'turn_1', parentCallId: 'call_a' })
    expect(world.desk.requests()).toMatchObject([{ callId: 'run_seen/1', runId: 'run_seen', turnId: 'turn_1' }])
    decideAll(world, 'allowed-once')
    await world.resume(world.kept(run.id))
    expect(seen).toEqual(['run_seen/1', 'call_a', 'run_seen/1', 'turn_1'])
  })

  test('whose record outgrows what can be kept ends by that, with its approvals', async () => {
    const text = 'x'.repeat(500_000)
    const read = async () => ({ content: [], structured: { text } })
    const world = aRunWorld(pool, { holdMs: 60_000, execute: { read } })
    const source = `const paid = tools.call('pay', { amount: 1 })
      for (let i = 0; i < 12; i++) await tools.call('read', { i })
      return await paid`
    expect(await world.run(source)).toMatchObject({ status: 'failed', error: { code: 'limit' } })
    expect(world.desk.rows()).toMatchObject([{ state: 'cancelled' }])
    expect(world.made.some(({ tool }) => tool === 'pay')).toBe(false)
  })

  test('is cancelled with its approvals', async () => {
    const world = aRunWorld(pool, { holdMs: 60_000 })
    const stop = new AbortController()
    const running = world.run(PAY, {}, stop.signal)
    await world.desk.opened(1)
    await sleep(20)
    stop.abort(new Error('cancelled by request'))
    expect(await running).toMatchObject({ status: 'failed', error: { code: 'cancelled' } })
    expect(world.desk.rows()).toMatchObject([{ state: 'cancelled' }])
  })

  test('is parked, not cancelled, when whoever asked has left', async () => {
    const world = aRunWorld(pool, { holdMs: 60_000 })
    const gone = new AbortController()
    const running = world.run(PAY, {}, gone.signal)
    await world.desk.opened(1)
    await sleep(20)
    gone.abort(new CallerLeft('the client left'))
    const run = waiting(await running)
    decideAll(world, 'allowed-once')
    expect(await world.resume(world.kept(run.id))).toMatchObject({ value: 500 })
  })
})

describe('a gateway that ends', () => {
  /** What a crash leaves: the last that was kept, and nothing of what went on after it. */
  async function crash(world: RunWorld, at: (world: RunWorld) => Promise<void>, source: string): Promise<WaitingRun> {
    const stop = new AbortController()
    const running = world.run(source, { id: 'run_crashed' }, stop.signal)
    await at(world)
    const left = world.kept('run_crashed')
    stop.abort()
    await running
    return left
  }

  test('while a call is held leaves a run that goes on with what was decided', async () => {
    const world = aRunWorld(pool, { holdMs: 60_000 })
    const left = await crash(
      world,
      async ({ desk }) => {
        await desk.opened(1)
        await sleep(50)
      },
      PAY,
    )
    expect(left.waits).toMatchObject([{ call: { callId: 'run_crashed/1', approval: 'ap_1' } }])
    expect(await aRunWorld(pool, { desk: world.desk, made: [] }).resume(left)).toMatchObject({
      // The crash itself cancelled it here; its program hears so.
      status: 'failed',
      error: { message: expect.stringContaining('cancelled') },
    })
    expect(world.made).toEqual([])
  })

  test('in the middle of an allowed call leaves its effect unknown, and it is not made again', async () => {
    const world = aRunWorld(pool, {
      holdMs: 60_000,
      execute: {
        pay: (_args, { signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
    })
    const source = `const read = await tools.call('read', { n: 1 })
      const end = await tools.call('pay', { amount: 1 }).then(() => 'ok', (e) => e.effect)
      return [read.read.n, end, (await tools.call('read', { n: 2 })).read.n]`
    const left = await crash(
      world,
      async ({ desk, made }) => {
        desk.decide((await desk.opened(1)).id, 'allowed-once')
        while (made.length < 2) await sleep(5)
      },
      source,
    )
    expect(left.waits).toEqual([])
    const next = aRunWorld(pool, { desk: world.desk })
    expect(await next.resume(left)).toMatchObject({ status: 'completed', value: [1, 'unknown', 2] })
    expect(next.made).toEqual([{ tool: 'read', args: { n: 2 } }])
  })

  test('after an allowed call has ended repeats neither it nor what followed', async () => {
    const hang = new Promise<never>(() => {})
    const world = aRunWorld(pool, {
      holdMs: 60_000,
      execute: { read: async ({ n }) => (n === 3 ? hang : { content: [], structured: { read: { n: n ?? 0 } } }) },
    })
    const source = `const out = [(await tools.call('pay', { amount: 1 })).pay.amount]
      for (const n of [1, 2, 3]) out.push(await tools.call('read', { n }).then((v) => v.read.n, (e) => e.effect))
      return out`
    const left = await crash(
      world,
      async ({ desk, made }) => {
        desk.decide((await desk.opened(1)).id, 'allowed-once')
        while (made.length < 4) await sleep(5)
      },
      source,
    )
    const next = aRunWorld(pool, { desk: world.desk })
    expect(await next.resume(left)).toMatchObject({ value: [1, 1, 2, 'unknown'] })
    expect(next.made).toEqual([])
  })
})

describe('a call of the client’s tool', () => {
  const OPEN = "return `opened ${await tools.call('open_tab', { url: 'https://example.com' })}`"

  test('parks the run at once, and the client’s result answers it', async () => {
    const world = aRunWorld(pool, { holdMs: 60_000 })
    const run = waiting(await world.run(OPEN, { reachesClient: true }))
    expect(run.pending).toEqual([
      {
        clientCall: `call_${'a'.repeat(24)}_1`,
        tool: 'client:client:open_tab',
        name: 'open_tab',
        args: { url: 'https://example.com' },
      },
    ])
    const left = world.kept(run.id)
    const answered = { ...left, waits: left.waits.map((wait) => ({ ...wait, answer: 'tab 7' })) }
    expect(await world.resume(answered)).toMatchObject({ status: 'completed', value: 'opened tab 7' })
    expect(world.receipts).toMatchObject([{ toolId: 'client:client:open_tab', outcome: 'ok' }])
  })

  test('keeps the id that the client was given while the run goes on with something else', async () => {
    const world = aRunWorld(pool)
    const source = `const [tab, paid] = await Promise.all([tools.call('open_tab', {}), tools.call('pay', { amount: 1 })])
      return [tab, paid.pay.amount]`
    const run = waiting(await world.run(source, { reachesClient: true }))
    decideAll(world, 'allowed-once')
    const again = waiting(await world.resume(world.kept(run.id)))
    expect(again.pending).toEqual(run.pending.filter((each) => 'clientCall' in each))
    const left = world.kept(run.id)
    const answered = { ...left, waits: left.waits.map((wait) => ({ ...wait, answer: 'tab 7' })) }
    expect(await world.resume(answered)).toMatchObject({ status: 'completed', value: ['tab 7', 1] })
    expect(world.made).toHaveLength(1)
  })

  test('is refused in a run whose client cannot be reached', async () => {
    const world = aRunWorld(pool)
    expect(await world.run(OPEN)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('open_tab') },
    })
  })
})
