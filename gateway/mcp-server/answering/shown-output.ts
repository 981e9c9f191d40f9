import { portableKeywords } from '../../../bridge/presentation/portable-keywords.ts'
import { pointedAt } from '../../../bridge/arguments/schema-parts.ts'
import { PORTABLE_KEYWORDS_DEPTH_MAX } from '../../../bridge/limits.ts'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { linearPattern } from '../../../catalog/schema/compiled/pattern.ts'
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
  const written = schemaOf(portableKeywords(schema), { root: schema, depth: 0 })
  return written === UNUSABLE ? undefined : written
}

interface At {
  readonly root: JsonObject
  readonly depth: number
}

/** Something in it can neither be compiled nor left off. */
const UNUSABLE = Symbol('unusable')

function schemaOf(schema: JsonObject, { root, depth }: At): JsonObject | typeof UNUSABLE {
  const { $ref } = schema
  if (depth > PORTABLE_KEYWORDS_DEPTH_MAX) return UNUSABLE
  if ($ref !== undefined && !(typeof $ref === 'string' && pointedAt($ref, root) !== undefined)) return UNUSABLE
  const entries: (readonly [string, JsonValue])[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (isRefused(keyword, value, schema)) continue
    const written = valueOf(keyword, value, { root, depth: depth + 1 })
    if (written === UNUSABLE) return UNUSABLE
    entries.push([keyword, written])
  }
  return Object.fromEntries(entries)
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

const HELD: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  ...SUBSCHEMA_KEYWORDS,
  $defs: 'map',
  definitions: 'map',
  dependencies: 'map',
}

function valueOf(keyword: string, value: JsonValue, at: At): JsonValue | typeof UNUSABLE {
  const held = Object.hasOwn(HELD, keyword) ? HELD[keyword] : undefined
  if (held === 'list' && Array.isArray(value)) return listOf(value, at)
  if (held === 'map' && isJsonObject(value)) return mapOf(keyword, value, at)
  return held === 'one' && isJsonObject(value) ? schemaOf(value, at) : value
}

function listOf(values: readonly JsonValue[], at: At): readonly JsonValue[] | typeof UNUSABLE {
  const written: JsonValue[] = []
  for (const value of values) {
    const each = isJsonObject(value) ? schemaOf(value, at) : value
    if (each === UNUSABLE) return UNUSABLE
    written.push(each)
  }
  return written
}

function mapOf(keyword: string, value: JsonObject, at: At): JsonObject | typeof UNUSABLE {
  const kept = Object.entries(value).filter(([name]) => keyword !== 'patternProperties' || isPattern(name))
  // Where other keys are refused, those that were described by the pattern would be too.
  if (kept.length < Object.keys(value).length) return UNUSABLE
  const written = listOf(
    kept.map(([, each]) => each),
    at,
  )
  return written === UNUSABLE
    ? UNUSABLE
    : Object.fromEntries(kept.map(([name], index) => [name, written[index] ?? {}] as const))
}

function isPattern(value: JsonValue): boolean {
  if (typeof value !== 'string' || linearPattern(value).kind === 'refused') return false
  try {
    return new RegExp(value, 'u') instanceof RegExp
  } catch {
    // Parsing is the question; nothing is matched with it here.
    return false
  }
}
