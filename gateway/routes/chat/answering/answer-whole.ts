import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonObject } from '../../../../catalog/json.ts'
import { httpErrorOf, turnError } from '../../../http/http-error.ts'
import { completionOf } from './chat-chunks.ts'
import type { ChatAnswer } from './chat-answer.ts'
import { cancelledTurn, newAnswerHead, shownEvent, waitingField } from './chat-answer.ts'
import type { WaitingHead } from './waiting-head.ts'
import { createWaitingHead } from './waiting-head.ts'

/**
 * Drains the turn into one `chat.completion`. Where a call of it waits for a person, the head goes out after a while and
 * says so; an error after that is the body of a 200, as it is a frame of a stream.
 */
export async function answerWhole(
  answer: ChatAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const head = createWaitingHead(reply, answer)
  const events: JsonObject[] = []
  try {
    return head.send(await drain(answer, head, events))
  } catch (error) {
    // Client libraries ask again by themselves after most errors, and calls would be made twice.
    if (events.length > 0 && !head.isOut) reply.header('x-should-retry', 'false')
    if (!head.isOut) throw error
    const known = httpErrorOf(error, request.id)
    if (known.code === 'internal_error') request.log.error({ err: error }, 'answer broken off by a defect')
    return head.send(known.body)
  } finally {
    head.close()
  }
}

/** What becomes known of calls goes into `events`, also where the turn then fails. */
async function drain(answer: ChatAnswer, head: WaitingHead, events: JsonObject[]): Promise<object> {
  let text = ''
  for await (const event of answer.events) {
    switch (event.kind) {
      case 'text':
        text += event.text
        break
      case 'call-waiting':
        head.announce(event.pending)
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
        return completionOf(newAnswerHead(answer), { text, ...event, ...shown, ...waiting })
      }
    }
  }
  throw cancelledTurn()
}
