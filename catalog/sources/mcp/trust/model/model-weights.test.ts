import { expect, test } from 'vitest'
import { formatWeights, modelWeights, parseWeights } from './model-weights.ts'

test('the weights that are shipped are read whole, and written back they are the same', () => {
  const weights = modelWeights()
  expect(weights.byFeature.size).toBeGreaterThan(1_000)
  expect([weights.bias, weights.threshold, ...weights.byFeature.values()].every(Number.isFinite)).toBe(true)
  expect(parseWeights(formatWeights(weights))).toEqual(weights)
  expect(modelWeights()).toBe(weights)
})

test('a feature may have any letters in its name', () => {
  const byFeature = new Map([
    ['"%a=b', 0.5],
    ['you+your', -1.25],
  ])
  expect(parseWeights(formatWeights({ bias: -2, threshold: 0.1, byFeature })).byFeature).toEqual(byFeature)
})
