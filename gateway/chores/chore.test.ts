import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startChore } from './chore.ts'

const HOUR_MS = 3_600_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function aLog() {
  const said: string[] = []
  return {
    said,
    options: {
      everyMs: HOUR_MS,
      failed: 'it failed',
      log: { error: (_facts: object, text: string) => void said.push(text) },
    },
  }
}

test('a chore is done at once and after each interval, and what fails is told and tried again', async () => {
  let times = 0
  const { said, options } = aLog()
  const chore = startChore(async () => {
    times += 1
    if (times === 1) throw new Error('locked')
  }, options)
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
  expect([times, said]).toEqual([3, ['it failed']])
  chore.stop()
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  expect(times).toBe(3)
})

test('one that takes longer than its interval is not begun a second time beside itself', async () => {
  let begun = 0
  const { options } = aLog()
  const chore = startChore(() => {
    begun += 1
    return new Promise(() => {})
  }, options)
  await vi.advanceTimersByTimeAsync(3 * HOUR_MS)
  expect(begun).toBe(1)
  chore.stop()
})

test('one that is stopped hears of it, and its end is nobody’s business', async () => {
  const { said, options } = aLog()
  const chore = startChore(
    (stopping) =>
      new Promise((_resolve, reject) => stopping.addEventListener('abort', () => reject(new Error('closed')))),
    options,
  )
  chore.stop()
  await vi.advanceTimersByTimeAsync(1)
  expect(said).toEqual([])
})
