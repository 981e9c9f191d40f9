import type { FastifyInstance } from 'fastify'
import { HttpError } from '../http/http-error.ts'

/**
 * Refuses a request that says twice where it goes to or who sends it (RFC 9112, 3.2). Node takes the first of two, a proxy in
 * front may have looked at the last: what one of them let in would then be something else here.
 */
export function requireSingleHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const name = twiceIn(request.raw.rawHeaders)
    done(name === undefined ? undefined : new HttpError('invalid_request', `the request has two ${name} headers`))
  })
}

const SINGLE: readonly string[] = ['host', 'authorization']
const LENGTHS: ReadonlySet<number | undefined> = new Set(SINGLE.map(({ length }) => length))

/** Names and values in turn. */
function twiceIn(headers: readonly string[]): string | undefined {
  const seen = new Set<string>()
  for (let at = 0; at < headers.length; at += 2) {
    // Nearly all others are told apart by that.
    if (!LENGTHS.has(headers[at]?.length)) continue
    const name = headers[at]?.toLowerCase() ?? ''
    if (!SINGLE.includes(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}
