import type {
  AuthInfo,
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { HEADERS_ALONE_MS, KEEP_ALIVE_MS } from '../limits.ts'
import { withPlainLineEnds } from '../../../catalog/line-ends.ts'

/** Where the answer of one call goes, as an event stream. */
export interface AnswerStream {
  /** Status and headers, which go out with what follows or by `flush`. */
  begin(headers: Readonly<Record<string, string>>): void
  flush(): void
  write(text: string): void
  end(text: string): void
  isClosed(): boolean
}

/** Calls of a session past the SDK's transport; its protocol object answers them like any other. */
export interface SessionPosts {
  /** Gives the call to the session; what comes of it goes to the stream. */
  give(call: JSONRPCRequest, authInfo: AuthInfo, stream: AnswerStream): void
  /** Whether a call of this id is under way here. */
  has(id: RequestId): boolean
  /** Ends the stream of a call that will have no answer; false where none of this id is under way. */
  drop(id: RequestId): boolean
  /** Ends the streams that are open. Safe to call twice. */
  close(): void
}

interface Open {
  readonly stream: AnswerStream
  end(text: string): void
}

/**
 * For each message the SDK's transport takes a request of the web's kind, makes a response of that kind, a stream and an
 * encoder, and parses the message once more. A plain call has none of that to tell: what its protocol object sends about it, an
 * answer, progress, a question, is written as the transport writes it.
 */
export function createSessionPosts(transport: WebStandardStreamableHTTPServerTransport): SessionPosts {
  const open = new Map<RequestId, Open>()
  const send = transport.send.bind(transport)
  const own: Pick<typeof transport, 'send'> = {
    async send(message, options) {
      const isAnswer = !('method' in message)
      const id = isAnswer ? message.id : options?.relatedRequestId
      const post = id === undefined ? undefined : open.get(id)
      if (id === undefined || post === undefined) return send(message, options)
      if (!isAnswer) return post.stream.write(eventOf(message))
      open.delete(id)
      post.end(eventOf(message))
    },
  }
  Object.assign(transport, own)
  return {
    has: (id) => open.has(id),
    give(call, authInfo, stream) {
      stream.begin(headersOf(transport.sessionId))
      let alive: NodeJS.Timeout | undefined
      const flushing = setTimeout(() => {
        stream.flush()
        alive = setInterval(() => {
          if (stream.isClosed()) clearInterval(alive)
          else stream.write(': keepalive\n\n')
        }, KEEP_ALIVE_MS)
      }, HEADERS_ALONE_MS)
      const end = (text: string): void => {
        clearTimeout(flushing)
        clearInterval(alive)
        if (!stream.isClosed()) stream.end(text)
      }
      open.set(call.id, { stream, end })
      transport.onmessage?.(call, { authInfo })
    },
    drop(id) {
      open.get(id)?.end('')
      return open.delete(id)
    },
    close() {
      for (const post of open.values()) post.end('')
      open.clear()
    },
  }
}

function eventOf(message: JSONRPCMessage): string {
  return `event: message\ndata: ${withPlainLineEnds(JSON.stringify(message))}\n\n`
}

/** In the order in which the web's kind of headers gives them. */
function headersOf(sessionId: string | undefined): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-cache, no-transform',
    connection: 'keep-alive',
    'content-type': 'text/event-stream',
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
    'x-accel-buffering': 'no',
  }
}
