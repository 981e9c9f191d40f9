import type { FastifyReply } from 'fastify'
import type { Pending } from '../../../../bridge/approval.ts'
import type { ChatAnswer } from './chat-answer.ts'
import { waitLinks } from './chat-answer.ts'
import { takeOverReply } from './take-over-reply.ts'

/** The head of a whole answer, which need not wait for its body. */
export interface WaitingHead {
  /** A call waits for a person: the answer says so in its head, which goes out early where that takes long. */
  announce(pending: readonly Pending[]): void
  readonly isOut: boolean
  send(body: object): FastifyReply
  /** Safe to call twice. */
  close(): void
}

/**
 * Until the delay is over an answer still has its own status. Then the head is sent with `x-drawbridge-wait: approval` and
 * a link to what is waited for, and white space follows, which JSON allows before a value: proxies see that somebody is
 * there. Interim responses (103) are not used: some clients take them for the answer.
 */
export function createWaitingHead(
  reply: FastifyReply,
  { headDelayMs, heartbeatMs }: Pick<ChatAnswer, 'headDelayMs' | 'heartbeatMs'>,
): WaitingHead {
  const { raw } = reply
  let delay: NodeJS.Timeout | undefined
  let beat: NodeJS.Timeout | undefined
  let isOut = false
  const open = (): void => {
    if (isOut || raw.headersSent || raw.destroyed) return
    isOut = true
    takeOverReply(reply, { 'content-type': 'application/json; charset=utf-8', 'x-accel-buffering': 'no' })
    beat = setInterval(() => {
      if (!raw.writableNeedDrain && !raw.writableEnded && !raw.destroyed) raw.write(' ')
    }, heartbeatMs)
  }
  return {
    announce(pending) {
      if (isOut) return
      reply.header('x-drawbridge-wait', 'approval')
      const link = waitLinks(pending)
      if (link !== '') reply.header('link', link)
      delay ??= setTimeout(open, headDelayMs)
    },
    get isOut() {
      return isOut
    },
    send(body) {
      clearTimeout(delay)
      if (!isOut) return reply.send(body)
      clearInterval(beat)
      raw.end(JSON.stringify(body))
      return reply
    },
    close() {
      clearTimeout(delay)
      clearInterval(beat)
    },
  }
}
