import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startPatience } from './patience.ts'

const never = (): AbortSignal => new AbortController().signal
const over = () => new Error('over')

test('it is over after its time, and says that it was the time', async () => {
  const patience = startPatience({ ms: 10, reason: over }, never())
  await expect.poll(() => patience.signal.aborted).toBe(true)
  expect([patience.isOver, String(patience.signal.reason)]).toEqual([true, 'Error: over'])
})

test('while it is paused no time passes, however many paused it', async () => {
  const patience = startPatience({ ms: 20, reason: over }, never())
  const [first, second] = [patience.pause(), patience.pause()]
  first()
  // Each counts once.
  first()
  await pause(60)
  expect(patience.signal.aborted).toBe(false)
  second()
  await expect.poll(() => patience.signal.aborted).toBe(true)
})

test('a sign of life gives it the whole time again', async () => {
  const patience = startPatience({ ms: 400, reason: over }, never())
  for (let count = 0; count < 4; count += 1) {
    await pause(120)
    patience.restart()
  }
  expect(patience.signal.aborted).toBe(false)
  patience.end()
})

test('the outer signal ends it with its own reason, also from the start', () => {
  const outer = new AbortController()
  const patience = startPatience({ ms: 60_000, reason: over }, outer.signal)
  outer.abort(new Error('left'))
  expect([patience.isOver, String(patience.signal.reason)]).toEqual([false, 'Error: left'])
  expect(startPatience({ ms: 60_000, reason: over }, outer.signal).signal.aborted).toBe(true)
})

test('one that has ended is never over', async () => {
  const patience = startPatience({ ms: 5, reason: over }, never())
  patience.end()
  await pause(30)
  expect(patience.signal.aborted).toBe(false)
})
