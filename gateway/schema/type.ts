import type { JsonObject } from '../../catalog/json.ts'
import type { SchemaNode } from './schema-node.ts'

/** A schema, and for the compiler alone what fits it. */
export type Schema<Value = unknown> = SchemaNode & { readonly [FITTING]?: () => Value }
/** What fits a schema, with its defaults filled in. */
export type Static<S extends Schema> = S extends { readonly [FITTING]?: () => infer Value } ? Value : never

/** A field that may be left out. */
export interface OptionalField<S extends Schema = Schema> {
  readonly optional: S
}

export type Fields = Readonly<Record<string, Schema | OptionalField>>

declare const FITTING: unique symbol

type ValueOf<Field> = Field extends OptionalField<infer S> ? Static<S> : Field extends Schema ? Static<Field> : never
type Written<Shape> = { [Key in keyof Shape]: Shape[Key] }
type ObjectOf<F extends Fields> = Written<
  { [Key in keyof F as F[Key] extends OptionalField ? never : Key]: ValueOf<F[Key]> } & {
    [Key in keyof F as F[Key] extends OptionalField ? Key : never]?: ValueOf<F[Key]>
  }
>

/**
 * Makes the schemas of the configuration and of requests as TypeBox does, and gives their types. TypeBox itself is seven hundred files:
 * commands that read the configuration took twice as long for them.
 */
export const Type = {
  String: (options: SchemaNode = {}): Schema<string> => ({ type: 'string', ...options }),
  Integer: (options: SchemaNode = {}): Schema<number> => ({ type: 'integer', ...options }),
  Boolean: (options: SchemaNode = {}): Schema<boolean> => ({ type: 'boolean', ...options }),
  /** Any JSON. */
  Unknown: (): Schema => ({}),
  /** Any JSON object. */
  AnyObject: (): Schema<JsonObject> => ({ type: 'object' }),
  Enum: <const Word extends string>(words: readonly Word[], options: SchemaNode = {}): Schema<Word> => ({
    enum: words,
    ...options,
  }),
  Array: <S extends Schema>(items: S, options: SchemaNode = {}): Schema<Static<S>[]> => ({
    type: 'array',
    items,
    ...options,
  }),
  Union: <S extends Schema>(anyOf: readonly S[], options: SchemaNode = {}): Schema<Static<S>> => ({
    anyOf,
    ...options,
  }),
  Record: <S extends Schema>(
    key: Schema<string>,
    value: S,
    options: SchemaNode = {},
  ): Schema<Record<string, Static<S>>> => ({
    type: 'object',
    patternProperties: { [key.pattern ?? '^.*$']: value },
    ...options,
  }),
  Optional: <S extends Schema>(schema: S): OptionalField<S> => ({ optional: schema }),
  Object: <F extends Fields>(fields: F, options: SchemaNode = {}): Schema<ObjectOf<F>> => {
    const entries = Object.entries<Schema | OptionalField>(fields)
    const required = entries.flatMap(([name, field]) => ('optional' in field ? [] : [name]))
    const properties = entries.map(([name, field]) => [name, 'optional' in field ? field.optional : field])
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(properties),
      ...options,
    }
  },
} as const
