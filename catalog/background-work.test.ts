import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBackgroundWork } from './background-work.ts'
import { WORK_AT_ONCE_STEPS, WORK_SLICE_MS } from './limits.ts'

/** Every look at the clock is one millisecond later, so that a slice has as many steps as milliseconds. */
function aWork() {
  let nowMs = 0
  const pauses: number[] = []
  const done: string[] = []
  const work = createBackgroundWork({
    nowMs: () => nowMs++,
    pause: async () => {
      pauses.push(done.length)
      await pause(0)
    },
  })
  const steps = function* (name: string, count: number): Generator<void, void> {
    for (let step = 1; step <= count; step += 1) {
      done.push(name)
      yield
    }
  }
  return { work, done, pauses, steps }
}

const AT_ONCE = WORK_AT_ONCE_STEPS + WORK_SLICE_MS

test('little work is done before anybody can look', () => {
  const { work, done, steps } = aWork()
  expect(work.run(steps('a', WORK_AT_ONCE_STEPS))).toBeUndefined()
  expect(done).toHaveLength(WORK_AT_ONCE_STEPS)
})

test('long work is done in slices, with all else between them', async () => {
  const { work, done, pauses, steps } = aWork()
  await work.run(steps('a', AT_ONCE + 3 * WORK_SLICE_MS))
  expect(done).toHaveLength(AT_ONCE + 3 * WORK_SLICE_MS)
  expect(pauses.slice(0, 4)).toEqual([0, 1, 2, 3].map((slice) => AT_ONCE + slice * WORK_SLICE_MS))
})

test('what is for later is not begun before the next slice', async () => {
  const { work, done, steps } = aWork()
  const running = work.later(steps('a', 1))
  expect(done).toEqual([])
  await running
  expect(done).toEqual(['a'])
})

test('what nobody waits for goes on when there is nothing else to do', async () => {
  const { work, done, steps } = aWork()
  const later = work.later(steps('later', 3 * WORK_SLICE_MS))
  await work.run(steps('now', AT_ONCE + 3 * WORK_SLICE_MS))
  expect(done).not.toContain('later')
  await later
  expect(done.filter((name) => name === 'later')).toHaveLength(3 * WORK_SLICE_MS)
})

test('works that are long take turns, and the shorter one is ready first', async () => {
  const { work, steps } = aWork()
  const ready: string[] = []
  const run = async (name: string, count: number): Promise<void> => {
    await work.run(steps(name, count))
    ready.push(name)
  }
  await Promise.all([run('long', AT_ONCE + 10 * WORK_SLICE_MS), run('short', AT_ONCE + 2 * WORK_SLICE_MS)])
  expect(ready).toEqual(['short', 'long'])
})

test('what a step throws is told to who waits, and the rest goes on', async () => {
  const { work, done, steps } = aWork()
  const failing = (function* () {
    yield* steps('bad', AT_ONCE + 5)
    throw new RangeError('full')
  })()
  const [bad, good] = await Promise.allSettled([work.run(failing), work.run(steps('good', 100))])
  expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled'])
  expect(done.filter((name) => name === 'good')).toHaveLength(100)
})

test('closing ends what is under way where it is, keeps nobody waiting and begins nothing', async () => {
  const { work, done, steps } = aWork()
  const running = work.run(steps('a', 1_000))
  const before = done.length
  work.close()
  await running
  expect(work.run(steps('b', 1))).toBeUndefined()
  await pause(5)
  expect(done).toHaveLength(before)
})
