import type { JsonObject, JsonValue } from '../../json.ts'
import { isJsonObject } from '../../json.ts'
import { normalKeywords } from '../keywords.ts'
import { TOP_LEVEL_MAX_PROPERTIES } from '../limits.ts'

/** The part of a schema that is always safe to enforce: type, required names, and the types of known properties. */
export function topLevelOf(schema: JsonObject): JsonObject {
  const { type, required, properties, patternProperties, additionalProperties } = normalKeywords(schema, '2020-12')
  const known = isJsonObject(properties) ? Object.entries(properties) : []
  const kept = known.slice(0, TOP_LEVEL_MAX_PROPERTIES)
  const isClosed = additionalProperties === false && patternProperties === undefined && kept.length === known.length
  return {
    ...(type === undefined ? {} : { type }),
    ...(Array.isArray(required) ? { required: required.slice(0, TOP_LEVEL_MAX_PROPERTIES) } : {}),
    properties: Object.fromEntries(kept.map(([key, entry]) => [key, typeOnly(entry)])),
    ...(isClosed ? { additionalProperties: false } : {}),
  }
}

function typeOnly(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema
  const { type, nullable } = normalKeywords(schema, '2020-12')
  return type === undefined ? {} : { type, ...(nullable === true ? { nullable } : {}) }
}
