import type { FastifyReply, FastifyRequest } from 'fastify'
import { CallerLeft } from '../../../bridge/parking/caller-left.ts'

/** Aborted when the client goes away before its answer was sent: nobody is left to do the work for. */
export function abortOnDisconnect(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  const onClose = (): void => {
    if (!reply.raw.writableFinished) leaving.abort(new CallerLeft('the client went away'))
  }
  reply.raw.once('close', onClose)
  // The socket may have closed between the request and this line.
  if (request.raw.socket.destroyed) onClose()
  return leaving.signal
}
