import type { FastifyReply } from 'fastify'
import type { JsonObject } from '../../../catalog/json.ts'
import { turnError } from '../http-error.ts'
import { completionOf } from './chat-chunks.ts'
import type { ChatAnswer } from './chat-answer.ts'
import { cancelledTurn, newAnswerHead, shownEvent, waitLinks, waitingField } from './chat-answer.ts'

/** Drains the turn into one `chat.completion`. */
export async function answerWhole(answer: ChatAnswer, reply: FastifyReply): Promise<FastifyReply> {
  let text = ''
  const events: JsonObject[] = []
  for await (const event of answer.events) {
    switch (event.kind) {
      case 'text':
        text += event.text
        break
      case 'call-waiting':
        announceWait(reply, waitLinks(event.pending))
        events.push(shownEvent(event))
        break
      case 'call-started':
      case 'call-settled':
        events.push(shownEvent(event))
        break
      case 'failed':
        throw turnError(event.failure)
      case 'finished': {
        const shown = answer.showsCalls ? { events } : {}
        const { pending } = event
        const waiting = pending && { waiting: waitingField(answer.turnId, pending) }
        return reply.send(completionOf(newAnswerHead(answer), { text, ...event, ...shown, ...waiting }))
      }
    }
  }
  throw cancelledTurn()
}

/** Nothing of a whole answer can be sent before its end; an interim response says what keeps it. */
function announceWait({ raw }: FastifyReply, link: string): void {
  if (link !== '' && !raw.headersSent && !raw.destroyed) raw.writeEarlyHints({ link, 'x-drawbridge-wait': 'approval' })
}
