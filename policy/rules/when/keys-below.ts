import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { RULE_VALUES_MAX } from '../../limits.ts'

/** What stands in an object under a key that could be taken for a name, by the name; its own property is not among it. */
export type KeysBelow = ReadonlyMap<string, readonly JsonValue[]>

/**
 * Finds names written otherwise (`Amount`, `a_mount`) and names further in (`{ order: { amount } }`): a tool may look
 * there too. Undefined where there is too much to look through.
 */
export function keysBelow(object: JsonObject, names: readonly string[]): KeysBelow | undefined {
  const wanted = Map.groupBy(names, plainKey)
  const found = new Map<string, JsonValue[]>()
  const open: JsonValue[] = [object]
  let looked = 0
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    looked += 1
    if (looked + open.length > RULE_VALUES_MAX) return undefined
    if (Array.isArray(at)) for (const item of at) open.push(item)
    else if (isJsonObject(at)) {
      for (const [key, value] of Object.entries(at)) {
        open.push(value)
        for (const name of wanted.get(plainKey(key)) ?? []) {
          if (at === object && key === name) continue
          found.set(name, [...(found.get(name) ?? []), value])
        }
      }
    }
  }
  return found
}

function plainKey(key: string): string {
  return key
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
