import { HttpError } from './http-error.ts'

/**
 * Levels of lists and objects in a request body. Far beyond any honest body; what reads, prints or redacts JSON later
 * recurses a few frames a level, and a body of 200 KB can nest deep enough to exhaust the stack.
 */
const BODY_MAX_DEPTH = 200

/** @throws {HttpError} 400 for a body that nests deeper than anything behind the routes has to bear */
export function refuseDeepBody(body: unknown): void {
  let level: readonly unknown[] = [body]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > BODY_MAX_DEPTH) {
      throw new HttpError('invalid_request', `the body nests lists and objects more than ${BODY_MAX_DEPTH} levels deep`)
    }
    // Level by level, since recursion is what is guarded against.
    level = level.flatMap((value) => (isNested(value) ? Object.values(value).filter(isNested) : []))
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
