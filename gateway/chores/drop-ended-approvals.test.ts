import { expect, test } from 'vitest'
import { DROP_BATCH_ROWS } from '../approvals/limits.ts'
import { dropEndedApprovals } from './drop-ended-approvals.ts'

function aStore(...left: readonly number[]) {
  const batches = [...left]
  const asked: (readonly number[])[] = []
  const said: unknown[] = []
  const dropEnded = async (...given: readonly number[]): Promise<number> => {
    asked.push(given)
    return batches.shift() ?? 0
  }
  const deps = { store: { approvals: { dropEnded } }, log: { info: (facts: unknown) => void said.push(facts) } }
  return { asked, said, deps }
}

test('what ended before is dropped step by step until nothing is left, and told once', async () => {
  const { asked, said, deps } = aStore(DROP_BATCH_ROWS, DROP_BATCH_ROWS, 7)
  await dropEndedApprovals(70, deps, new AbortController().signal)
  expect(said).toEqual([{ rows: 2 * DROP_BATCH_ROWS + 7 }])
  expect(asked).toEqual(Array.from({ length: 3 }, () => [70, DROP_BATCH_ROWS]))
})

test('a gateway that stops does not wait for the rest', async () => {
  const { asked, deps } = aStore(DROP_BATCH_ROWS, DROP_BATCH_ROWS)
  const stop = new AbortController()
  const dropping = dropEndedApprovals(70, deps, stop.signal)
  stop.abort()
  await dropping
  expect(asked).toHaveLength(1)
})
