import type { JsonObject } from '../../catalog/json.ts'
import { HttpError } from '../http/http-error.ts'

/**
 * Refuses a body with a field that nobody reads: a slip in its name would do something else than was asked.
 * @throws {HttpError} 400
 */
export function checkFields(body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key))
  if (unknown === undefined) return
  const message = `unknown field ${JSON.stringify(unknown.slice(0, 100))}; there are ${known.join(', ')}`
  throw new HttpError('invalid_request', message, { param: unknown.slice(0, 100) })
}
