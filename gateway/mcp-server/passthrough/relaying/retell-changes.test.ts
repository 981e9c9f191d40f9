import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../catalog/json.ts'
import { retellChanges } from './retell-changes.ts'

const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: { of: 'this' } } }

/** A stream to a client, and the catalog that its list comes from. */
function aStream() {
  const listeners = new Set<() => void>()
  const sent: JsonObject[] = []
  const retelling = retellChanges(
    {
      whenToolsChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    async (message) => void sent.push(message),
  )
  const takeUp = (): void => listeners.forEach((listener) => listener())
  return { retelling, sent, takeUp, listeners }
}

test('what a server said has changed is said again when the catalog has taken it up, in the same words', () => {
  const { retelling, sent, takeUp } = aStream()
  retelling.note(changed)
  expect(sent).toEqual([])
  takeUp()
  expect(sent).toEqual([changed])
})

test('nothing is told that the server never tells of, and nothing when the stream has ended', () => {
  const { retelling, sent, takeUp, listeners } = aStream()
  retelling.note({ jsonrpc: '2.0', method: 'notifications/resources/list_changed' })
  takeUp()
  retelling.note(changed)
  retelling.note(changed)
  expect(listeners.size).toBe(1)
  retelling.end()
  takeUp()
  expect([sent, listeners.size]).toEqual([[], 0])
})
