import type { JsonObject, JsonValue } from '../../json.ts'
import { isJsonObject } from '../../json.ts'
import { isKnownFormat } from './formats.ts'
import { SUBSCHEMA_KEYWORDS } from '../keywords.ts'
import { linearPattern } from './pattern.ts'
import type { SchemaNode, SchemaNodes } from '../inspection/schema-node.ts'

/** What a schema costs to check, for the keyword `work` of the compiled form. */
interface WorkOfNode {
  readonly units: number
  /** The checks read the whole text. */
  readonly isPerCharacter: boolean
  /** Units for each key of the value. */
  readonly perKey: number
}

export interface NormalForm {
  /** In 2020-12 with known keywords only, references under `$defs`, and `work` in each subschema. */
  readonly schema: JsonObject
  readonly formats: ReadonlySet<string>
  readonly hasUnevaluated: boolean
  /** Subschemas in it. */
  readonly size: number
}

interface Building {
  readonly nodes: SchemaNodes
  readonly root: JsonObject
  readonly names: ReadonlyMap<JsonObject, string>
  readonly formats: Set<string>
}

/**
 * Rewrites a schema for the compiler. A compiler that sees only this form meets no `$id`, no `$async`, no `$data`, no
 * dialect and no keyword that was not checked, whatever the author wrote.
 */
export function toNormalForm(root: JsonObject, nodes: SchemaNodes): NormalForm {
  const targets = [...nodes.values()].flatMap((node) => node.references).filter(isJsonObject)
  const named = [...new Set(targets)].filter((target) => target !== root)
  const names = new Map(named.map((target, index) => [target, `d${index}`]))
  const building: Building = { nodes, root, names, formats: new Set() }
  const definitions = Object.fromEntries(named.map((target) => [names.get(target) ?? '', build(building, target)]))
  const schema: JsonObject = { ...build(building, root), ...(named.length > 0 ? { $defs: definitions } : {}) }
  return { schema, formats: building.formats, hasUnevaluated: usesUnevaluated(nodes), size: nodes.size }
}

function usesUnevaluated(nodes: SchemaNodes): boolean {
  return [...nodes.values()].some(
    ({ keywords }) => 'unevaluatedProperties' in keywords || 'unevaluatedItems' in keywords,
  )
}

function build(building: Building, schema: JsonObject): JsonObject {
  const node = building.nodes.get(schema)
  if (node === undefined) return {}
  const built: Record<string, JsonValue> = {}
  for (const [keyword, value] of Object.entries(node.keywords)) {
    if (isRewritten(keyword)) continue
    built[keyword] = withSubschemas(building, keyword, value)
  }
  applyPatterns(building, node, built)
  applyFormat(building, node, built)
  applyReferences(building, node, built)
  if (Array.isArray(built['enum']) && built['enum'].length === 0) built['not'] = true
  if (Array.isArray(built['enum']) && built['enum'].length === 0) delete built['enum']
  built['work'] = { ...workOf(node) }
  return node.keywords['nullable'] === true ? nullable(built) : built
}

function isRewritten(keyword: string): boolean {
  return ['$ref', '$dynamicRef', '$recursiveRef', 'pattern', 'patternProperties', 'format', 'nullable'].includes(
    keyword,
  )
}

function withSubschemas(building: Building, keyword: string, value: JsonValue): JsonValue {
  const held = Object.hasOwn(SUBSCHEMA_KEYWORDS, keyword) ? SUBSCHEMA_KEYWORDS[keyword] : undefined
  if (held === undefined) return value
  if (held === 'one') return subschema(building, value)
  if (Array.isArray(value)) return value.map((entry) => subschema(building, entry))
  return isJsonObject(value) ? subschemaMap(building, Object.entries(value)) : value
}

function subschemaMap(building: Building, entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  // A value with this key is refused before any schema looks at it, and as a key of a literal it would be a prototype.
  const kept = entries.filter(([key]) => key !== '__proto__')
  return Object.fromEntries(kept.map(([key, entry]) => [key, subschema(building, entry)]))
}

function subschema(building: Building, entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry
  return isNamed(building, entry) ? reference(building, entry) : build(building, entry)
}

function isNamed(building: Building, schema: JsonObject): boolean {
  return schema === building.root || building.names.has(schema)
}

function reference(building: Building, target: JsonObject | boolean): JsonObject {
  if (!isJsonObject(target)) return target ? {} : { not: true }
  return { $ref: target === building.root ? '#' : `#/$defs/${building.names.get(target)}` }
}

function applyPatterns(building: Building, node: SchemaNode, built: Record<string, JsonValue>): void {
  const { pattern, patternProperties } = node.keywords
  if (typeof pattern === 'string' && linearPattern(pattern).kind === 'linear') built['pattern'] = pattern
  if (!isJsonObject(patternProperties)) return
  const entries = Object.entries(patternProperties)
  const linear = entries.filter(([key]) => linearPattern(key).kind === 'linear')
  built['patternProperties'] = subschemaMap(building, linear)
  if (linear.length === entries.length) return
  // Which keys a refused pattern covers is not known, so none can be called additional.
  delete built['additionalProperties']
  delete built['unevaluatedProperties']
}

function applyFormat(building: Building, node: SchemaNode, built: Record<string, JsonValue>): void {
  const { format } = node.keywords
  if (typeof format !== 'string' || !isKnownFormat(format)) return
  built['format'] = format
  building.formats.add(format)
}

function applyReferences(building: Building, node: SchemaNode, built: Record<string, JsonValue>): void {
  const [first, ...others] = node.references.map((target) => reference(building, target))
  if (first === undefined) return
  Object.assign(built, isPlainReference(first) && !('not' in built) ? first : {})
  const rest = isPlainReference(first) ? others : [first, ...others]
  if (rest.length > 0) built['allOf'] = [...(Array.isArray(built['allOf']) ? built['allOf'] : []), ...rest]
}

function isPlainReference(schema: JsonObject): boolean {
  return '$ref' in schema
}

/** OpenAPI's form: beside a type it adds `null` to it; writers of it expect it to win over `enum` and the rest too. */
function nullable(built: JsonObject): JsonObject {
  const { type } = built
  const isTyped = typeof type === 'string' || Array.isArray(type)
  const isPlain =
    isTyped && !['enum', 'const', '$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'].some((key) => key in built)
  if (!isPlain) return { anyOf: [{ type: 'null' }, built] }
  return { ...built, type: [...new Set([type, 'null'].flat())] }
}

/** Lists in a schema (`enum`, `required`, names of properties) that make one check more than one step. */
function workOf(node: SchemaNode): WorkOfNode {
  const { keywords } = node
  const patterns = isJsonObject(keywords['patternProperties']) ? Object.keys(keywords['patternProperties']).length : 0
  const listed = ['enum', 'const', 'required', 'dependentRequired'].map((keyword) => countValues(keywords[keyword]))
  const properties = isJsonObject(keywords['properties']) ? Object.keys(keywords['properties']).length : 0
  const units = 1 + Math.floor((listed.reduce((sum, count) => sum + count, 0) + properties) / 8)
  const readsKeys = ['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'patternProperties']
  const perKey = readsKeys.some((keyword) => keyword in keywords) ? (1 + patterns) / 4 : 0
  return { units, isPerCharacter: 'minLength' in keywords || 'maxLength' in keywords, perKey }
}

function countValues(value: JsonValue | undefined): number {
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1
  return Object.values(value).reduce((sum: number, entry) => sum + countValues(entry), 1)
}
