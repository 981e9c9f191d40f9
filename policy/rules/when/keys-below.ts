import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { RULE_VALUES_MAX } from '../../limits.ts'
import { plainKey } from './key-writings.ts'

/** What stands in an object under a key that could be taken for what is sought, by that. */
export type KeysBelow = ReadonlyMap<string, readonly JsonValue[]>

/** What a key is found for. `isOwn` is true of the keys of the object itself, as they are written. */
export type Seek = (key: string, isOwn: boolean) => readonly string[]

/**
 * Looks at every key of an object and of what is in it: a tool may look there too, and read `order.amount` or
 * `order[amount]` as `{ order: { amount } }`. Undefined where there is too much to look through.
 */
export function keysBelow(object: JsonObject, seek: Seek): KeysBelow | undefined {
  const found = new Map<string, JsonValue[]>()
  const open: JsonValue[] = [object]
  let looked = 0
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    looked += 1
    if (looked + open.length > RULE_VALUES_MAX) return undefined
    if (Array.isArray(at)) for (const item of at) open.push(item)
    else if (isJsonObject(at)) {
      for (const [key, value] of Object.entries(at)) {
        open.push(isPath(key) ? nested(key, value) : value)
        for (const sought of seek(key, at === object)) found.set(sought, [...(found.get(sought) ?? []), value])
      }
    }
  }
  return found
}

/** Finds names written otherwise (`Amount`, `a_mount`), and names further in; the object's own properties are not among it. */
export function seekNames(names: readonly string[]): Seek {
  const wanted = Map.groupBy(names, plainKey)
  return (key, isOwn) => {
    const found = wanted.get(plainKey(key)) ?? []
    return isOwn && found.includes(key) ? found.filter((name) => name !== key) : found
  }
}

function isPath(key: string): boolean {
  return /[./[]/.test(key)
}

/** `order.amount` of 5 is `{ order: { amount: 5 } }`. A path of nothing but signs is none. */
function nested(path: string, value: JsonValue): JsonValue {
  const steps = path.split(/[./[\]]+/).filter((step) => step !== '')
  return steps.length < 2 ? value : steps.reduceRight<JsonValue>((inner, step) => ({ [step]: inner }), value)
}
