import { expect, onTestFinished, test } from 'vitest'
import type { Approval } from '../../../bridge/approval.ts'
import { aPending } from '../../store/testing/approval-makers.ts'
import { createHeldWatch } from './held-watch.ts'

const ONE = aPending('t', 'apr_1', 'call_1')

test('rows are read only where somebody waits and another gateway has written, and again after a failure', async () => {
  const world = { version: 1, versions: 0, reads: 0, isLocked: false, waiting: [] as readonly Approval[] }
  const [ended, errors]: [Approval[], unknown[]] = [[], []]
  const watch = createHeldWatch({
    store: {
      versionOfOthers: async () => ((world.versions += 1), world.version),
      listEnded: async () => {
        world.reads += 1
        if (world.isLocked) throw new Error('locked')
        return world.version === 1 ? [] : [ONE]
      },
      renewHeld: async () => {},
      dropAnswers: async () => {},
    },
    holder: 'a',
    waiting: () => world.waiting,
    onEnded: (approval) => ended.push(approval),
    onError: (error) => errors.push(error),
    lookMs: 5,
    now: () => 1_000,
  })
  onTestFinished(() => watch.stop())
  const looks = async (count: number) => {
    const before = world.versions
    await expect.poll(() => world.versions, { interval: 5 }).toBeGreaterThanOrEqual(before + count)
  }
  watch.look()
  world.waiting = [ONE]
  watch.look()
  await looks(4)
  expect([world.reads, ended]).toEqual([1, []])
  Object.assign(world, { version: 2, isLocked: true })
  await looks(3)
  expect(errors.length).toBeGreaterThan(1)
  world.isLocked = false
  await expect.poll(() => ended, { interval: 5 }).toEqual([ONE])
})
