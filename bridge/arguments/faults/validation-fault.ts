import type { JsonObject } from '../../../catalog/json.ts'

/** One fault that a validator found, as ajv gives it. */
export interface ValidationFault {
  /** JSON pointer into the value, `` for the whole. */
  readonly instancePath: string
  readonly schemaPath: string
  readonly keyword: string
  readonly params: JsonObject
  readonly message: string
}
