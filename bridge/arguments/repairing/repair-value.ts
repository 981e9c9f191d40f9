import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { nestDotted } from './dotted-keys.ts'
import { REPAIR_DEPTH } from '../limits.ts'
import { isOneItem, looksLikeList } from './list-of-one.ts'
import { quote } from '../quote.ts'
import { isAllowed, readAs } from './read-value.ts'
import type { JsonType } from '../schema-parts.ts'
import { acceptedTypes, accepts, isRequired, mapSchema, propertySchema, schemaParts } from '../schema-parts.ts'
import type { Repair, Spot } from './spot.ts'

/** The value that the schemas ask for, where this one can be read as such in one way only; else the value itself. */
export function repairValue(spot: Spot, repair: Repair): JsonValue {
  const { value, parts, path, depth } = spot
  if (depth > REPAIR_DEPTH || !repair.nodesLeft()) return value
  const types = acceptedTypes(parts)
  const fitting = types === undefined || accepts(types, value) ? value : convert(spot, types, repair)
  if (Array.isArray(fitting)) return repairArray({ value: fitting, parts, path, depth }, repair)
  return isJsonObject(fitting) ? repairObject({ value: fitting, parts, path, depth }, repair) : fitting
}

function convert(spot: Spot, types: ReadonlySet<JsonType>, repair: Repair): JsonValue {
  const { value, path } = spot
  const read = readAs(value, types)
  if (read !== undefined && isAllowed(read, spot.parts)) {
    const wanted = Array.isArray(read) ? 'a list' : isJsonObject(read) ? 'an object' : JSON.stringify(read)
    repair.note(`${path === '' ? 'the arguments' : quote(path)}: ${typeof value} ${quote(value)} was read as ${wanted}`)
    return read
  }
  return types.has('array') ? wrapInList(spot, repair) : value
}

/** One value where a list is wanted: the list of that value, if the list's items are of its kind. */
function wrapInList(spot: Spot, repair: Repair): JsonValue {
  const { value, parts, path, depth } = spot
  const itemParts = itemSchemas(parts, repair.root)
  if (value === null || (typeof value === 'string' && !isOneItem(value, itemParts))) return value
  if (isJsonObject(value) && looksLikeList(value)) return value
  const types = acceptedTypes(itemParts)
  if (types === undefined) return value
  // What the item's own repair says is said only if the list is made.
  const notes: string[] = []
  const quiet: Repair = { ...repair, note: (message) => notes.push(message) }
  const item = repairValue({ value, parts: itemParts, path: `${path}[0]`, depth: depth + 1 }, quiet)
  if (!accepts(types, item) || !isAllowed(item, itemParts)) return value
  repair.note(`${path === '' ? 'the arguments' : quote(path)}: one value was read as a list of one`)
  for (const note of notes) repair.note(note)
  return [item]
}

function itemSchemas(parts: readonly JsonObject[], root: JsonObject): readonly JsonObject[] {
  return parts.flatMap((part) => schemaParts(part.items, root))
}

function repairArray({ value, parts, path, depth }: Spot<readonly JsonValue[]>, repair: Repair): JsonValue {
  const rest = itemSchemas(parts, repair.root)
  const prefix = parts.map((part) => part.prefixItems).find((items) => Array.isArray(items)) ?? []
  if (rest.length === 0 && prefix.length === 0) return value
  return value.map((item, index) => {
    const own = index < prefix.length ? schemaParts(prefix[index], repair.root) : rest
    return repairValue({ value: item, parts: own, path: `${path}[${index}]`, depth: depth + 1 }, repair)
  })
}

/** Repairs the properties of an object one by one, after dotted keys were put where they belong. */
export function repairObject(spot: Spot<JsonObject>, repair: Repair): JsonObject {
  const { parts, path, depth } = spot
  const value = nestDotted(spot, repair)
  const entries: (readonly [string, JsonValue])[] = []
  let isChanged = value !== spot.value
  for (const [key, item] of Object.entries(value)) {
    const schema = propertySchema(parts, key) ?? mapSchema(parts)
    const own = schema === undefined ? [] : schemaParts(schema, repair.root)
    const place = path === '' ? key : `${path}.${key}`
    if (item === null && isAbsentOptional(key, own, parts)) {
      repair.note(`${quote(place)}: null was left out, since the argument is optional`)
      isChanged = true
      continue
    }
    const repaired = repairValue({ value: item, parts: own, path: place, depth: depth + 1 }, repair)
    isChanged ||= repaired !== item
    entries.push([key, repaired])
  }
  // fromEntries makes own properties of every key, `__proto__` too, which is refused afterwards.
  return isChanged ? Object.fromEntries(entries) : value
}

function isAbsentOptional(key: string, own: readonly JsonObject[], parts: readonly JsonObject[]): boolean {
  if (own.length === 0 || isRequired(parts, key) || propertySchema(parts, key) === undefined) return false
  const types = acceptedTypes(own)
  if (types !== undefined) return !types.has('null')
  return false
}
