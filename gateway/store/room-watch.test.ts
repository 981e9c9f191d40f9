import { expect, test } from 'vitest'
import { ROOM_BYTES, ROOM_LOOK_MS } from './limits.ts'
import { createRoomWatch } from './room-watch.ts'

test('a disk that is full is told before anything is done, asked anew each time, and good as soon as there is room', () => {
  const disk: { free: number | undefined; looks: number; nowMs: number } = { free: ROOM_BYTES, looks: 0, nowMs: 0 }
  const freeBytes = (): number | undefined => {
    disk.looks += 1
    return disk.free
  }
  const check = createRoomWatch('/s/drawbridge.db', { freeBytes, nowMs: () => disk.nowMs })
  check()
  check()
  expect(disk.looks).toBe(1)
  disk.free = ROOM_BYTES - 1
  disk.nowMs = ROOM_LOOK_MS
  const message = `"/s/drawbridge.db" can grow by ${ROOM_BYTES - 1} bytes only: the disk is full`
  expect(check).toThrow(expect.objectContaining({ code: 'store-full', message }))
  expect(check).toThrow('the disk is full')
  disk.free = ROOM_BYTES
  check()
  // Where the system does not tell, the write says it.
  disk.free = undefined
  disk.nowMs += ROOM_LOOK_MS
  check()
  expect(disk.looks).toBe(5)
})

test('the real disk of the tests has room, and a file that is not there is no fault here', () => {
  expect(createRoomWatch(import.meta.filename)).not.toThrow()
  expect(createRoomWatch('/nowhere/at/all')).not.toThrow()
})
