import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { quote } from '../quote.ts'
import { propertySchema, schemaParts } from '../schema-parts.ts'

const DESCRIBED_DEPTH = 2
const DESCRIBED_NAMES = 8

/** The schemas of the place that a JSON pointer into the value leads to. */
export function childSchemas(schema: JsonObject, path: string): readonly JsonObject[] {
  let parts = schemaParts(schema, schema)
  for (const key of readPointer(path)) {
    const named = propertySchema(parts, key)
    const next = named === undefined ? parts.flatMap((part) => otherSchemas(part, key)) : [named]
    parts = next.flatMap((one) => schemaParts(one, schema))
  }
  return parts
}

export function readPointer(path: string): readonly string[] {
  if (path === '') return []
  return path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A schema in a few words: `string`, `"a" or "b"`, `list of number`, `object { a, b }`. */
export function describeParts(parts: readonly JsonObject[], root: JsonObject, depth = 0): string {
  const values = parts.flatMap((part) =>
    Array.isArray(part.enum) ? part.enum : part.const === undefined ? [] : [part.const],
  )
  if (values.length > 0)
    return values
      .slice(0, DESCRIBED_NAMES)
      .map((value) => quote(value))
      .join(' or ')
  const types = parts.find((part) => part.type !== undefined)?.type
  const names =
    typeof types === 'string' ? [types] : Array.isArray(types) ? types.filter((type) => typeof type === 'string') : []
  if (names.length > 0) return names.map((name) => describeType(name, parts, { root, depth })).join(' or ')
  const branches = parts.flatMap((part) => [part.anyOf, part.oneOf].find((union) => Array.isArray(union)) ?? [])
  if (branches.length === 0 || depth >= DESCRIBED_DEPTH)
    return parts.some((part) => isJsonObject(part.properties)) ? 'object' : 'any value'
  const described = branches
    .slice(0, DESCRIBED_NAMES)
    .map((branch) => describeParts(schemaParts(branch, root), root, depth + 1))
  return [...new Set(described)].join(' or ')
}

interface Depth {
  readonly root: JsonObject
  readonly depth: number
}

function describeType(type: string, parts: readonly JsonObject[], { root, depth }: Depth): string {
  if (depth >= DESCRIBED_DEPTH) return type
  if (type === 'array') {
    const items = parts.find((part) => isJsonObject(part.items))?.items
    return items === undefined ? 'list' : `list of ${describeParts(schemaParts(items, root), root, depth + 1)}`
  }
  const names = parts.flatMap((part) => (isJsonObject(part.properties) ? Object.keys(part.properties) : []))
  if (type !== 'object' || names.length === 0) return type
  const more = names.length > DESCRIBED_NAMES ? ', …' : ''
  return `object { ${names.slice(0, DESCRIBED_NAMES).join(', ')}${more} }`
}

function otherSchemas(part: JsonObject, key: string): readonly JsonValue[] {
  const index = Number(key)
  const tuple = Array.isArray(part.prefixItems) ? part.prefixItems[index] : undefined
  if (tuple !== undefined) return [tuple]
  if (isJsonObject(part.items) && Number.isInteger(index)) return [part.items]
  return isJsonObject(part.additionalProperties) ? [part.additionalProperties] : []
}
