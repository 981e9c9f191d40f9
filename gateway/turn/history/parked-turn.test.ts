import { expect, test } from 'vitest'
import type { JsonValue } from '../../../catalog/json.ts'
import type { ChatMessage } from '../../providers/provider.ts'
import { createCallIds, createParkedTurns, parkedKeyOf } from './parked-turn.ts'

const messages: readonly ChatMessage[] = [{ role: 'user', content: 'the key is sk-123' }]

test('a parked turn comes back whole for its tenant only, and lies sealed', async () => {
  const { store, values } = aValueStore()
  const parked = createParkedTurns({ store, seal: (text) => btoa(text), open: (sealed) => atob(sealed) })
  await parked.put('a', 'k1', messages)
  expect(await parked.get('a', 'k1')).toEqual(messages)
  expect(await parked.get('b', 'k1')).toBeUndefined()
  expect(await parked.get('a', 'k2')).toBeUndefined()
  expect(JSON.stringify([...values])).not.toContain('sk-123')
})

test('a turn that is too large to park is refused with its bound', async () => {
  const { store } = aValueStore()
  const refusing = { ...store, setValue: async () => ({ stored: false, usedBytes: 9 }) }
  const parked = createParkedTurns({ store: refusing, seal: (text) => text, open: (text) => text })
  await expect(parked.put('a', 'k1', messages)).rejects.toThrow('larger than 8388608 bytes')
})

test('ids for a client are short, new for each turn, and lead back to their key', () => {
  const ids = createCallIds()
  const made = [ids.next(), ids.next()]
  expect(new Set([...made, createCallIds().next()]).size).toBe(3)
  expect(made.map(parkedKeyOf)).toEqual([ids.key, ids.key])
  expect(made.every((id) => id.length <= 40)).toBe(true)
  expect(['call_1', 'call_scripted_1', `x${made[0]}`].map(parkedKeyOf)).toEqual([undefined, undefined, undefined])
})

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

function aValueStore() {
  const values = new Map<string, JsonValue>()
  const store = {
    getValue: async (tenant: string, session: string, key: string) => values.get(keyOf(tenant, session, key)),
    setValue: async (entry: { tenant: string; session: string; key: string; value: JsonValue }) => {
      values.set(keyOf(entry.tenant, entry.session, entry.key), entry.value)
      return { stored: true, usedBytes: 0 }
    },
  }
  return { store, values }
}
