import { expect, test } from 'vitest'
import type { Authenticated } from '../../auth/authenticate.ts'
import { createClientQuestions } from '../asking/client-questions.ts'
import { HELD_CALL_MS, HELD_CALLS_MAX } from '../limits.ts'
import type { HeldCall } from './held-call.ts'
import { callKey, createHeldCalls } from './held-calls.ts'

const someone = (id = 'tok_1', agent = 'default'): Authenticated => ({
  token: { id, name: id, tenant: 't', scopes: ['tools'], hash: '', createdMs: 0 },
  caller: { tenant: 't', agent },
})
const aCall = (id: string, key = callKey(someone(), id, {})): HeldCall => ({
  id,
  owner: someone(),
  key,
  first: new Promise(() => {}),
  questions: createClientQuestions({ abilities: { form: false, url: false, sample: false }, waitMs: () => 0 }),
  asked: () => new Promise(() => {}),
  takeAsked: () => [],
  hasAsked: () => false,
  park: () => {},
  attend: () => () => {},
  invite: () => {},
})

test('a call is found by its id, by its own client alone', () => {
  const held = createHeldCalls(() => 0)
  held.keep(aCall('wait_1'), 'by-id')
  expect(held.byId('wait_1', someone())?.id).toBe('wait_1')
  expect(held.byId('wait_1', someone('tok_2'))).toBeUndefined()
  expect(held.byId('wait_1', someone('tok_1', 'other'))).toBeUndefined()
  expect(held.byId('wait_2', someone())).toBeUndefined()
})

test('the same call made again is found by what it is, whatever the order of its arguments', () => {
  const held = createHeldCalls(() => 0)
  held.keep(aCall('wait_1', callKey(someone(), 'pay', { amount: 1, to: 'a' })), 'by-call')
  const find = (...key: Parameters<typeof callKey>) => held.byKey(callKey(...key))?.id
  expect(find(someone(), 'pay', { to: 'a', amount: 1 })).toBe('wait_1')
  expect(find(someone(), 'pay', { to: 'a', amount: 2 })).toBeUndefined()
  expect(find(someone(), 'refund', { to: 'a', amount: 1 })).toBeUndefined()
  expect(find(someone('tok_2'), 'pay', { to: 'a', amount: 1 })).toBeUndefined()
})

test('a call that only waits for its answer is not taken for another like it', () => {
  const held = createHeldCalls(() => 0)
  const call = aCall('wait_1', callKey(someone(), 'pay', {}))
  held.keep(call, 'by-id')
  expect(held.byKey(call.key)).toBeUndefined()
  // Until its client is told to make it again.
  held.keep(call, 'by-call')
  held.keep(call, 'by-id')
  expect(held.byKey(call.key)).toBe(call)
})

test('a call is forgotten when it has ended, after a day, and when there are too many', () => {
  let nowMs = 0
  const held = createHeldCalls(() => nowMs)
  const first = aCall('wait_1')
  held.keep(first, 'by-id')
  held.forget(first)
  expect(held.isEmpty()).toBe(true)
  held.keep(aCall('wait_2'), 'by-id')
  nowMs = HELD_CALL_MS + 1
  expect(held.byId('wait_2', someone())).toBeUndefined()
  for (let count = 0; count <= HELD_CALLS_MAX; count += 1) held.keep(aCall(`many_${count}`), 'by-id')
  expect(held.byId('many_0', someone())).toBeUndefined()
  expect(held.byId('many_1', someone())?.id).toBe('many_1')
})

test('who comes back once more for a call that has ended hears so, for as long as a call is kept; nobody else does', () => {
  let nowMs = 0
  const held = createHeldCalls(() => nowMs)
  const call = aCall('wait_1')
  held.forget(call)
  expect(held.hasEnded('wait_1', someone())).toBe(false)
  held.keep(call, 'by-id')
  held.forget(call)
  expect([held.hasEnded('wait_1', someone()), held.hasEnded('wait_1', someone('tok_2'))]).toEqual([true, false])
  nowMs = HELD_CALL_MS
  expect(held.hasEnded('wait_1', someone())).toBe(false)
})
