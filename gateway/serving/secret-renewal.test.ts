import { expect, test } from 'vitest'
import type { SourceState } from '../../catalog/source.ts'
import { createSecretRenewal } from './secret-renewal.ts'

const READY: SourceState = { kind: 'ready', sinceMs: 0 }
const CONNECTING: SourceState = { kind: 'connecting', sinceMs: 0 }
const REFUSED: SourceState = { kind: 'down', sinceMs: 0, reason: 'HTTP 401', needs: 'credentials' }
const BROKEN: SourceState = { kind: 'down', sinceMs: 0, reason: 'it exited' }

type StateAt = (second: number) => SourceState

/** A look each second for so many; gives the seconds at which secrets were fetched. */
function fetchedAt(servers: StateAt | Record<string, StateAt>, { seconds = 2_000, fetchedFor = ['a', 'b'] } = {}) {
  let second = 0
  const found: number[] = []
  const states = Object.entries(typeof servers === 'function' ? { a: servers } : servers)
  const renewal = createSecretRenewal({
    servers: () => states.map(([server, state]) => ({ server, state: state(second) })),
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

test('a server that was there for as long as is waited for it has its secret fetched soon the next time', () => {
  const state: StateAt = (second) => (second < 7 || second > 30 ? REFUSED : { kind: 'ready', sinceMs: 7_000 })
  expect(fetchedAt(state, { seconds: 40 })).toEqual([5, 36])
})

test.each([
  ['is connected anew with what was fetched', CONNECTING],
  ['lets us in for a moment', 'ready' as const],
  ['is away for another reason', BROKEN],
])('one that %s in between and refuses us again is asked no more often for that', (_what, between) => {
  const state: StateAt = (second) => {
    if (second % 3 > 0) return REFUSED
    return between === 'ready' ? { kind: 'ready', sinceMs: second * 1_000 } : between
  }
  expect(fetchedAt(state).length).toBeLessThan(8)
})

test('a server that is refused for ever keeps no other waiting for its secret', () => {
  const expired: StateAt = (second) => (second < 1_100 ? READY : REFUSED)
  expect(fetchedAt({ a: () => REFUSED, b: expired }, { seconds: 1_200 })).toEqual([
    5, 25, 105, 425, 1_025, 1_105, 1_125,
  ])
})

test('nothing is fetched for a server that is down for another reason, or has no such secret', () => {
  expect(fetchedAt(() => BROKEN)).toEqual([])
  expect(fetchedAt(() => REFUSED, { fetchedFor: ['c'] })).toEqual([])
})
