import type { JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'

/** Whether a value is of the type, or of one of the types, that a schema names. */
export function fitsType(value: JsonValue, type: JsonValue | undefined): boolean {
  if (type === undefined) return true
  return [type].flat().some((name) => {
    if (name === 'integer') return Number.isInteger(value)
    if (name === 'null') return value === null
    if (name === 'array') return Array.isArray(value)
    return name === 'object' ? isJsonObject(value) : typeof value === name
  })
}
