import { expect, test } from 'vitest'
import { quantile } from './quantile.ts'

test('a quantile is the smallest value that has the share at or below it', () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect(quantile(values, 0.5)).toBe(50)
  expect(quantile(values, 0.99)).toBe(99)
  expect(quantile([7], 0.5)).toBe(7)
})

test('a quantile of nothing is a defect', () => {
  expect(() => quantile([], 0.5)).toThrow('no values')
})
