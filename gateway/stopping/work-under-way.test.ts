import { expect, test } from 'vitest'
import { createWorkUnderWay } from './work-under-way.ts'

test('waits for all that is under way, and for what its end begins', async () => {
  const { track, settled } = createWorkUnderWay()
  const ended: string[] = []
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = async (): Promise<void> => {
    await first.promise
    ended.push('first')
    void track(second.promise.then(() => ended.push('second')))
  }
  void track(work())
  const waiting = settled(10_000).then(() => [...ended])
  first.resolve()
  setTimeout(second.resolve, 20)
  expect(await waiting).toEqual(['first', 'second'])
})

test('nothing under way is settled at once, and work that never ends is waited for no longer than asked', async () => {
  const { track, settled } = createWorkUnderWay()
  await settled(10_000)
  void track(new Promise(() => {}))
  await settled(10)
  expect(await track(Promise.resolve(7))).toBe(7)
})

test('work that fails is an end too, and whoever asked for it hears of it', async () => {
  const { track, settled } = createWorkUnderWay()
  const failing = track(Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await settled(10_000)
})
