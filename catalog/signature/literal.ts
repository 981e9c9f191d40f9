import type { JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { LITERAL_MAX_CHARS } from './limits.ts'

/** Control, format, surrogate, private and unassigned characters, and every space but the common one. */
const HIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu

/** A string as a TypeScript literal in single quotes, which need no escape in the JSON that carries a signature. */
function stringLiteral(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replace(HIDDEN, escapeHidden)
  // A comment inside a string is none, but readers that strip comments by expression exist.
  return `'${escaped.replaceAll('*/', '*\\/')}'`
}

function escapeHidden(character: string): string {
  if (character === ' ') return character
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** A property's name, quoted where it is not an identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name)
}

/** Whether a value is worth writing out. Looks no further than it has to. */
export function isSmall(value: JsonValue): boolean {
  const pending: JsonValue[] = [value]
  let left = LITERAL_MAX_CHARS
  for (let next = pending.pop(); next !== undefined && left >= 0; next = pending.pop()) {
    left -= typeof next === 'string' ? next.length + 2 : 4
    if (typeof next !== 'object' || next === null) continue
    const keys = Object.keys(next)
    left -= keys.length * 4
    if (left >= 0) pending.push(...Object.values(next))
  }
  return left >= 0
}

/** The type that has this value alone. Numbers that no literal can say are `number`. */
export function valueType(value: JsonValue): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'number'
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(valueType).join(', ')}]`
  if (!isJsonObject(value)) return 'unknown'
  const members = Object.entries(value).map(([key, entry]) => `${propertyName(key)}: ${valueType(entry)}`)
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}
