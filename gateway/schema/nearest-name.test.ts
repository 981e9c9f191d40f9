import { expect, test } from 'vitest'
import { startCpuClock } from '../../catalog/testing/start-cpu-clock.ts'
import { nearestName } from './nearest-name.ts'

test.each([
  ['base-url', ['baseUrl', 'model'], 'baseUrl'],
  ['timeuot', ['timeoutMs', 'timeout'], 'timeout'],
  ['gpt-5', ['gpt-5.4', 'o3'], 'gpt-5.4'],
  ['colour', ['model', 'token'], undefined],
  ['', ['a', 'model'], 'a'],
])('%j is near %j by %j', (given, names, nearest) => {
  expect(nearestName(given, names)).toBe(nearest)
})

test('a text that is far too long is near nothing, and that is known by its length', () => {
  const spentMs = startCpuClock()
  expect(nearestName('function'.repeat(1_000_000), ['function', 'object'])).toBeUndefined()
  // Compared letter by letter it took 2 s.
  expect(spentMs()).toBeLessThan(500)
})
