import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import type { JsonType } from '../schema-parts.ts'
import { accepts } from '../schema-parts.ts'

/** The one value of the accepted types that stands in this text, number or boolean; undefined where there is none. */
export function readAs(value: JsonValue, types: ReadonlySet<JsonType>): JsonValue | undefined {
  if (typeof value === 'number' || typeof value === 'boolean')
    return types.has('string') ? asText(value, types) : undefined
  if (typeof value !== 'string') return undefined
  const parsed = parseText(value)
  if (parsed === undefined || !accepts(types, parsed)) return undefined
  return parsed
}

/** A number or boolean for a text: one reading, unless other types are accepted too. */
function asText(value: number | boolean, types: ReadonlySet<JsonType>): string | undefined {
  const others = [...types].filter((type) => type !== 'string' && type !== 'null')
  return others.length === 0 && (typeof value === 'boolean' || Number.isFinite(value)) ? String(value) : undefined
}

function parseText(text: string): JsonValue | undefined {
  const trimmed = text.trim()
  // Python's spelling; there is no other thing that it could mean where no text is accepted.
  if (/^true$/i.test(trimmed)) return true
  if (/^false$/i.test(trimmed)) return false
  try {
    const once: JsonValue = JSON.parse(trimmed)
    const value: JsonValue = typeof once === 'string' ? JSON.parse(once) : once
    return isFaithful(value, trimmed) ? value : undefined
  } catch {
    // Not JSON: the text stays what it is, and validation says what is wanted.
    return undefined
  }
}

/** A long row of digits that a number cannot hold would become another number. */
function isFaithful(value: JsonValue, text: string): boolean {
  if (typeof value !== 'number') return true
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^"?-?\d+"?$/.test(text))
}

/** False where the parts list the values that may stand there, and this is none of them. */
export function isAllowed(value: JsonValue, parts: readonly JsonObject[]): boolean {
  if (typeof value === 'object' && value !== null) return true
  return parts.every((part) => {
    if (Array.isArray(part.enum)) return part.enum.includes(value)
    return part.const === undefined || part.const === value
  })
}
