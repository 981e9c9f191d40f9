import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HEADERS_ALONE_MS } from '../limits.ts'
import { withPlainLineEndsIn } from '../../../catalog/line-ends.ts'
import type { AnswerStream } from './session-posts.ts'

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

/** Sends an answer that is a JSON text already. */
export function sendJson(json: string, reply: FastifyReply): void {
  const { raw } = reply
  reply.hijack()
  raw.on('error', ignore)
  if (raw.destroyed) return
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }
  raw.writeHead(200, { ...ownHeaders(reply), ...headers })
  raw.end(json)
}

/** An event stream that is written by hand. */
export function answerStreamOf(reply: FastifyReply): AnswerStream {
  const { raw } = reply
  reply.hijack()
  raw.on('error', ignore)
  return {
    begin(headers) {
      if (!raw.destroyed) raw.writeHead(200, { ...ownHeaders(reply), ...ofAnswer(Object.entries(headers)) })
    },
    flush: () => raw.flushHeaders(),
    write: (text) => void (raw.destroyed || raw.write(text)),
    end: (text) => void raw.end(text),
    isClosed: () => raw.destroyed || raw.writableEnded,
  }
}

/** Sends an answer as it comes, no faster than its reader takes it. Resolves when it was sent, or its reader has gone. */
export async function sendWebResponse(response: Response, reply: FastifyReply): Promise<void> {
  const { raw } = reply
  reply.hijack()
  // Who has gone is written to no more; what was on its way then is an error that concerns nobody.
  raw.on('error', ignore)
  // As a text it goes out in one piece with its headers.
  const body = isStream(response) ? response.body : await response.text()
  if (raw.destroyed) {
    if (body instanceof ReadableStream) await body.cancel().catch(ignore)
    return
  }
  const headers = { ...ownHeaders(reply), ...ofAnswer(response.headers) }
  if (body instanceof ReadableStream) {
    raw.writeHead(response.status, headers)
    // A stream may be silent for long, and its client has to see that it stands; an answer that is soon there goes with it.
    const flushing = setTimeout(() => raw.flushHeaders(), HEADERS_ALONE_MS)
    await pipe(body, raw).finally(() => clearTimeout(flushing))
    return
  }
  raw.writeHead(response.status, { ...headers, 'content-length': Buffer.byteLength(body ?? '') })
  raw.end(body)
}

/** What hooks have set: the request's id, and what a browser wants to be told. */
function ownHeaders(reply: FastifyReply): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

/** Without what is of the connection: whether that stays is for Node to say, since a client may have asked for its end. */
function ofAnswer(headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => name !== 'connection'))
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

async function pipe(body: ReadableStream<Uint8Array>, raw: ServerResponse): Promise<void> {
  const reader = body.getReader()
  const gone = new Promise<void>((resolve) => {
    raw.once('close', resolve)
  })
  void gone.then(() => reader.cancel()).catch(ignore)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || raw.destroyed) return
      // With what follows at once: most streams end with their first message.
      raw.cork()
      setImmediate(() => raw.uncork())
      if (!raw.write(withPlainLineEndsIn(value))) await Promise.race([drained(raw), gone])
    }
  } catch {
    // The stream was cut at its source; its client sees the end.
  } finally {
    if (!raw.destroyed) raw.end()
  }
}

function drained(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    raw.once('drain', resolve)
  })
}

/** Whoever it concerned has gone. */
function ignore(): void {}
