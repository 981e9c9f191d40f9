import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'

/** Arguments for a call whose only point is to be made. */
export function sampleArguments({ properties }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return {}
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]))
}

function sampleOf(schema: JsonValue): JsonValue {
  const { type, default: given, enum: values } = isJsonObject(schema) ? schema : {}
  if (given !== undefined) return given
  if (Array.isArray(values) && values.length > 0) return values[0] ?? null
  if (type === 'number' || type === 'integer') return 5
  if (type === 'boolean') return true
  if (type === 'array') return []
  return type === 'object' ? {} : 'sample'
}
