import { expect, test } from 'vitest'
import { addressKey } from './address-key.ts'
import { createFailedAttempts } from './failed-attempts.ts'
import { ADDRESSES_MAX, FAILURES_AT_ONCE, FAILURE_EVERY_MS } from './limits.ts'

test('an address may fail so often at once, then once in each interval, and is forgiven in time', () => {
  let nowMs = 0
  const attempts = createFailedAttempts(() => nowMs)
  for (let count = 0; count < FAILURES_AT_ONCE; count += 1) {
    expect(attempts.waitMs('10.0.0.1')).toBe(0)
    attempts.note('10.0.0.1')
  }
  expect(attempts.waitMs('10.0.0.1')).toBe(FAILURE_EVERY_MS)
  expect(attempts.waitMs('10.0.0.2')).toBe(0)
  nowMs += FAILURE_EVERY_MS - 1
  expect(attempts.waitMs('10.0.0.1')).toBe(1)
  nowMs += 1
  expect(attempts.waitMs('10.0.0.1')).toBe(0)
  attempts.note('10.0.0.1')
  expect(attempts.waitMs('10.0.0.1')).toBe(FAILURE_EVERY_MS)
  nowMs += FAILURE_EVERY_MS * FAILURES_AT_ONCE
  for (let count = 0; count < FAILURES_AT_ONCE; count += 1) attempts.note('10.0.0.1')
  expect(attempts.waitMs('10.0.0.1')).toBe(FAILURE_EVERY_MS)
})

test('a clock that goes back forgives nothing and locks nobody out', () => {
  let nowMs = 1_000_000
  const attempts = createFailedAttempts(() => nowMs)
  for (let count = 0; count < FAILURES_AT_ONCE; count += 1) attempts.note('a')
  nowMs = 0
  expect(attempts.waitMs('a')).toBe(FAILURE_EVERY_MS)
})

test('of too many addresses the one that failed longest ago is forgotten', () => {
  const attempts = createFailedAttempts(() => 0)
  const fail = (address: string): void => {
    for (let count = 0; count < FAILURES_AT_ONCE; count += 1) attempts.note(address)
  }
  fail('first')
  fail('second')
  for (let index = 0; index < ADDRESSES_MAX - 1; index += 1) attempts.note(`192.0.2.${index}`)
  expect(attempts.waitMs('first')).toBe(0)
  expect(attempts.waitMs('second')).toBe(FAILURE_EVERY_MS)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::9', '2001:db8:1:2'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
