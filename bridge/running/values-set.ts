import type { JsonValue } from '../../catalog/json.ts'
import { readJsonObject } from '../../catalog/read-json.ts'
import type { JournalEvent } from '../isolate/program-host.ts'

/**
 * What a program had set in `tools.store` by its record. A program that goes on is given its old answers and sets nothing a
 * second time, so that values that lived in memory would be gone for it.
 */
export function valuesSet(events: readonly JournalEvent[]): ReadonlyMap<string, JsonValue> {
  const asked = new Map<number, readonly [string, JsonValue]>()
  const values = new Map<string, JsonValue>()
  for (const event of events) {
    if (event.kind === 'asked') {
      const entry = entryOf(event.asked)
      if (entry !== undefined) asked.set(event.id, entry)
    }
    // An error says that it was not stored.
    const stored = event.kind === 'answered' && event.answer.kind === 'value' ? asked.get(event.id) : undefined
    if (stored !== undefined) values.set(...stored)
  }
  return values
}

function entryOf(asked: string): readonly [string, JsonValue] | undefined {
  if (!asked.includes('"store-set"')) return undefined
  const { kind, key, value } = readJsonObject(asked) ?? {}
  return kind === 'store-set' && typeof key === 'string' && value !== undefined ? [key, value] : undefined
}
