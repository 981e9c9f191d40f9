import type { ErrorObject } from 'ajv'
import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { ERROR_LIST_MAX_LENGTH, ERROR_TEXT_MAX_LENGTH, ERRORS_MAX_COUNT } from './limits.ts'

/** One thing that is wrong with a value: plain JSON of bounded size. */
export interface SchemaError {
  /** JSON pointer into the value, `` for the whole. */
  readonly instancePath: string
  /** Pointer from the root, or from the last `$ref`; older forms of keywords are named as 2020-12 does. */
  readonly schemaPath: string
  /** The keyword that refused; `unsafe`, `work` or `schema` where no keyword of the schema did. */
  readonly keyword: string
  /** As ajv gives them: `{ missingProperty }`, `{ allowedValues }`, `{ limit, comparison }` and so on. */
  readonly params: JsonObject
  readonly message: string
}

export function schemaErrors(errors: readonly ErrorObject[]): readonly SchemaError[] {
  return errors.slice(0, ERRORS_MAX_COUNT).map((error) => ({
    instancePath: cutText(error.instancePath),
    schemaPath: cutText(error.schemaPath),
    keyword: error.keyword,
    params: plainParams(error.params),
    message: cutText(error.message ?? `must pass ${error.keyword}`),
  }))
}

export function schemaError(keyword: 'unsafe' | 'work' | 'schema', instancePath: string, message: string): SchemaError {
  return { instancePath: cutText(instancePath), schemaPath: '#', keyword, params: {}, message: cutText(message) }
}

function plainParams(params: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, plain(value, 0)]))
}

function plain(value: unknown, depth: number): JsonValue {
  if (typeof value === 'string') return cutText(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (depth >= 2) return '…'
  if (Array.isArray(value)) return value.slice(0, ERROR_LIST_MAX_LENGTH).map((entry) => plain(entry, depth + 1))
  if (!isJsonObject(value)) return null
  const entries = Object.entries(value).slice(0, ERROR_LIST_MAX_LENGTH)
  return Object.fromEntries(entries.map(([key, entry]) => [key, plain(entry, depth + 1)]))
}

function cutText(text: string): string {
  return text.length > ERROR_TEXT_MAX_LENGTH ? `${text.slice(0, ERROR_TEXT_MAX_LENGTH - 1)}…` : text
}
