import type { JsonObject, JsonValue } from '../json.ts'
import { isEmptyList, isJsonObject } from '../json.ts'
import type { Dialect } from './dialect.ts'

/** Keywords of one subschema, brought to their 2020-12 form; subschemas inside are still as written. */
export type NormalKeywords = Readonly<Record<string, JsonValue>>

/** Keywords that hold subschemas, and how. */
export const SUBSCHEMA_KEYWORDS: Readonly<Record<string, 'one' | 'list' | 'map'>> = {
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  prefixItems: 'list',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  items: 'one',
  contains: 'one',
  additionalProperties: 'one',
  propertyNames: 'one',
  unevaluatedItems: 'one',
  unevaluatedProperties: 'one',
  not: 'one',
  if: 'one',
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; the table is never awaited
  then: 'one',
  else: 'one',
}

/** Keywords whose subschemas look at the same value, so that a cycle through them would never end. */
export const IN_PLACE_KEYWORDS: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
])

/** One schema has one resource in nearly all cases, and then the dynamic forms mean what `$ref` means. */
export const REFERENCE_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/** Assertions that draft-07 does not know: a validator of that draft ignores them, and so do the tool's own. */
const NOT_IN_DRAFT_07 = [
  'prefixItems',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  'minContains',
  'maxContains',
]

/** What the value of a keyword has to be, in words, and the test for it. */
const SHAPES: Readonly<Record<string, readonly [string, (value: JsonValue) => boolean]>> = {
  type: ['a type name or a list of them', isType],
  enum: ['a list', Array.isArray],
  required: ['a list of names', isStrings],
  properties: ['an object of schemas', isSchemaMap],
  patternProperties: ['an object of schemas', isSchemaMap],
  dependentSchemas: ['an object of schemas', isSchemaMap],
  dependentRequired: ['an object of lists of names', isStringsMap],
  dependencies: ['an object of schemas or lists of names', isDependencies],
  items: ['a schema or a list of them', (value) => isSchema(value) || isSchemas(value)],
  prefixItems: ['a list of schemas', isSchemas],
  allOf: ['a list of schemas', isFilledSchemas],
  anyOf: ['a list of schemas', isFilledSchemas],
  oneOf: ['a list of schemas', isFilledSchemas],
  additionalItems: ['a schema', isSchema],
  contains: ['a schema', isSchema],
  additionalProperties: ['a schema', isSchema],
  propertyNames: ['a schema', isSchema],
  unevaluatedItems: ['a schema', isSchema],
  unevaluatedProperties: ['a schema', isSchema],
  not: ['a schema', isSchema],
  if: ['a schema', isSchema],
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; the table is never awaited
  then: ['a schema', isSchema],
  else: ['a schema', isSchema],
  minLength: ['a whole number', isCount],
  maxLength: ['a whole number', isCount],
  minItems: ['a whole number', isCount],
  maxItems: ['a whole number', isCount],
  minContains: ['a whole number', isCount],
  maxContains: ['a whole number', isCount],
  minProperties: ['a whole number', isCount],
  maxProperties: ['a whole number', isCount],
  minimum: ['a number', isNumber],
  maximum: ['a number', isNumber],
  // A boolean beside `minimum` is the form of draft 4 and OpenAPI 3.0.
  exclusiveMinimum: ['a number', (value) => isNumber(value) || typeof value === 'boolean'],
  exclusiveMaximum: ['a number', (value) => isNumber(value) || typeof value === 'boolean'],
  multipleOf: ['a number above 0', (value) => isNumber(value) && Number(value) > 0],
  uniqueItems: ['a boolean', isBoolean],
  nullable: ['a boolean', isBoolean],
  pattern: ['a string', isString],
  format: ['a string', isString],
  $ref: ['a string', isString],
  $dynamicRef: ['a string', isString],
  $recursiveRef: ['a string', isString],
}

/** Known keywords that assert nothing. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  (
    '$schema $id id $anchor $dynamicAnchor $recursiveAnchor $comment $defs $vocabulary definitions title description ' +
    'default examples example deprecated readOnly writeOnly contentEncoding contentMediaType contentSchema const ' +
    'discriminator externalDocs xml'
  ).split(' '),
)

/** The first keyword that has the wrong kind of value, and what it should be. */
export function misshapenKeyword(schema: JsonObject): { keyword: string; expected: string } | undefined {
  for (const keyword of Object.keys(schema)) {
    const shape = Object.hasOwn(SHAPES, keyword) ? SHAPES[keyword] : undefined
    const value = schema[keyword]
    if (shape === undefined || value === undefined || shape[1](value) || isVoidKeyword(keyword, value)) continue
    return { keyword, expected: shape[0] }
  }
  return undefined
}

