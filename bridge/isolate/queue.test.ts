import { expect, test } from 'vitest'
import { FairQueue } from './queue.ts'

const all = (): boolean => true

test('tenants are served in turn, each in its own order', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', item)
  queue.add('b', 'b1')
  expect([queue.take(all), queue.take(all), queue.take(all), queue.take(all), queue.take(all)]).toEqual([
    'a1',
    'b1',
    'a2',
    'a3',
    undefined,
  ])
})

test('a tenant that may not run is passed over and keeps its place', () => {
  const queue = new FairQueue<string>()
  queue.add('a', 'a1')
  queue.add('b', 'b1')
  expect(queue.take((tenant) => tenant !== 'a')).toBe('b1')
  expect(queue.take(all)).toBe('a1')
  expect(queue.size).toBe(0)
})

test('what is removed is not served and not counted', () => {
  const queue = new FairQueue<string>()
  queue.add('a', 'a1')
  queue.add('a', 'a2')
  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('x', 'a2')]).toEqual([true, false, false])
  expect([queue.size, queue.sizeOf('a'), queue.take(all)]).toEqual([1, 1, 'a2'])
})
