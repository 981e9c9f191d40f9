import { expect, test } from 'vitest'
import { leftOutChange } from './leave-out.ts'

const objective = (...values: readonly number[]) => new Map(values.map((value, place) => [`set${place}`, value]))

test('a gain that all sets share shows on those left out', () => {
  expect(leftOutChange(objective(0.5, 0.5, 0.5), [objective(0.6, 0.6, 0.6)])).toBeCloseTo(0.1)
})

test('a gain of one set alone does not: the others would not choose it, and where it is chosen they lose', () => {
  expect(leftOutChange(objective(0.5, 0.5, 0.5), [objective(0.9, 0.4, 0.4)])).toBeLessThan(0)
})

test('where nothing is better, nothing is chosen', () => {
  expect(leftOutChange(objective(0.5, 0.5), [objective(0.4, 0.4), objective(0.5, 0.4)])).toBe(0)
})
