import type { FastifyInstance } from 'fastify'

export type ListenErrorCode = 'address-in-use' | 'address-unusable'

/** The gateway could not listen where it was told to; the message says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code: ListenErrorCode
  constructor(code: ListenErrorCode, message: string, options: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Listens, and says at which URL. Rejects with `ListenError`. */
export async function serveAddress(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
    if (code === 'EADDRINUSE') {
      const message = `port ${port} on ${host} is in use; stop what listens there, or start with --port (0 takes a free one)`
      throw new ListenError('address-in-use', message, { cause: error })
    }
    const reason = error instanceof Error ? error.message : String(error)
    const message = `cannot listen on ${host} port ${port}: ${reason}; ${wayOut(code)}`
    throw new ListenError('address-unusable', message, { cause: error })
  }
  const bound = app.server.address()
  const boundPort = bound === null || typeof bound === 'string' ? port : bound.port
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${shownHost.includes(':') ? `[${shownHost}]` : shownHost}:${boundPort}`
}

function wayOut(code: unknown): string {
  if (code === 'EACCES') return "ports below 1024 are the administrator's, start with another --port"
  return 'start with a --host that is an address of this machine, such as 127.0.0.1'
}
