import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { FrozenCall } from '../approving/frozen-call.ts'
import { createJournal } from '../running/journal.ts'
import { createMemoryDesk } from '../testing/memory-desk.ts'
import { aTool } from '../../catalog/testing/a-tool.ts'
import type { WaitRoomDeps } from './wait-room.ts'
import { WaitRoom } from './wait-room.ts'

const desk = createMemoryDesk()
const call: FrozenCall = {
  callId: 'run_1/1',
  receiptId: 'rc',
  requested: 'echo',
  toolId: 'plugin:demo:echo',
  schemaHash: 'h',
  input: {},
  notices: [],
}

function anApproval() {
  const question = { title: 'T', description: 'D', severity: 'info', allowedDecisions: ['deny'] } as const
  const about = {
    callId: 'run_1/1',
    tool: aTool(),
    input: {},
    inputHash: 'i',
    cause: { by: 'rule', where: 'r' },
  } as const
  return desk.open({ ...question, ...about, caller: { tenant: 't', agent: 'default' } })
}

function aRoom(given: Partial<WaitRoomDeps> = {}) {
  const seen = { parked: 0, kept: 0, outgrown: 0 }
  const room = new WaitRoom({
    journal: createJournal(),
    holdMs: 0,
    callsInFlight: 16,
    reachesClient: true,
    clientKey: 'a'.repeat(24),
    before: undefined,
    keep: async () => void (seen.kept += 1),
    onPark: () => void (seen.parked += 1),
    onOutgrown: () => void (seen.outgrown += 1),
    ...given,
  })
  return { room, seen }
}

const ask = (room: WaitRoom, id: number) => {
  room.record({ kind: 'asked', id, asked: '{}' })
  return room.begin(id).hold
}
const answer = (room: WaitRoom, id: number): void =>
  room.record({ kind: 'answered', id, nowMs: 0, answer: { kind: 'value', json: '1' } })

/** Longer than the quiet time before a run is parked. */
const QUIET_MS = 200

describe('a run whose call waits', () => {
  afterEach(() => void vi.useRealTimers())

  test('is parked when nothing else is under way, and not while something is', async () => {
    const { room, seen } = aRoom()
    await ask(room, 1).begin({ call, approval: await anApproval() })
    ask(room, 2)
    await sleep(QUIET_MS)
    expect(seen).toEqual({ parked: 0, kept: 1, outgrown: 0 })
    answer(room, 2)
    await sleep(QUIET_MS)
    expect([seen.parked, room.isParked]).toEqual([1, true])
  })

  test('is held for ever where there is no end to it, and not parked after its end', async () => {
    const forever = aRoom({ holdMs: Number.POSITIVE_INFINITY })
    const closed = aRoom()
    for (const { room } of [forever, closed]) await ask(room, 1).begin({ call, approval: await anApproval() })
    closed.room.close()
    closed.room.release()
    await sleep(QUIET_MS)
    expect([forever.seen.parked, closed.seen.parked]).toEqual([0, 0])
    forever.room.release()
    await sleep(QUIET_MS)
    expect(forever.seen.parked).toBe(1)
  })

  test('is held no longer because the clock of the machine is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { room, seen } = aRoom({ holdMs: 100 })
    await ask(room, 1).begin({ call, approval: await anApproval() })
    vi.setSystemTime(Date.now() - 3_600_000)
    ask(room, 2)
    answer(room, 2)
    await sleep(100 + QUIET_MS)
    expect(seen.parked).toBe(1)
  })

  test('stops its clock while it waits, once for each call', async () => {
    const { room } = aRoom({ holdMs: 60_000 })
    const ticks: string[] = []
    room.startClock({ pause: () => void ticks.push('pause'), resume: () => void ticks.push('resume') })
    const hold = ask(room, 1)
    await hold.begin({ call, approval: await anApproval() })
    await hold.end('run_1/1')
    await hold.end('run_1/1')
    expect(ticks).toEqual(['pause', 'resume'])
    room.close()
  })

  test('stops its clock also for a question in the middle of a call, once, and is not parked for it', async () => {
    const { room, seen } = aRoom()
    const ticks: string[] = []
    room.startClock({ pause: () => void ticks.push('pause'), resume: () => void ticks.push('resume') })
    const resume = ask(room, 1).pause?.()
    await sleep(QUIET_MS)
    resume?.()
    resume?.()
    expect([ticks, seen.parked]).toEqual([['pause', 'resume'], 0])
    room.close()
  })

  test('that cannot be kept is not made to be kept later', async () => {
    let isFull = true
    const { room, seen } = aRoom({ keep: () => (isFull ? Promise.reject(new Error('full')) : Promise.resolve()) })
    const hold = ask(room, 1)
    await expect(hold.begin({ call, approval: await anApproval() })).rejects.toThrow('full')
    await hold.end('run_1/1')
    isFull = false
    expect(seen.outgrown).toBe(0)
    room.close()
  })

  test('that waits for its client and outgrows its record cannot go on', async () => {
    const { room, seen } = aRoom({ journal: createJournal(100), holdMs: 60_000 })
    await ask(room, 1).begin({ call })
    room.record({ kind: 'asked', id: 2, asked: 'x'.repeat(200) })
    expect(seen.outgrown).toBe(1)
    expect(room.isParkable).toBe(false)
    room.close()
  })
})
