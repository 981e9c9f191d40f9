import type { FastifyReply } from 'fastify'
import type { AskedRoute } from './no-route.ts'

/**
 * Where clients of MCP look for a login when they have no token, or a wrong one (RFC 7591 and 6749, at the addresses that go
 * without metadata). They show the words of an OAuth error to their person, and any other answer as one that cannot be read.
 */
export function isOAuth({ method, url }: AskedRoute): boolean {
  return method === 'POST' && PLACES.has(url.split('?', 1)[0] ?? '')
}

export function answerNoOAuth(reply: FastifyReply): void {
  reply.code(404).header('cache-control', 'no-store').send({ error: 'invalid_request', error_description: NO_LOGIN })
}

const PLACES = new Set(['/register', '/token'])
const NO_LOGIN =
  'there is no login here: give the client a token, as the header "Authorization: Bearer <token>"; ' +
  '"drawbridge tokens show" prints one'
