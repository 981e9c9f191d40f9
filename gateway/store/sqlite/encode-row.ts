import { StoreError } from '../errors.ts'
import { ROW_BYTES } from '../limits.ts'

/** A value as the JSON of one row. @throws {StoreError} `row-too-large` */
export function encodeRow(value: unknown): string {
  return boundedRow(JSON.stringify(value))
}

/** @throws {StoreError} `row-too-large` */
export function boundedRow(text: string): string {
  if (text.length <= ROW_BYTES) return text
  throw new StoreError('row-too-large', `a row of ${text.length} characters was refused; at most ${ROW_BYTES} are kept`)
}
