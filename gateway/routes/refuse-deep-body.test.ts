import { expect, test } from 'vitest'
import { refuseDeepBody } from './refuse-deep-body.ts'

const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`)

test.each([undefined, null, 'text', 7, {}, [], nested(200)])('a body within the bound passes', (body) => {
  expect(() => refuseDeepBody(body)).not.toThrow()
})

test('a body that nests deeper is refused, however deep it is', () => {
  for (const levels of [202, 200_000]) {
    expect(() => refuseDeepBody(nested(levels))).toThrow('more than 200 levels deep')
  }
})

test('a wide body of many values passes', () => {
  expect(() => refuseDeepBody(Array.from({ length: 100_000 }, () => ({ role: 'user' })))).not.toThrow()
})
