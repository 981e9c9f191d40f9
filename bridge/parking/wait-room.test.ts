import { expect, test } from 'vitest'
import { aTool } from '../../catalog/testing/a-tool.ts'
import type { FrozenCall } from '../approving/frozen-call.ts'
import { createJournal } from '../journal.ts'
import { WaitRoom } from './wait-room.ts'

const { id: toolId, schemaHash } = aTool()
const callOf = (callId: string): FrozenCall => ({
  callId,
  receiptId: `rc_${callId}`,
  requested: toolId,
  toolId,
  schemaHash,
  input: {},
  notices: [],
})

test('a call that begins while another is being kept is written down before it is made', async () => {
  const written = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let keeps = 0
  const room = aRoom(async () => {
    keeps += 1
    await written[keeps - 1]?.promise
  })
  const waits = room.begin(1)
  const sibling = room.begin(2)
  const kept = waits.hold.begin({ call: callOf('r/1') })
  let mayRun = false
  const leaving = sibling.hold.end('r/2').then(() => (mayRun = true))
  await new Promise(setImmediate)
  expect([keeps, mayRun]).toEqual([1, false])
  written[0]?.resolve()
  await kept
  await new Promise(setImmediate)
  // Kept once more, with the sibling as under way.
  expect([keeps, mayRun]).toEqual([2, false])
  written[1]?.resolve()
  await leaving
  room.close()
})

test('before anything waits nothing has to be kept for a call to begin', async () => {
  let keeps = 0
  const room = aRoom(async () => void (keeps += 1))
  await room.begin(1).hold.end('r/1')
  expect(keeps).toBe(0)
  room.close()
})

function aRoom(keep: () => Promise<void>): WaitRoom {
  return new WaitRoom({
    journal: createJournal(),
    holdMs: Number.POSITIVE_INFINITY,
    callsInFlight: 4,
    reachesClient: true,
    clientKey: 'key',
    before: undefined,
    keep,
    onPark: () => undefined,
    onOutgrown: () => undefined,
    now: () => 0,
  })
}
