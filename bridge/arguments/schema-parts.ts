import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { REFERENCE_HOPS, SCHEMA_PARTS } from './limits.ts'

export type JsonType = 'null' | 'boolean' | 'number' | 'integer' | 'string' | 'array' | 'object'

const TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']

/**
 * The schemas that a value must meet all at once: the schema itself with its references followed and its `allOf`
 * opened. A union of one schema and null counts as that schema; any other union stays closed, since which of its
 * readings is meant cannot be known.
 */
export function schemaParts(schema: JsonValue | undefined, root: JsonObject): readonly JsonObject[] {
  const parts: JsonObject[] = []
  const open: (JsonValue | undefined)[] = [schema]
  while (open.length > 0 && parts.length < SCHEMA_PARTS) {
    const next = followReferences(open.pop(), root)
    if (next === undefined) continue
    parts.push(next)
    if (Array.isArray(next.allOf)) open.push(...next.allOf.slice(0, SCHEMA_PARTS))
    const only = onlyBranch(next)
    if (only !== undefined) open.push(only)
  }
  return parts
}

/** The types that every part accepts; undefined where none of them says. */
export function acceptedTypes(parts: readonly JsonObject[]): ReadonlySet<JsonType> | undefined {
  let accepted: ReadonlySet<JsonType> | undefined
  const isNullable = parts.some(hasNullBranch)
  for (const part of parts) {
    const types = typesOf(part)
    if (types === undefined) continue
    const widened = isNullable ? new Set([...types, 'null' as const]) : types
    const before = accepted
    accepted = before === undefined ? widened : new Set([...widened].filter((type) => before.has(type)))
  }
  return accepted
}

function typeOf(value: JsonValue): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'string' ? 'string' : 'boolean'
}

export function accepts(types: ReadonlySet<JsonType>, value: JsonValue): boolean {
  return types.has(typeOf(value))
}

/** A property's schema in any of the parts; undefined where none of them names it. */
export function propertySchema(parts: readonly JsonObject[], name: string): JsonValue | undefined {
  const schemas = parts.flatMap((part) => {
    const own =
      isJsonObject(part.properties) && Object.hasOwn(part.properties, name) ? part.properties[name] : undefined
    return own === undefined ? [] : [own]
  })
  return schemas.length < 2 ? schemas[0] : { allOf: schemas }
}

/** `additionalProperties: schema` makes a map: every other key has that schema. */
export function mapSchema(parts: readonly JsonObject[]): JsonObject | undefined {
  return parts.map((part) => part.additionalProperties).find(isJsonObject)
}

export function propertyNames(parts: readonly JsonObject[]): readonly string[] {
  return [...new Set(parts.flatMap((part) => (isJsonObject(part.properties) ? Object.keys(part.properties) : [])))]
}

export function isRequired(parts: readonly JsonObject[], name: string): boolean {
  return parts.some((part) => Array.isArray(part.required) && part.required.includes(name))
}

function followReferences(schema: JsonValue | undefined, root: JsonObject): JsonObject | undefined {
  let current = schema
  for (let hop = 0; hop <= REFERENCE_HOPS; hop++) {
    if (!isJsonObject(current)) return undefined
    if (typeof current.$ref !== 'string') return current
    current = pointedAt(current.$ref, root)
  }
  return undefined
}

/** What a reference inside the same schema points at; other documents are not looked up. */
export function pointedAt(reference: string, root: JsonObject): JsonValue | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let current: JsonValue | undefined = root
  for (const raw of reference.slice(2).split('/')) {
    const key = decodePart(raw)
    if (isJsonObject(current)) current = Object.hasOwn(current, key) ? current[key] : undefined
    else if (Array.isArray(current)) current = current[Number(key)]
    else return undefined
  }
  return current
}

function decodePart(part: string): string {
  const unescaped = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(unescaped)
  } catch {
    // A stray percent sign is part of the name.
    return unescaped
  }
}

/** `anyOf: [X, { type: 'null' }]`, as optional fields are often written, is X or null. */
function onlyBranch(part: JsonObject): JsonValue | undefined {
  const branches = unionBranches(part)
  const others = branches.filter((branch) => !isNullSchema(branch))
  return others.length === 1 ? others[0] : undefined
}

function hasNullBranch(part: JsonObject): boolean {
  return unionBranches(part).some(isNullSchema)
}

function unionBranches(part: JsonObject): readonly JsonValue[] {
  if (Array.isArray(part.anyOf) && Array.isArray(part.oneOf)) return []
  if (Array.isArray(part.anyOf)) return part.anyOf
  return Array.isArray(part.oneOf) ? part.oneOf : []
}

function isNullSchema(schema: JsonValue): boolean {
  return isJsonObject(schema) && (schema.type === 'null' || schema.const === null)
}

function typesOf(part: JsonObject): ReadonlySet<JsonType> | undefined {
  if (part.nullable === true && typeof part.type === 'string') return asTypes([part.type, 'null'])
  if (typeof part.type === 'string') return asTypes([part.type])
  if (Array.isArray(part.type)) return asTypes(part.type)
  if (part.const !== undefined) return new Set([typeOf(part.const)])
  if (Array.isArray(part.enum)) return new Set(part.enum.map(typeOf))
  return undefined
}

function asTypes(names: readonly JsonValue[]): ReadonlySet<JsonType> {
  // Every integer is a number, so that the intersection of the two is what both accept.
  return new Set(TYPES.filter((type) => names.includes(type) || (type === 'integer' && names.includes('number'))))
}
