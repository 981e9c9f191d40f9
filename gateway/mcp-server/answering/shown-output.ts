import { portableKeywords } from '../../../bridge/presentation/portable-keywords.ts'
import { pointedAt } from '../../../bridge/arguments/schema-parts.ts'
import { PORTABLE_KEYWORDS_DEPTH_MAX } from '../../../bridge/limits.ts'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { linearPattern, parsesWith } from '../../../catalog/schema/compiled/pattern.ts'
import { SUBSCHEMA_KEYWORDS } from '../../../catalog/schema/keywords.ts'
import type { Tool } from '../../../catalog/tool.ts'

const shown = new WeakMap<JsonObject, JsonObject | 'left out'>()

/**
 * A tool's output schema as clients compile it. Those with the SDK 1.x do so for each tool of a list, with Ajv and draft 7,
 * and one that does not compile costs them every tool. What is shown takes whatever the schema itself does, against which
 * results are validated; undefined where the tool has none, or none that would compile.
 */
export function shownOutput({ outputSchema }: Pick<Tool, 'outputSchema'>): JsonObject | undefined {
  if (outputSchema === undefined) return undefined
  const known = shown.get(outputSchema) ?? compilable(outputSchema) ?? 'left out'
  shown.set(outputSchema, known)
  return known === 'left out' ? undefined : known
}

function compilable(schema: JsonObject): JsonObject | undefined {
  const written = plain(portableKeywords(schema))
  return compiles(written, { root: written, depth: 0 }) ? written : undefined
}

/** Without what a client's compiler refuses, or reads more strictly than the schema is meant. */
function plain(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([keyword, value]) => !isRefused(keyword, value, schema))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, plainBelow(keyword, value)]))
}

/**
 * Names that two tools may share, switches of Ajv's own, patterns that are none to Ajv or that results are not held against,
 * and what draft 7 reads more strictly than 2020-12.
 */
function isRefused(keyword: string, value: JsonValue, { type, prefixItems, minContains }: JsonObject): boolean {
  switch (keyword) {
    case '$id':
    case 'id':
    case '$async':
      return true
    case 'nullable':
      return type === undefined
    case 'pattern':
      return !isPattern(value)
    case 'items':
      return prefixItems !== undefined
    default:
      return keyword === 'contains' && minContains === 0
  }
}

function isPattern(value: JsonValue): boolean {
  return typeof value === 'string' && linearPattern(value).kind === 'linear' && parsesWith(value, 'u')
}

const HELD: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  ...SUBSCHEMA_KEYWORDS,
  $defs: 'map',
  definitions: 'map',
  dependencies: 'map',
}

function plainBelow(keyword: string, value: JsonValue): JsonValue {
  const write = (each: JsonValue): JsonValue => (isJsonObject(each) ? plain(each) : each)
  const held = heldBy(keyword)
  if (held === 'list' && Array.isArray(value)) return value.map(write)
  if (held === 'map' && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, write(each)]))
  }
  return held === 'one' ? write(value) : value
}

interface At {
  readonly root: JsonObject
  readonly depth: number
}

/** Whether it has nothing that can neither be compiled nor be left off without another meaning. */
function compiles(schema: JsonObject, { root, depth }: At): boolean {
  const { $ref, patternProperties } = schema
  if (depth > PORTABLE_KEYWORDS_DEPTH_MAX) return false
  if ($ref !== undefined && !(typeof $ref === 'string' && pointedAt($ref, root) !== undefined)) return false
  // Where other keys are refused, those that a pattern describes would be without it.
  if (isJsonObject(patternProperties) && !Object.keys(patternProperties).every(isPattern)) return false
  return Object.entries(schema)
    .flatMap(([keyword, value]) => schemasIn(keyword, value))
    .every((each) => compiles(each, { root, depth: depth + 1 }))
}

function schemasIn(keyword: string, value: JsonValue): readonly JsonObject[] {
  const held = heldBy(keyword)
  if (held === 'list' && Array.isArray(value)) return value.filter(isJsonObject)
  if (held === 'map' && isJsonObject(value)) return Object.values(value).filter(isJsonObject)
  return held === 'one' && isJsonObject(value) ? [value] : []
}

function heldBy(keyword: string): 'one' | 'list' | 'map' | undefined {
  return Object.hasOwn(HELD, keyword) ? HELD[keyword] : undefined
}
