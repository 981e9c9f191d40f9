import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'

/**
 * Whether there is nothing to repair at first sight: every argument is one that the schema names, and of the plain type that it
 * names. So are nearly all; of any other it is not known yet.
 */
export function fitsPlainly(value: JsonObject, schema: JsonObject): boolean {
  const { type, properties } = schema
  if (type !== 'object' || !isJsonObject(properties) || isCombined(schema)) return false
  return Object.keys(value).every((key) => Object.hasOwn(properties, key) && isOf(value[key], properties[key]))
}

function isOf(value: JsonValue | undefined, schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema) || isCombined(schema)) return false
  const { type } = schema
  if (type === 'string' || type === 'boolean' || type === 'number') return typeof value === type
  return type === 'integer' && Number.isInteger(value)
}

/** What it asks for stands elsewhere. */
function isCombined({ $ref, allOf, anyOf, oneOf }: JsonObject): boolean {
  return $ref !== undefined || allOf !== undefined || anyOf !== undefined || oneOf !== undefined
}
