import type { FastifyReply, FastifyRequest } from 'fastify'
import { REFUSED_BODY_MAX_BYTES } from './limits.ts'

/**
 * Fastify closes the connection with its answer to a body that it does not read: who is still sending is cut off, and often sees
 * that alone in the place of the answer. Left open, the rest is read and thrown away, where it is known to end soon.
 */
export function letBodyArrive(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length']) <= REFUSED_BODY_MAX_BYTES) reply.removeHeader('connection')
}
