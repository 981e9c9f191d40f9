import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { everyHour } from './every-hour.ts'
import { CHORE_INTERVAL_MS } from './limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function aLog() {
  const said: string[] = []
  return {
    said,
    options: { failed: 'it failed', log: { error: (_facts: object, text: string) => void said.push(text) } },
  }
}

test('a chore is done at once and each hour, and what fails is told and tried again', async () => {
  let times = 0
  const { said, options } = aLog()
  const chore = everyHour(async () => {
    times += 1
    if (times === 1) throw new Error('locked')
  }, options)
  await vi.advanceTimersByTimeAsync(2 * CHORE_INTERVAL_MS)
  expect([times, said]).toEqual([3, ['it failed']])
  chore.stop()
  await vi.advanceTimersByTimeAsync(CHORE_INTERVAL_MS)
  expect(times).toBe(3)
})

test('one that takes longer than an hour is not begun a second time beside itself', async () => {
  let begun = 0
  const { options } = aLog()
  const chore = everyHour(() => {
    begun += 1
    return new Promise(() => {})
  }, options)
  await vi.advanceTimersByTimeAsync(3 * CHORE_INTERVAL_MS)
  expect(begun).toBe(1)
  chore.stop()
})

test('one that is stopped hears of it, and its end is nobody’s business', async () => {
  const { said, options } = aLog()
  const chore = everyHour(
    (stopping) =>
      new Promise((_resolve, reject) => stopping.addEventListener('abort', () => reject(new Error('closed')))),
    options,
  )
  chore.stop()
  await vi.advanceTimersByTimeAsync(1)
  expect(said).toEqual([])
})
