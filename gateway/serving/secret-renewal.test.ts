import { expect, test } from 'vitest'
import type { SourceState } from '../../catalog/source.ts'
import { createSecretRenewal } from './secret-renewal.ts'

const READY: SourceState = { kind: 'ready', sinceMs: 0 }
const REFUSED: SourceState = { kind: 'down', sinceMs: 0, reason: 'HTTP 401', needs: 'credentials' }
const BROKEN: SourceState = { kind: 'down', sinceMs: 0, reason: 'it exited' }

/** A look each second for so many; gives the seconds at which secrets were fetched. */
function fetchedAt(state: (second: number) => SourceState, { seconds = 2_000, fetchedFor = ['a'] } = {}): number[] {
  let second = 0
  const found: number[] = []
  const renewal = createSecretRenewal({
    servers: () => [{ server: 'a', state: state(second) }],
    fetchedFor: () => fetchedFor,
    fetchAgain: () => found.push(second),
    now: () => second * 1_000,
  })
  for (; second < seconds; second += 1) renewal.look()
  return found
}

test('a secret that a server refuses is fetched again soon, and ever more rarely while that helps nothing', () => {
  const seconds = fetchedAt(() => REFUSED)
  expect(seconds).toEqual([5, 25, 105, 425, 1_025, 1_625])
})

test('a server that was there in between has its secret fetched soon when it is refused the next time', () => {
  expect(fetchedAt((second) => (second < 7 || second > 9 ? REFUSED : READY), { seconds: 17 })).toEqual([5, 15])
})

test('nothing is fetched for a server that is down for another reason, or has no such secret', () => {
  expect(fetchedAt(() => BROKEN)).toEqual([])
  expect(fetchedAt(() => REFUSED, { fetchedFor: ['b'] })).toEqual([])
})
