import type { JsonObject } from '../../json.ts'
import type { NormalKeywords } from '../keywords.ts'

/** Why a schema is not compiled. */
export interface SchemaProblem {
  readonly reason: string
  readonly keyword?: string
  /** Where, as a JSON pointer fragment: `#/properties/a`. */
  readonly path?: string
}

/** One subschema that the root reaches. */
export interface SchemaNode {
  readonly schema: JsonObject
  readonly path: string
  readonly keywords: NormalKeywords
  /** What `$ref` and its like point to. */
  readonly references: readonly (JsonObject | boolean)[]
  readonly children: readonly SchemaEdge[]
}

export interface SchemaEdge {
  readonly keyword: string
  readonly schema: JsonObject
  readonly path: string
}

export type SchemaNodes = ReadonlyMap<JsonObject, SchemaNode>
