import { expect, test } from 'vitest'
import { DROP_BATCH_ROWS } from '../approvals/limits.ts'
import { dropEndedApprovals } from './drop-ended-approvals.ts'
import { DAY_MS } from './limits.ts'

test('what ended so many days ago is dropped at once, step by step until nothing is left', async () => {
  const left = [DROP_BATCH_ROWS, DROP_BATCH_ROWS, 7]
  const asked: (readonly number[])[] = []
  const said = Promise.withResolvers<unknown>()
  const chore = dropEndedApprovals(() => 30, {
    store: {
      approvals: {
        dropEnded: async (...given) => {
          asked.push(given)
          return left.shift() ?? 0
        },
      },
    },
    log: { info: said.resolve, error: said.reject },
    now: () => 100 * DAY_MS,
  })
  expect(await said.promise).toEqual({ rows: 2 * DROP_BATCH_ROWS + 7 })
  expect(asked).toEqual(Array.from({ length: 3 }, () => [70 * DAY_MS, DROP_BATCH_ROWS]))
  chore.stop()
})

test('a store that refuses is told, and what it rejects with after the end is not', async () => {
  const said = Promise.withResolvers<unknown>()
  const failing = { approvals: { dropEnded: () => Promise.reject(new Error('locked')) } }
  const log = { info: said.reject, error: said.resolve }
  dropEndedApprovals(() => 1, { store: failing, log, now: () => 0 }).stop()
  const late = Promise.withResolvers<number>()
  const told: unknown[] = []
  const write = (facts: unknown): void => void told.push(facts)
  const store = { approvals: { dropEnded: () => late.promise } }
  dropEndedApprovals(() => 1, { store, log: { info: write, error: write }, now: () => 0 }).stop()
  late.reject(new Error('closed'))
  await late.promise.catch(() => undefined)
  await new Promise(setImmediate)
  expect(told).toEqual([])
})
