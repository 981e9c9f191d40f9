import { expect, onTestFinished, test } from 'vitest'
import type { WaitingEntry } from '../store/waiting-store.ts'
import { aSharedStore, LEASE_MS } from './testing/shared-store.ts'
import { createWorkClaims } from './work-claims.ts'

const CALL: WaitingEntry = { tenant: 't', id: 'call_1', kind: 'call', approvals: [], isForClient: false }

/** Gateways on one store; `made` is what any of them did. */
async function aPlace() {
  const { open: openShared, clock } = await aSharedStore()
  const made: string[] = []
  const open = async (owner: string) => {
    const { store, claims, live, work } = await openShared(owner)
    /** As a parked call is made: entered, read, taken off the list, done. */
    const goOn = async (): Promise<string> => {
      const entered = await live.tryEnter('t', 'call_1')
      if (entered.kind !== 'in') return entered.kind
      try {
        if ((await work.get('t', 'call_1')) === undefined) return 'gone'
        await work.remove('t', 'call_1')
        made.push(owner)
        return 'made'
      } finally {
        entered.leave()
      }
    }
    return { store, claims, live, work, goOn }
  }
  return { open, made, clock }
}

test('of two gateways on one store that go on with the same work one does, however often both try', async () => {
  const { open, made } = await aPlace()
  const [a, b] = [await open('a'), await open('b')]
  for (let round = 1; round <= 20; round += 1) {
    await a.work.put(CALL, { n: round })
    await Promise.all([a.goOn(), b.goOn(), b.goOn(), a.goOn()])
    expect(made).toHaveLength(round)
  }
})

test('what one is at the other leaves alone, until it is parked again', async () => {
  const { open } = await aPlace()
  const [a, b] = [await open('a'), await open('b')]
  await a.work.put(CALL, {})
  const leave = await a.live.enter('t', 'call_1')
  expect([await b.goOn(), await b.live.isElsewhere('t', 'call_1')]).toEqual(['elsewhere', true])
  await expect(b.work.put(CALL, {})).rejects.toMatchObject({ name: 'StoreError', code: 'row-taken' })
  await expect(b.work.remove('t', 'call_1')).rejects.toMatchObject({ code: 'row-taken' })
  await a.work.put(CALL, { further: true })
  leave()
  expect([await b.live.isElsewhere('t', 'call_1'), await b.goOn()]).toEqual([false, 'made'])
})

test('work that begins to wait while one is at it is claimed with its first row', async () => {
  const { open } = await aPlace()
  const [a, b] = [await open('a'), await open('b')]
  const leave = await a.live.enter('t', 'call_1')
  await a.work.put(CALL, {})
  expect(await b.goOn()).toBe('elsewhere')
  leave()
  expect(await b.goOn()).toBe('made')
})

test('after its gateway was killed it is free when the lease is over, and at once for the next one in its place', async () => {
  const { open, clock, made } = await aPlace()
  const [a, b] = [await open('a'), await open('b')]
  await a.work.put(CALL, {})
  await a.live.enter('t', 'call_1')
  clock.nowMs += LEASE_MS
  expect(await b.goOn()).toBe('elsewhere')
  const again = await open('a')
  const entered = await again.live.tryEnter('t', 'call_1')
  expect(entered.kind).toBe('in')
  clock.nowMs += LEASE_MS + 1
  expect([await b.goOn(), made]).toEqual(['made', ['b']])
})

test('one that stood still for longer than its lease begins nothing more of what another took over', async () => {
  const { open, clock } = await aPlace()
  const [a, b] = [await open('a'), await open('b')]
  await a.work.put(CALL, {})
  await a.live.enter('t', 'call_1')
  clock.nowMs += LEASE_MS + 1
  const entered = await b.live.tryEnter('t', 'call_1')
  expect(entered.kind).toBe('in')
  await expect(a.work.remove('t', 'call_1')).rejects.toMatchObject({ code: 'row-taken' })
  await expect(a.work.put(CALL, {})).rejects.toMatchObject({ code: 'row-taken' })
  await b.work.remove('t', 'call_1')
  if (entered.kind === 'in') entered.leave()
  // It was ended there: here it is not begun as if it had never been.
  await expect(a.work.remove('t', 'call_1')).rejects.toMatchObject({ code: 'row-taken' })
  await expect(a.work.put(CALL, {})).rejects.toMatchObject({ code: 'row-taken' })
})

test('a claim is renewed for as long as its gateway is at the work', async () => {
  const { open } = await aPlace()
  const [a, b] = [await open('a'), await open('b')]
  const closing = new AbortController()
  const of = { store: a.store, owner: 'quick', closing: closing.signal, now: Date.now, onError: () => {}, leaseMs: 90 }
  const claims = createWorkClaims(of)
  onTestFinished(() => closing.abort())
  await a.work.put(CALL, {})
  expect(await claims.take('t', 'call_1')).toBe(true)
  const until = Date.now() + 400
  await expect.poll(() => b.store.waiting.ownerOf('t', 'call_1', until), { timeout: 5_000, interval: 20 }).toBe('quick')
})
