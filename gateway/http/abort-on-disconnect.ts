import type { FastifyReply, FastifyRequest } from 'fastify'
import { CallerLeft } from '../../bridge/parking/caller-left.ts'

/** Aborted when the client goes away before its answer was sent: nobody is left to do the work for. */
export function abortOnDisconnect(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  onDisconnect(request, reply, () => leaving.abort(new CallerLeft('the client went away')))
  return leaving.signal
}

/** Told once, when the client goes away before its answer was sent. */
export function onDisconnect(request: FastifyRequest, reply: FastifyReply, tell: () => void): void {
  const onClose = (): void => {
    if (!reply.raw.writableFinished) tell()
  }
  reply.raw.once('close', onClose)
  // The socket may have closed between the request and this line.
  if (request.raw.socket.destroyed) onClose()
}
