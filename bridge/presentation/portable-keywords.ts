import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../catalog/json.ts'
import { isVoidKeyword } from '../../catalog/schema/keywords.ts'
import { PORTABLE_KEYWORDS_DEPTH_MAX } from '../limits.ts'

/**
 * A schema whose keywords every provider and client takes, at every depth. One that a provider refuses costs the whole
 * request, and VS Code the tool: lists that do not say of what, tuples, constants, bounds of draft 4, `true` as a schema, what is
 * required and not described, and keywords that are written and say nothing (`null`, PHP's `[]`, draft 3's `required`). It says no more than the schema itself, which calls are validated against.
 */
export function portableKeywords(schema: JsonObject): JsonObject {
  return objectOf(schema, 0)
}

/** What holds schemas by name, in a list, and one; the values of all other keywords are data. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const IN_LIST = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const ONE = new Set(['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'])
const MAY_BE_NULL = new Set(['default', 'const', 'example'])

function shownOf(schema: JsonValue, depth: number): JsonValue {
  if (schema === true) return {}
  return isJsonObject(schema) ? objectOf(schema, depth) : schema
}

/** The same object where nothing has to be written otherwise, as nearly always: it is made for each step of a model. */
function objectOf(schema: JsonObject, depth: number): JsonObject {
  if (depth > PORTABLE_KEYWORDS_DEPTH_MAX) return schema
  const entries = Object.entries(schema).flatMap(([keyword, value]) => entryOf(keyword, value, depth))
  const isSame = entries.length === Object.keys(schema).length && entries.every(([key, value]) => schema[key] === value)
  return withRequired(withItems(withBounds(isSame ? schema : Object.fromEntries(entries))))
}

function entryOf(keyword: string, value: JsonValue, depth: number): readonly (readonly [string, JsonValue])[] {
  if (keyword === '$schema' || (value === null && !MAY_BE_NULL.has(keyword))) return []
  if (isVoidKeyword(keyword, value)) return []
  if (keyword === 'const' && typeof value === 'string') return [['enum', [value]]]
  if (keyword === 'enum' && !(Array.isArray(value) && value.length > 0)) return []
  if (BY_NAME.has(keyword) && isJsonObject(value)) return [[keyword, byName(value, depth + 1)]]
  if (IN_LIST.has(keyword) && Array.isArray(value)) return [[keyword, inList(value, depth + 1)]]
  if (keyword === 'items' && Array.isArray(value)) return [[keyword, anyOf(inList(value, depth + 1))]]
  // `true` beside properties is no schema but a switch.
  if (ONE.has(keyword) && isJsonObject(value)) return [[keyword, objectOf(value, depth + 1)]]
  return [[keyword, value]]
}

function byName(schemas: JsonObject, depth: number): JsonObject {
  const shown = Object.entries(schemas).map(([name, each]) => [name, shownOf(each, depth)] as const)
  return shown.every(([name, each]) => each === schemas[name]) ? schemas : Object.fromEntries(shown)
}

function inList(schemas: readonly JsonValue[], depth: number): readonly JsonValue[] {
  const shown = schemas.map((each) => shownOf(each, depth))
  return shown.every((each, at) => each === schemas[at]) ? schemas : shown
}

/** Draft 4 has a switch where later drafts have a number. */
function withBounds(schema: JsonObject): JsonObject {
  if (typeof schema['exclusiveMinimum'] !== 'boolean' && typeof schema['exclusiveMaximum'] !== 'boolean') return schema
  return bound(bound(schema, 'minimum', 'exclusiveMinimum'), 'maximum', 'exclusiveMaximum')
}

function bound(schema: JsonObject, limit: string, exclusive: string): JsonObject {
  const { [limit]: value, [exclusive]: isExclusive, ...rest } = schema
  if (typeof isExclusive !== 'boolean') return schema
  if (value === undefined) return rest
  return { ...rest, [isExclusive ? exclusive : limit]: value }
}

function withItems(schema: JsonObject): JsonObject {
  const { type, items } = schema
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'))
  return isList && !isJsonObject(items) ? { ...schema, items: {} } : schema
}

/** Some refuse to be asked for what is not described. */
function withRequired(schema: JsonObject): JsonObject {
  const { required, properties } = schema
  if (!Array.isArray(required) || !isJsonObject(properties)) return schema
  const missing = required.filter((name) => typeof name === 'string' && !Object.hasOwn(properties, name))
  if (missing.length === 0) return schema
  return { ...schema, properties: { ...properties, ...Object.fromEntries(missing.map((name) => [name, {}])) } }
}

function anyOf(schemas: readonly JsonValue[]): JsonObject {
  const different = [...new Map(schemas.map((each) => [canonicalJson(each), each])).values()]
  const [only] = different
  if (different.length > 1) return { anyOf: different }
  return isJsonObject(only) ? only : {}
}
