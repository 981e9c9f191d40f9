import { Type } from '../../sdk.ts'
import type { ToolAnnotations } from '../../sdk.ts'

/** Page of a search: large enough for a question, small enough for a context window. */
const LIMIT_DEFAULT = 10
const LIMIT_MAX = 50

export const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT, description: 'Most records to give back.' }),
)

export function firstOf<T>(records: readonly T[], limit = LIMIT_DEFAULT): readonly T[] {
  return records.slice(0, limit)
}

export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339 with zone: 2026-12-01T09:00:00Z.' })
export const Day = Type.String({ format: 'date', description: 'YYYY-MM-DD.' })

/** Everything here happens in this process's memory: `openWorldHint` is false throughout. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }
/** Adds something each time it is called. */
export const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}
/** Overwrites; the same call again changes nothing more. */
export const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
}
/** Loses something; the same call again fails. */
export const REMOVES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
}
