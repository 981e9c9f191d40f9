import { expect, onTestFinished, test } from 'vitest'
import type { DueTimer, DueTimerDeps } from './due-timer.ts'
import { createDueTimer } from './due-timer.ts'

const PATIENCE = { timeout: 20_000, interval: 2 }

test('it works when something is due, looks for what comes next, and rests where nothing waits', async () => {
  const due = [Date.now() + 20, Date.now() + 40]
  let rounds = 0
  start({
    work: async () => {
      rounds += 1
      while (due[0] !== undefined && due[0] <= Date.now()) due.shift()
    },
    nextMs: async () => due[0],
  })
  await expect.poll(() => due.length, PATIENCE).toBe(0)
  const restingAt = rounds
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(rounds).toBe(restingAt)
})

test('looks during a round make one more, not many, and rounds never overlap', async () => {
  let [running, most, rounds] = [0, 0, 0]
  const gate = Promise.withResolvers<void>()
  const timer = start({
    work: async () => {
      running += 1
      rounds += 1
      most = Math.max(most, running)
      await gate.promise
      running -= 1
    },
    nextMs: async () => undefined,
  })
  for (let count = 0; count < 10; count += 1) timer.look()
  gate.resolve()
  await expect.poll(() => rounds, PATIENCE).toBe(2)
  await timer.stop()
  expect([most, rounds]).toEqual([1, 2])
})

test('work that fails is reported and tried again', async () => {
  const errors: unknown[] = []
  let rounds = 0
  start({
    work: async () => {
      rounds += 1
      if (rounds === 1) throw new Error('locked')
    },
    nextMs: async () => undefined,
    onError: (error) => errors.push(error),
  })
  await expect.poll(() => rounds, PATIENCE).toBe(2)
  expect(errors).toEqual([new Error('locked')])
})

test('a stop waits for the round under way, and none begins after it', async () => {
  const gate = Promise.withResolvers<void>()
  let rounds = 0
  const timer = start({
    work: async () => {
      rounds += 1
      await gate.promise
    },
    nextMs: async () => Date.now(),
  })
  const stopping = timer.stop()
  timer.look()
  gate.resolve()
  await stopping
  await timer.stop()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(rounds).toBe(1)
})

function start(deps: Pick<DueTimerDeps, 'work' | 'nextMs'> & Partial<DueTimerDeps>): DueTimer {
  const timer = createDueTimer({ onError: () => undefined, now: Date.now, ...deps })
  onTestFinished(() => timer.stop())
  timer.look()
  return timer
}
