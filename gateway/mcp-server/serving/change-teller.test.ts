import { expect, test } from 'vitest'
import { createChangeTeller } from './change-teller.ts'

function aTeller() {
  let told = 0
  const teller = createChangeTeller(() => void (told += 1))
  const open = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    teller.opened(promise)
    return async () => {
      resolve()
      await new Promise((later) => setImmediate(later))
    }
  }
  return { teller, open, told: () => told }
}

test('who listens is told of each change at once', () => {
  const { teller, open, told } = aTeller()
  open()
  expect(told()).toBe(0)
  teller.changed()
  teller.changed()
  expect(told()).toBe(2)
})

test('what changes while nobody listens is told once, to the stream that is opened next', async () => {
  const { teller, open, told } = aTeller()
  teller.changed()
  teller.changed()
  expect(told()).toBe(0)
  const close = open()
  expect(told()).toBe(1)
  await close()
  open()
  expect(told()).toBe(1)
})

test('a client that opens another stream while one is thought open is told: what was told on a lost one it never read', async () => {
  const { teller, open, told } = aTeller()
  const closeFirst = open()
  teller.changed()
  expect(told()).toBe(1)
  const closeSecond = open()
  expect(told()).toBe(2)
  // The lost one ends after its successor has begun, which goes on being told.
  await closeFirst()
  teller.changed()
  expect(told()).toBe(3)
  await closeSecond()
  teller.changed()
  expect(told()).toBe(3)
})