/**
 * A keyword that is written but says nothing of the value here, which is harmless and noted: `null` for what is absent,
 * `[]` for a map without entries (PHP has one form for both), and draft 3's `required: true`, which is meant for the
 * object around.
 */
export function isVoidKeyword(keyword: string, value: JsonValue): boolean {
  if (!Object.hasOwn(SHAPES, keyword)) return false
  if (value === null) return true
  if (keyword === 'required') return typeof value === 'boolean'
  return SUBSCHEMA_KEYWORDS[keyword] === 'map' && isEmptyList(value)
}

/** A keyword that nobody enforces; names that start with `x-` or `_` are extensions by intention. */
export function isUnknownKeyword(keyword: string): boolean {
  return !Object.hasOwn(SHAPES, keyword) && !ANNOTATIONS.has(keyword) && !/^(x-|x_|_|~)/.test(keyword)
}

export function isSchema(value: unknown): value is JsonObject | boolean {
  return isJsonObject(value) || typeof value === 'boolean'
}

/**
 * Brings older forms to the 2020-12 form and leaves out what is misshapen or unknown to the dialect. An array in
 * `items` is read as a tuple under every dialect: most writers of it forget to declare their draft.
 */
export function normalKeywords(schema: JsonObject, dialect: Dialect): NormalKeywords {
  const normal: Record<string, JsonValue> = {}
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    const shape = Object.hasOwn(SHAPES, keyword) ? SHAPES[keyword] : undefined
    if (value === undefined || (shape === undefined && keyword !== 'const')) continue
    if (shape === undefined || shape[1](value)) normal[keyword] = value
  }
  if (dialect === 'draft-07') for (const keyword of NOT_IN_DRAFT_07) delete normal[keyword]
  normaliseItems(normal)
  normaliseDependencies(normal)
  normaliseExclusive(normal, 'exclusiveMinimum', 'minimum')
  normaliseExclusive(normal, 'exclusiveMaximum', 'maximum')
  return normal
}

function normaliseItems(normal: Record<string, JsonValue>): void {
  const { items, additionalItems } = normal
  delete normal['additionalItems']
  if (!Array.isArray(items)) return
  normal['prefixItems'] = items
  delete normal['items']
  if (additionalItems !== undefined) normal['items'] = additionalItems
}

function normaliseDependencies(normal: Record<string, JsonValue>): void {
  const dependencies = normal['dependencies']
  delete normal['dependencies']
  if (!isJsonObject(dependencies)) return
  const entries = Object.entries(dependencies)
  const names = entries.filter(([, value]) => Array.isArray(value))
  const schemas = entries.filter(([, value]) => !Array.isArray(value))
  if (names.length > 0) normal['dependentRequired'] = mergedMap(names, normal['dependentRequired'])
  if (schemas.length > 0) normal['dependentSchemas'] = mergedMap(schemas, normal['dependentSchemas'])
}

function mergedMap(entries: readonly (readonly [string, JsonValue])[], over: JsonValue | undefined): JsonObject {
  return { ...Object.fromEntries(entries), ...(isJsonObject(over) ? over : {}) }
}

function normaliseExclusive(normal: Record<string, JsonValue>, exclusive: string, inclusive: string): void {
  const flag = normal[exclusive]
  if (typeof flag !== 'boolean') return
  delete normal[exclusive]
  const bound = normal[inclusive]
  if (!flag || bound === undefined) return
  normal[exclusive] = bound
  delete normal[inclusive]
}

function isType(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((entry) => TYPES.has(String(entry)))
  return typeof value === 'string' && TYPES.has(value)
}

function isStrings(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(isString)
}

function isStringsMap(value: JsonValue): boolean {
  return isJsonObject(value) && Object.values(value).every(isStrings)
}

function isSchemas(value: JsonValue): boolean {
  return Array.isArray(value) && value.every(isSchema)
}

function isFilledSchemas(value: JsonValue): boolean {
  return isSchemas(value) && Array.isArray(value) && value.length > 0
}

function isSchemaMap(value: JsonValue): boolean {
  return isJsonObject(value) && Object.values(value).every(isSchema)
}

function isDependencies(value: JsonValue): boolean {
  return isJsonObject(value) && Object.values(value).every((entry) => isSchema(entry) || isStrings(entry))
}

function isCount(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function isBoolean(value: JsonValue): boolean {
  return typeof value === 'boolean'
}

function isString(value: JsonValue): boolean {
  return typeof value === 'string'
}
