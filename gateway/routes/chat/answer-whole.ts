import type { FastifyReply } from 'fastify'
import type { JsonObject } from '../../../catalog/json.ts'
import { turnError } from '../http-error.ts'
import { completionOf } from './chat-chunks.ts'
import type { ChatAnswer } from './chat-answer.ts'
import { cancelledTurn, newAnswerHead, shownEvent } from './chat-answer.ts'

/** Drains the turn into one `chat.completion`. */
export async function answerWhole(answer: ChatAnswer, reply: FastifyReply): Promise<FastifyReply> {
  let text = ''
  const events: JsonObject[] = []
  for await (const event of answer.events) {
    switch (event.kind) {
      case 'text':
        text += event.text
        break
      case 'call-started':
      case 'call-settled':
      case 'call-waiting':
        events.push(shownEvent(event))
        break
      case 'failed':
        throw turnError(event.failure)
      case 'finished': {
        const shown = answer.showsCalls ? { events } : {}
        return reply.send(completionOf(newAnswerHead(answer), { text, ...event, ...shown }))
      }
    }
  }
  throw cancelledTurn()
}
