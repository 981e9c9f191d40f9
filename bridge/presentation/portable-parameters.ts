import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../catalog/json.ts'
import { pointedAt } from '../arguments/schema-parts.ts'
import { PORTABLE_DEPTH_MAX, PORTABLE_PARTS_MAX } from '../limits.ts'
import { portableKeywords } from './portable-keywords.ts'

export interface PortableParameters {
  readonly parameters: JsonObject
  /** False where the schema says more than these parameters do; the call is validated against the schema all the same. */
  readonly isWhole: boolean
}

/**
 * A tool's input schema in the form that every provider takes: an object with `properties` at its root and neither a
 * reference nor alternatives beside them. One schema that a provider refuses costs the whole request, every tool in it.
 */
export function portableParameters(schema: JsonObject): PortableParameters {
  const { parameters, isWhole } = oneObject(schema)
  return { parameters: portableKeywords(parameters), isWhole }
}

function oneObject(schema: JsonObject): PortableParameters {
  if (!REFUSED_AT_ROOT.some((keyword) => keyword in schema) && isRootObject(schema['type'])) {
    const isPlain = schema['type'] === 'object' && isJsonObject(schema['properties'])
    return {
      parameters: isPlain ? schema : { ...schema, type: 'object', properties: propertiesOf(schema) },
      isWhole: true,
    }
  }
  const gathered = gather(schema, { root: schema, depth: 0, parts: { left: PORTABLE_PARTS_MAX } })
  const { title, $defs, definitions } = schema
  const parameters: JsonObject = {
    type: 'object',
    ...(typeof title === 'string' && { title }),
    properties: Object.fromEntries([...gathered.properties].map(([name, variants]) => [name, oneOfThem(variants)])),
    ...(gathered.required.size > 0 && { required: [...gathered.required] }),
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  }
  return { parameters: isSelfContained(parameters) ? parameters : OPEN_OBJECT, isWhole: false }
}

/** `not` and `if` are refused by some at the root and by none further in; `enum` and `const` fit no list of arguments. */
const REFUSED_AT_ROOT = ['$ref', '$dynamicRef', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', 'enum', 'const']

const OPEN_OBJECT: JsonObject = { type: 'object', properties: {} }

function isRootObject(type: JsonValue | undefined): boolean {
  return type === undefined || type === 'object'
}

interface Gathered {
  /** By name: every schema that stands for it somewhere. */
  readonly properties: ReadonlyMap<string, readonly JsonValue[]>
  readonly required: ReadonlySet<string>
}

interface Gathering {
  readonly root: JsonObject
  readonly depth: number
  /** Shared by the whole search, so that branches within branches cannot multiply. */
  readonly parts: { left: number }
}

const NOTHING: Gathered = { properties: new Map(), required: new Set() }

function gather(schema: JsonValue | undefined, at: Gathering): Gathered {
  at.parts.left -= 1
  if (!isJsonObject(schema) || at.depth > PORTABLE_DEPTH_MAX || at.parts.left < 0) return NOTHING
  const inner = { ...at, depth: at.depth + 1 }
  const { $ref, required, allOf, anyOf, oneOf } = schema
  const own: Gathered = {
    properties: new Map(Object.entries(propertiesOf(schema)).map(([name, property]) => [name, [property]])),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
  }
  const referred = typeof $ref === 'string' ? [gather(pointedAt($ref, at.root), inner)] : []
  const together = listOf(allOf).map((part) => gather(part, inner))
  const alternatives = [anyOf, oneOf].map((parts) => either(listOf(parts).map((part) => gather(part, inner))))
  // What a condition asks for is asked only where it holds.
  const conditional = [schema['then'], schema['else']].map((part) => ({
    ...gather(part, inner),
    required: new Set<string>(),
  }))
  return both([own, ...referred, ...together, ...alternatives, ...conditional])
}

function both(parts: readonly Gathered[]): Gathered {
  const properties = new Map<string, readonly JsonValue[]>()
  for (const [name, variants] of parts.flatMap((part) => [...part.properties])) {
    properties.set(name, [...(properties.get(name) ?? []), ...variants])
  }
  return { properties, required: new Set(parts.flatMap((part) => [...part.required])) }
}

/** Of alternatives only what all of them require has to be there. */
function either(parts: readonly Gathered[]): Gathered {
  const [first, ...others] = parts
  if (first === undefined) return NOTHING
  const required = [...first.required].filter((name) => others.every((part) => part.required.has(name)))
  return { ...both(parts), required: new Set(required) }
}

function oneOfThem(variants: readonly JsonValue[]): JsonValue {
  const different = [...new Map(variants.map((variant) => [canonicalJson(variant), variant])).values()]
  // `true` says nothing beside what says something.
  const telling = different.filter((variant) => isJsonObject(variant) && Object.keys(variant).length > 0)
  const [only = {}] = telling
  return telling.length > 1 ? { anyOf: telling } : only
}

/** A reference into a part that is not there any more leads nowhere. */
function isSelfContained(parameters: JsonObject): boolean {
  const open: JsonValue[] = [parameters]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const reference = isJsonObject(value) ? value['$ref'] : undefined
    if (typeof reference === 'string' && pointedAt(reference, parameters) === undefined) return false
    open.push(...Object.values(value))
  }
  return true
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {}
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
