import type { JsonObject } from '../../../catalog/json.ts'

/** The same object where none of the keys is `null`, as nearly always. */
export function withoutNullsOf(object: JsonObject, keys: readonly string[]): JsonObject {
  if (!keys.some((key) => object[key] === null)) return object
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => value !== null || !keys.includes(key)))
}
