import type { JsonObject, JsonValue } from '../json.ts'
import type { Resource } from '../schema/references.ts'
import type { Detail } from './limits.ts'
import type { SchemaReading } from './schema-reading.ts'
import type { TypeNames } from './type-names.ts'
import type { TypeText } from './type-text.ts'

/** Where a subschema stands while it is printed. */
export interface Place {
  readonly base: Resource
  readonly depth: number
  readonly indent: string
}

/** One attempt to print the types of a schema document, at one level of detail. */
export interface Printing extends SchemaReading {
  readonly detail: Detail
  readonly names: TypeNames
  /** What a reference to the whole document is called. */
  readonly rootName: string
  /** Referenced schemas in the order in which they were met, by name; printed after the type itself. */
  readonly definitions: Map<string, { readonly schema: JsonObject; readonly base: Resource }>
  /** Counts what is written. Past the room everything becomes `unknown`, because the attempt will be thrown away. */
  written(text: string): string
  isFull(): boolean
  type(schema: JsonValue, place: Place): TypeText
}

/** A place inside another. */
export function inner(place: Place, base: Resource): Place {
  return { base, depth: place.depth + 1, indent: `${place.indent}  ` }
}
