import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'

/** What a JSON text stands for; undefined, which no such text stands for, where it is none. */
export function readJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    // No JSON, or cut off: whoever asks goes on without it.
    return undefined
  }
}

export function readJsonObject(text: string): JsonObject | undefined {
  const value = readJson(text)
  return isJsonObject(value) ? value : undefined
}

export function isJson(text: string): boolean {
  return readJson(text) !== undefined
}
