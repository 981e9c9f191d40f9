import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DEFAULT_TIMING } from '../limits.ts'
import type { Refreshed } from './refresh-schedule.ts'
import { createRefreshSchedule } from './refresh-schedule.ts'

const timing = { ...DEFAULT_TIMING, listQuietMs: 5, listPatienceMs: 20 }

/** Reads while a server says every 5 ms that its list has changed. */
async function readsOf(refreshed: Refreshed, isOver: (reads: number) => boolean): Promise<number> {
  let reads = 0
  const schedule = createRefreshSchedule({
    timing,
    refresh: async () => {
      reads += 1
      return refreshed
    },
  })
  while (!isOver(reads)) {
    schedule.notify()
    await pause(5)
  }
  schedule.close()
  return reads
}

test('a list that is quickly taken up is read again and again while it changes', async () => {
  expect(await readsOf({ outcome: 'changed', heldMs: 0 }, (reads) => reads === 3)).toBe(3)
})

test('a list that holds everybody up while it is taken up is not read again before a long rest', async () => {
  let notices = 0
  expect(await readsOf({ outcome: 'changed', heldMs: 60_000 }, () => ++notices > 60)).toBe(1)
})
