/** The part of JSON Schema that the configuration and the bodies of chat requests are described in. */
export interface SchemaNode {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean'
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[] | undefined
  /** `false` refuses keys that are neither in `properties` nor matched by `patternProperties`. */
  readonly additionalProperties?: unknown
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly minItems?: number
  readonly maxItems?: number
  readonly anyOf?: readonly SchemaNode[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  /** What stands in a message instead of `pattern`. */
  readonly 'x-expected'?: string
  /**
   * `value`: a credential, which may be given as `{ file }` or `{ command }`. `fields`: a map whose values may be;
   * those whose key looks like a credential's name are.
   */
  readonly 'x-secret'?: 'value' | 'fields'
}
