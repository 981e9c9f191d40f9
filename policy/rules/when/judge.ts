import type { JsonObject, JsonValue } from '../../../catalog/json.ts'

/** Whether a value is what a schema of a rule is about. */
export type Judge = (value: JsonValue) => WhenMatch

/** Whether arguments are what a rule is about; `undecided` where that would take too much work to find out. */
export type WhenMatch = 'yes' | 'no' | 'undecided'

/** Checks arguments against the JSON Schema of a rule. */
export type MatchWhen = (when: JsonObject, input: JsonObject) => WhenMatch

/** Makes judges of the parts of one rule's schema. */
export interface Judging {
  readonly judgeOf: (schema: JsonValue | undefined) => Judge
  /** Of a key; what another writing of the same key would pass is undecided. */
  readonly judgeKey: (schema: JsonValue | undefined) => Judge
  /** Asks the schema checker about keywords whose value is of the kind that they are for. */
  readonly checked: (keywords: JsonObject) => Judge
}
