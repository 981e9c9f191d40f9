import type { JsonObject, JsonValue } from '../../../catalog/json.ts'

/** A value, the schemas that it must meet, and where it stands. */
export interface Spot<Value extends JsonValue = JsonValue> {
  readonly value: Value
  readonly parts: readonly JsonObject[]
  readonly path: string
  readonly depth: number
}

/** What one repair of arguments has in common. */
export interface Repair {
  /** The whole schema, for its references. */
  readonly root: JsonObject
  readonly note: (message: string) => void
  /** False once enough values were looked at; the rest stays as it is. */
  readonly nodesLeft: () => boolean
}
