import type { JsonObject } from './json.ts'

/** Without the members that are `null`, as those write it who mean that they are not there; only of the object itself. */
export function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}
