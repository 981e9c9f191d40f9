import { expect, test } from 'vitest'
import { createOwnerNumbers } from './owner-numbers.ts'

test('an owner keeps its number while it has tools, and another gets it after that', () => {
  const owners = createOwnerNumbers()
  const ann = owners.take('ann')
  expect(owners.take('ann')).toBe(ann)
  const bob = owners.take('bob')
  owners.release(ann)
  expect(owners.numberOf('ann')).toBe(ann)
  owners.release(ann)
  expect(owners.numberOf('ann')).toBeUndefined()
  expect(owners.take('eve')).toBe(ann)
  expect([owners.nameAt(ann), owners.nameAt(bob), owners.capacity()]).toEqual(['eve', 'bob', 2])
})
