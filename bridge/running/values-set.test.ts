import { expect, test } from 'vitest'
import type { JsonValue } from '../../catalog/json.ts'
import type { JournalEvent } from '../isolate/program-host.ts'
import { valuesSet } from './values-set.ts'

const asked = (id: number, operation: JsonValue): JournalEvent => ({
  kind: 'asked',
  id,
  asked: JSON.stringify(operation),
})
const answered = (id: number, kind: 'value' | 'error' = 'value'): JournalEvent => ({
  kind: 'answered',
  id,
  nowMs: 0,
  answer: { kind, json: 'null' },
})

test('of each key the value counts that was stored last; what was refused or never answered does not', () => {
  const events = [
    asked(1, { kind: 'store-set', key: 'a', value: 1 }),
    asked(2, { kind: 'store-set', key: 'a', value: { text: 'x' } }),
    answered(1),
    answered(2),
    asked(3, { kind: 'store-set', key: 'b', value: 2 }),
    answered(3, 'error'),
    asked(4, { kind: 'store-set', key: 'c', value: 3 }),
  ]
  expect([...valuesSet(events)]).toEqual([['a', { text: 'x' }]])
})

test('what only looks like a store is none', () => {
  const call = { kind: 'call', selector: { kind: 'text', text: 'say' }, args: { kind: 'store-set', key: 'a' } }
  const events = [asked(1, call), answered(1), { kind: 'asked', id: 2, asked: 'timer:5' } as const]
  expect(valuesSet(events).size).toBe(0)
})
