import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { Notice } from '../outcome.ts'
import { REPAIR_NODES, REPAIR_NOTICES } from './limits.ts'
import { fitsPlainly } from './repairing/fits-plainly.ts'
import { repairObject, repairValue } from './repairing/repair-value.ts'
import { propertyNames, schemaParts } from './schema-parts.ts'
import type { Repair } from './repairing/spot.ts'

export interface RepairedArguments {
  readonly args: JsonValue
  readonly notices: readonly Notice[]
}

/**
 * Turns arguments as models write them into the ones that the schema asks for, where they can be read in one way
 * only: JSON text for what is no text, `null` for absent optionals, one value for a list of one, dotted and wrapped
 * arguments. What the schema accepts as it stands is never touched, so real strings stay strings.
 */
export function repairArguments(input: unknown, schema: JsonObject): RepairedArguments {
  const value = toJson(input)
  if (isJsonObject(value) && fitsPlainly(value, schema)) return { args: value, notices: [] }
  const made: Notice[] = []
  const repair: Repair = {
    root: schema,
    note: (message) => made.push({ code: 'argument-repaired', message }),
    nodesLeft: countdown(REPAIR_NODES),
  }
  return { args: repairRoot(value, repair), notices: bounded(made) }
}

function repairRoot(input: JsonValue, repair: Repair): JsonValue {
  const parts = schemaParts({ type: 'object', allOf: [repair.root] }, repair.root)
  const value = repairValue({ value: onlyObject(input, repair), parts, path: '', depth: 0 }, repair)
  if (!isJsonObject(value)) return value
  const unwrapped = unwrap(value, parts, repair)
  return unwrapped === value ? value : repairObject({ value: unwrapped, parts, path: '', depth: 0 }, repair)
}

/** Arguments are an object: a list with one object in it can mean nothing else. */
function onlyObject(input: JsonValue, repair: Repair): JsonValue {
  const [only] = Array.isArray(input) && input.length === 1 ? input : []
  if (!isJsonObject(only)) return input
  repair.note('the arguments stood in a list of one and were taken out of it; send them directly')
  return only
}

const WRAPPERS = [
  'args', 'arguments', 'input', 'inputs', 'params', 'parameters', 'kwargs', 'payload', 'data', 'body', 'tool_input', 'toolInput', 'tool_args', 'toolArgs',
] as const // prettier-ignore

/** `{ args: { a: 1 } }` and `{ "args.a": 1 }` for a tool that has no argument of that name. */
function unwrap(value: JsonObject, parts: readonly JsonObject[], repair: Repair): JsonObject {
  const known = new Set(propertyNames(parts))
  if (known.size === 0) return value
  const keys = Object.keys(value)
  const wrapper = WRAPPERS.find((name) => keys.length === 1 && keys[0] === name && !known.has(name))
  const inner = wrapper === undefined ? undefined : asObject(value[wrapper] ?? null)
  if (inner !== undefined && wrapper !== undefined) {
    // Empty inside is no sign that the outside is wrong: the tool may accept any property.
    if (!Object.keys(inner).every((key) => known.has(key)) || Object.keys(inner).length === 0) return value
    repair.note(`the arguments stood inside "${wrapper}" and were taken out of it; send them directly`)
    return inner
  }
  return withoutPrefixes(value, known, repair)
}

function withoutPrefixes(value: JsonObject, known: ReadonlySet<string>, repair: Repair): JsonObject {
  const renamed: string[] = []
  const entries = Object.entries(value).map(([key, item]): readonly [string, JsonValue] => {
    const prefix = WRAPPERS.find((name) => key.startsWith(`${name}.`) && !known.has(name))
    const bare = prefix === undefined ? key : key.slice(prefix.length + 1)
    if (bare === key || known.has(key) || !known.has(bare.split('.')[0] ?? '') || Object.hasOwn(value, bare))
      return [key, item]
    renamed.push(key)
    return [bare, item]
  })
  // Two prefixes for one name: which of them is meant cannot be known.
  if (renamed.length === 0 || new Set(entries.map(([key]) => key)).size !== entries.length) return value
  for (const key of renamed) repair.note(`"${key}" was read as the argument "${key.slice(key.indexOf('.') + 1)}"`)
  return Object.fromEntries(entries)
}

function asObject(value: JsonValue): JsonObject | undefined {
  if (isJsonObject(value)) return value
  if (typeof value !== 'string' || !value.trim().startsWith('{')) return undefined
  try {
    const parsed: JsonValue = JSON.parse(value)
    return isJsonObject(parsed) ? parsed : undefined
  } catch {
    // Not JSON: the text stays what it is.
    return undefined
  }
}

/** Nothing at all, as some providers send it, is no arguments. */
function toJson(input: unknown): JsonValue {
  if (input === undefined || input === null || (typeof input === 'string' && input.trim() === '')) return {}
  if (typeof input === 'string' || typeof input === 'boolean') return input
  if (typeof input === 'number') return Number.isFinite(input) ? input : null
  if (Array.isArray(input) || isJsonObject(input)) return input
  return {}
}

function bounded(notices: readonly Notice[]): readonly Notice[] {
  if (notices.length <= REPAIR_NOTICES) return notices
  const more = notices.length - REPAIR_NOTICES
  return [...notices.slice(0, REPAIR_NOTICES), { code: 'argument-repaired', message: `and ${more} more repairs` }]
}

function countdown(count: number): () => boolean {
  let left = count
  return () => left-- > 0
}
