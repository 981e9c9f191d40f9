import type { FastifyInstance } from 'fastify'
import { HttpError } from '../http/http-error.ts'
import { isListedOrigin, originHeaders, preflightHeaders } from '../http/origin-headers.ts'

export interface PageOriginsDeps {
  /** Of the configuration in force. */
  readonly origins: () => readonly string[]
}

/**
 * Lets the scripts of listed web pages use `/v1` (CORS). Of any other page nothing is refused but its question beforehand: it cannot
 * send a token without asking, and clients that are no page may say an origin too. `/mcp` has a stricter guard of its own.
 */
export function registerPageOrigins(app: FastifyInstance, { origins }: PageOriginsDeps): void {
  app.addHook('onRequest', ({ url, headers: { origin } }, reply, done) => {
    // Before a token is looked at, so that a page can read why it was not let in.
    if (origin !== undefined && OF_THE_API.test(url) && isListedOrigin(origin, origins()))
      reply.headers(originHeaders(origin))
    done()
  })
  app.options('/v1/*', async ({ headers }, reply) => {
    const { origin } = headers
    if (origin === undefined) return reply.callNotFound()
    if (isListedOrigin(origin, origins())) return reply.code(204).headers(preflightHeaders(headers)).send()
    const named = JSON.stringify(origin.slice(0, 200))
    throw new HttpError('forbidden', `origin ${named} may not ask here; "gateway.cors.origins" lists who may`)
  })
}

const OF_THE_API = /^\/+v1(?:\/|$)/
