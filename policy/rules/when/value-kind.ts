import type { JsonValue } from '../../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../../catalog/json.ts'
import type { WhenMatch } from './judge.ts'
import { plainText } from './plain-text.ts'

export type ValueKind = 'number' | 'string' | 'boolean' | 'null' | 'array' | 'object'

export function kindOf(value: JsonValue): ValueKind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isJsonObject(value)) return 'object'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'string'
}

/** The kinds that a `type` of a schema names. */
export function kindsNamed(type: JsonValue | undefined): ReadonlySet<ValueKind> | undefined {
  if (type === undefined) return undefined
  const names: readonly JsonValue[] = Array.isArray(type) ? type : [type]
  return new Set(
    names.flatMap((name) => {
      if (name === 'integer') return ['number'] as const
      return KINDS.filter((kind) => kind === name)
    }),
  )
}

const KINDS: readonly ValueKind[] = ['number', 'string', 'boolean', 'null', 'array', 'object']

/**
 * Whether a value is the one that a rule names. A tool may read `"5"` as 5 and `"Delete"` as `delete`, so that another
 * kind of value, or other letters of the same word, are neither the one nor surely another.
 */
export function isValue(value: JsonValue, named: JsonValue): WhenMatch {
  if (canonicalJson(value) === canonicalJson(named)) return 'yes'
  if (kindOf(value) !== kindOf(named)) return 'undecided'
  return canonicalJson(plain(value)) === canonicalJson(plain(named)) ? 'undecided' : 'no'
}

/** In lists and objects too: `["Delete"]` may be read as `["delete"]`. */
function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => plain(item))
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [plainText(key), plain(part)]))
  return typeof value === 'object' ? value : plainText(String(value))
}
