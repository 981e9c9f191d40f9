import { expect, test } from 'vitest'
import type { JsonValue } from '../../../catalog/json.ts'
import type { ChatMessage } from '../../providers/provider.ts'
import { createHiddenMessages } from './hidden-messages.ts'

const messages: readonly ChatMessage[] = [{ role: 'user', content: 'the key is sk-123' }]

test('what is hidden of a turn comes back whole for its tenant only, and lies sealed', async () => {
  const { store, values } = aValueStore()
  const hidden = createHiddenMessages({ store, seal: (text) => btoa(text), open: (sealed) => atob(sealed) })
  await hidden.put('a', 'k1', messages)
  expect(await hidden.get('a', 'k1')).toEqual(messages)
  expect(await hidden.get('b', 'k1')).toBeUndefined()
  expect(await hidden.get('a', 'k2')).toBeUndefined()
  expect(JSON.stringify([...values])).not.toContain('sk-123')
})

test('a turn of which too much is hidden is refused with its bound', async () => {
  const { store } = aValueStore()
  const refusing = { ...store, setValue: async () => ({ stored: false, usedBytes: 9 }) }
  const hidden = createHiddenMessages({ store: refusing, seal: (text) => text, open: (text) => text })
  await expect(hidden.put('a', 'k1', messages)).rejects.toThrow('larger than 8388608 bytes')
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
