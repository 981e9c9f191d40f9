import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import { takeOverReply } from './take-over-reply.ts'

/** Server-sent events on one reply. Each `send` waits for a slow reader; after the reader has left it does nothing. */
export interface EventStream {
  send(data: string): Promise<void>
  /** A line that readers of events skip, and proxies see. */
  comment(text: string): void
  end(): void
}

/**
 * Takes the reply over from Fastify and sends the head. @fastify/sse is not used here: its send waits for `drain` only,
 * so a reader that leaves while it is slow would leave the turn waiting for ever.
 */
export function openEventStream(reply: FastifyReply, options: { readonly heartbeatMs: number }): EventStream {
  const { raw } = reply
  takeOverReply(reply, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    // Nginx would hold the stream back.
    'x-accel-buffering': 'no',
  })
  const beat = setInterval(() => {
    if (!raw.writableNeedDrain && !raw.writableEnded && !raw.destroyed) raw.write(': heartbeat\n\n')
  }, options.heartbeatMs)
  beat.unref()
  raw.once('close', () => clearInterval(beat))
  return {
    async send(data) {
      if (raw.destroyed || raw.writableEnded) return
      beat.refresh()
      joinWrites(raw)
      if (!raw.write(`data: ${data}\n\n`)) await drainedOrClosed(raw)
    },
    comment(text) {
      if (!raw.writableNeedDrain && !raw.writableEnded && !raw.destroyed)
        raw.write(`: ${text.replaceAll(/[\r\n]/g, ' ')}\n\n`)
    },
    end() {
      clearInterval(beat)
      if (!raw.destroyed) raw.end()
    },
  }
}

/** What is sent within one turn of the event loop goes out in one packet; the first byte waits for no timer. */
function joinWrites(raw: FastifyReply['raw']): void {
  if (raw.writableCorked > 0) return
  raw.cork()
  setImmediate(() => raw.uncork())
}

async function drainedOrClosed(raw: FastifyReply['raw']): Promise<void> {
  const settled = new AbortController()
  try {
    await Promise.race([once(raw, 'drain', { signal: settled.signal }), once(raw, 'close', { signal: settled.signal })])
  } finally {
    settled.abort()
  }
}
