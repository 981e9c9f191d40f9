import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'

/** Say nothing of a value that is an object anyway. */
const SILENT = new Set(['type', 'title', 'description', '$comment', '$schema', 'examples', 'default'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf'])
const SINGLE = new Set(['not', 'if', 'then', 'else'])

/**
 * The top-level properties that the answer of a schema can depend on; undefined where another keyword could look at any
 * of them. What depends on one enumerated property alone can be tried value by value.
 */
export function propertiesRead(schema: JsonObject): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  return collect(schema, names) ? names : undefined
}

function collect(schema: JsonValue, names: Set<string>): boolean {
  if (!isJsonObject(schema)) return typeof schema === 'boolean'
  return Object.entries(schema).every(([keyword, value]) => {
    if (SILENT.has(keyword)) return true
    if (keyword === 'properties' && isJsonObject(value)) return addAll(Object.keys(value), names)
    if (keyword === 'required' && Array.isArray(value)) return addAll(value, names)
    if (LISTS.has(keyword) && Array.isArray(value)) return value.every((part) => collect(part, names))
    return SINGLE.has(keyword) && collect(value, names)
  })
}

function addAll(found: readonly JsonValue[], names: Set<string>): boolean {
  for (const name of found) if (typeof name === 'string') names.add(name)
  return true
}
