import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The request as the SDK reads it: method and headers. The body was read and parsed before, and goes beside it; the SDK's
 * own adapter for Node would write it out again only to parse it once more.
 */
export function webRequestOf(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : (value ?? []).map((one) => [name, one]),
  )
  // Only the path counts: no address of ours is made of what a client calls us.
  return new Request(`http://localhost${request.url}`, { method: request.method, headers, signal })
}

/** Sends an answer as it comes, no faster than its reader takes it. Resolves when it was sent, or its reader has gone. */
export async function sendWebResponse(response: Response, reply: FastifyReply): Promise<void> {
  const { raw } = reply
  reply.hijack()
  const headers = { 'x-request-id': reply.request.id, ...Object.fromEntries(response.headers) }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!isStream || response.body === null) {
    const body = Buffer.from(await response.arrayBuffer())
    raw.writeHead(response.status, { ...headers, 'content-length': body.length })
    raw.end(body)
    return
  }
  raw.writeHead(response.status, headers)
  // A stream may be silent for long; its client has to see at once that it stands.
  raw.flushHeaders()
  await pipe(response.body, raw)
}

async function pipe(body: ReadableStream<Uint8Array>, raw: ServerResponse): Promise<void> {
  const reader = body.getReader()
  const gone = once(raw, 'close')
  void gone.then(() => reader.cancel()).catch(ignoreGone)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || raw.destroyed) return
      if (!raw.write(value)) await Promise.race([once(raw, 'drain'), gone])
    }
  } catch {
    // The stream was cut at its source; its client sees the end.
  } finally {
    raw.end()
  }
}

/** The stream had ended before its reader went. */
function ignoreGone(): void {}
