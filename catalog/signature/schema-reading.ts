import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { dialectOf } from '../schema/dialect.ts'
import type { NormalKeywords } from '../schema/keywords.ts'
import { normalKeywords } from '../schema/keywords.ts'
import type { References } from '../schema/references.ts'
import { createReferences } from '../schema/references.ts'

export interface Property {
  readonly name: string
  readonly schema: JsonValue
}

export interface Properties {
  readonly required: readonly Property[]
  readonly optional: readonly Property[]
}

/** What is read of a schema document, once for all attempts to print it. */
export interface SchemaReading {
  readonly references: References
  keywordsOf(schema: JsonObject): NormalKeywords
  propertiesOf(keywords: NormalKeywords): Properties
}

export function createReading(document: JsonObject): SchemaReading {
  const dialect = dialectOf(document)
  const keywords = new Map<JsonObject, NormalKeywords>()
  const properties = new Map<NormalKeywords, Properties>()
  return {
    references: createReferences(document),
    keywordsOf: (schema) => remembered(keywords, schema, () => normalKeywords(schema, dialect)),
    propertiesOf: (of) => remembered(properties, of, () => readProperties(of)),
  }
}

function remembered<K, V>(known: Map<K, V>, key: K, read: () => V): V {
  const found = known.get(key)
  if (found !== undefined) return found
  const value = read()
  known.set(key, value)
  return value
}

/** In the order of the schema; required names that are not declared come last of the required. */
function readProperties(keywords: NormalKeywords): Properties {
  const declared = isJsonObject(keywords['properties']) ? Object.entries(keywords['properties']) : []
  const required = new Set(Array.isArray(keywords['required']) ? keywords['required'].map(String) : [])
  const properties = declared.map(([name, schema]) => ({ name, schema }))
  const names = new Set(declared.map(([name]) => name))
  const undeclared = [...required].filter((name) => !names.has(name)).map((name) => ({ name, schema: true }))
  return {
    required: [...properties.filter(({ name }) => required.has(name)), ...undeclared],
    optional: properties.filter(({ name }) => !required.has(name)),
  }
}
