import type { JsonObject, JsonValue } from '../../json.ts'
import { isJsonObject } from '../../json.ts'
import type { Dialect } from '../../schema/dialect.ts'
import { dialectOf } from '../../schema/dialect.ts'
import { normalKeywords } from '../../schema/keywords.ts'
import type { References } from '../../schema/references.ts'
import { createReferences } from '../../schema/references.ts'

/** Makes values for the tests of types and checks: the same ones for the same schema and seed. */
export interface ValueMaker {
  /** A value that fits the schema in nearly all cases. */
  fitting(): JsonValue
  /** The value, changed in one place: a wrong type, a missing key, an element too many. */
  broken(value: JsonValue): JsonValue
}

const MAX_DEPTH = 6

type Pick = <T>(list: readonly T[]) => T | undefined

interface Making {
  readonly random: () => number
  readonly pick: Pick
  readonly dialect: Dialect
  readonly references: References
}

export function createValueMaker(schema: JsonObject, seed: number): ValueMaker {
  const random = createRandom(seed)
  const pick: Pick = (list) => list[Math.floor(random() * list.length)]
  const making: Making = { random, pick, dialect: dialectOf(schema), references: createReferences(schema) }
  return { fitting: () => make(making, schema, 0), broken: (value) => withOneChange(value, pick) }
}

function make(making: Making, schema: JsonValue | undefined, depth: number): JsonValue {
  const { pick } = making
  if (!isJsonObject(schema)) return pick(['text', 3, true, null]) ?? null
  const keywords = normalKeywords(schema, making.dialect)
  if (keywords['const'] !== undefined) return keywords['const']
  if (Array.isArray(keywords['enum'])) return pick(keywords['enum']) ?? null
  const picked = [target(making, keywords['$ref']), pick(listOf(keywords['anyOf'])), pick(listOf(keywords['oneOf']))]
  const applied = [...picked, ...listOf(keywords['allOf'])].filter((part) => part !== undefined)
  const own = makeOwn(making, keywords, depth)
  const values = applied.map((part) => make(making, part, depth + 1))
  if (isJsonObject(own)) return merged([own, ...values.filter(isJsonObject)])
  if (own !== undefined) return own
  const [first] = values
  if (first === undefined) return pick(['text', 3, {}]) ?? null
  return values.every(isJsonObject) ? merged(values) : first
}

function target(making: Making, reference: JsonValue | undefined): JsonValue | undefined {
  if (typeof reference !== 'string') return undefined
  const found = making.references.resolve(reference, making.references.document)
  return found.kind === 'found' ? found.schema : undefined
}

function makeOwn(making: Making, keywords: JsonObject, depth: number): JsonValue | undefined {
  const type = making.pick([keywords['type'] ?? impliedType(keywords) ?? []].flat())
  if (type === 'object') return makeObject(making, keywords, depth)
  if (type === 'array') return makeArray(making, keywords, depth)
  if (type === 'string') return makeText(making, keywords)
  if (type === 'number' || type === 'integer') return makeNumber(making, keywords, type)
  if (type === 'boolean') return making.random() < 0.5
  return type === 'null' ? null : undefined
}

function makeObject(making: Making, keywords: JsonObject, depth: number): JsonObject {
  const { random } = making
  const properties = isJsonObject(keywords['properties']) ? keywords['properties'] : {}
  const required = listOf(keywords['required']).map(String)
  const share = depth > MAX_DEPTH ? 0 : 0.6
  const optional = Object.keys(properties).filter((key) => properties[key] !== false && random() < share)
  const entries = [...new Set([...required, ...optional])].map((key): [string, JsonValue] => [
    key,
    make(making, Object.hasOwn(properties, key) ? properties[key] : true, depth + 1),
  ])
  const more = keywords['additionalProperties']
  if ((isJsonObject(more) || more === true) && random() < 0.7) entries.push(['more', make(making, more, depth + 1)])
  const [pattern] = isJsonObject(keywords['patternProperties']) ? Object.entries(keywords['patternProperties']) : []
  if (pattern !== undefined) entries.push([pattern[0].replace('^', ''), make(making, pattern[1], depth + 1)])
  return Object.fromEntries(entries)
}

function makeArray(making: Making, keywords: JsonObject, depth: number): JsonValue {
  const prefix = listOf(keywords['prefixItems'])
  const wanted = depth > MAX_DEPTH ? 0 : Math.floor(making.random() * 3)
  const length = Math.max(Number(keywords['minItems'] ?? 0), wanted)
  const most = keywords['items'] === false ? prefix.length : Number(keywords['maxItems'] ?? length)
  return Array.from({ length: Math.min(length, most) }, (_, index) =>
    make(making, index < prefix.length ? prefix[index] : keywords['items'], depth + 1),
  )
}

const TEXTS = new Map<JsonValue | undefined, string>([
  ['date', '2024-02-29'],
  ['date-time', '2024-02-29T10:00:00Z'],
  ['email', 'a@example.com'],
  ['uri', 'https://example.com'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
])

function makeText(making: Making, keywords: JsonObject): string {
  const text = TEXTS.get(keywords['format']) ?? making.pick(['text', 'other', 'abc']) ?? ''
  return text.slice(0, Number(keywords['maxLength'] ?? 100))
}

function makeNumber(making: Making, keywords: JsonObject, type: string): number {
  const least = Number(keywords['minimum'] ?? keywords['exclusiveMinimum'] ?? 0)
  return type === 'integer' ? Math.ceil(least) + 1 : least + (making.pick([0.5, 0, 0.1]) ?? 0)
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function merged(objects: readonly JsonObject[]): JsonObject {
  return Object.assign({}, ...objects)
}

function impliedType(keywords: JsonObject): string | undefined {
  if ('properties' in keywords || 'required' in keywords || 'additionalProperties' in keywords) return 'object'
  if ('patternProperties' in keywords) return 'object'
  return 'items' in keywords || 'prefixItems' in keywords ? 'array' : undefined
}

function withOneChange(value: JsonValue, pick: Pick): JsonValue {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {})
  const entry = pick(entries)
  if (entry === undefined || pick([0, 1, 2, 3, 4]) === 0) return other(value, pick)
  const [key, inner] = entry
  const isDropped = pick([true, false, false]) === true
  if (Array.isArray(value)) {
    const at = Number(key)
    return isDropped ? value.toSpliced(at, 1) : value.with(at, withOneChange(inner, pick))
  }
  const kept = entries.filter(([name]) => name !== key)
  return Object.fromEntries(isDropped ? kept : [...kept, [key, withOneChange(inner, pick)]])
}

function other(value: JsonValue, pick: Pick): JsonValue {
  const kinds: readonly JsonValue[] = ['wrong', 7, false, null, [], ['wrong'], {}, [1]]
  return pick(kinds.filter((kind) => JSON.stringify(kind) !== JSON.stringify(value))) ?? null
}

/** Mulberry32: small, fast, and the same on every machine. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
