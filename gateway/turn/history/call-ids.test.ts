import { expect, test } from 'vitest'
import { createCallIds, clientKeyOf } from './call-ids.ts'

test('ids for a client are short, new for each turn, and lead back to their key', () => {
  const ids = createCallIds()
  const made = [ids.next(), ids.next()]
  expect(new Set([...made, createCallIds().next()]).size).toBe(3)
  expect(made.map(clientKeyOf)).toEqual([ids.key, ids.key])
  expect(made.every((id) => id.length <= 40)).toBe(true)
  expect(['call_1', 'call_scripted_1', `x${made[0]}`].map(clientKeyOf)).toEqual([undefined, undefined, undefined])
})
