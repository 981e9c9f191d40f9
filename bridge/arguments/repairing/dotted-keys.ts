import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { quote } from '../quote.ts'
import type { Repair, Spot } from './spot.ts'
import { mapSchema, propertySchema, schemaParts } from '../schema-parts.ts'

/** `{ "a.b": 1 }` where the schema has no "a.b" but an object "a" with a "b". */
export function nestDotted({ value, parts, path }: Spot<JsonObject>, repair: Repair): JsonObject {
  const dotted = Object.keys(value).filter((key) => key.includes('.') && isNestable(key, parts, repair))
  let made = value
  for (const key of dotted) {
    const next = moveInto(made, key)
    if (next === undefined) continue
    repair.note(`${quote(path === '' ? key : `${path}.${key}`)} was read as a property inside ${quote(headOf(key))}`)
    made = next
  }
  return made
}

/** Refused as own keys by validation, wherever they stand; none is made out of a dotted key either. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function headOf(key: string): string {
  return key.slice(0, key.indexOf('.'))
}

function isNestable(key: string, parts: readonly JsonObject[], repair: Repair): boolean {
  // A map or a pattern may mean exactly this key.
  const isNamed = propertySchema(parts, key) !== undefined
  if (isNamed || mapSchema(parts) !== undefined || parts.some((part) => part.patternProperties !== undefined))
    return false
  let open = parts
  for (const name of key.split('.')) {
    const schema = FORBIDDEN_KEYS.has(name) ? undefined : propertySchema(open, name)
    if (schema === undefined) return false
    open = schemaParts(schema, repair.root)
  }
  return true
}

/** The object with the dotted key moved one level down; undefined where something else stands there. */
function moveInto(value: JsonObject, key: string): JsonObject | undefined {
  const head = headOf(key)
  const tail = key.slice(head.length + 1)
  const inner = Object.hasOwn(value, head) ? value[head] : {}
  if (!isJsonObject(inner) || Object.hasOwn(inner, tail)) return undefined
  const { [key]: moved = null, ...rest } = value
  return { ...rest, [head]: { ...inner, [tail]: moved } }
}
