import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TurnEvent } from '../../../turn/turn.ts'
import { httpErrorOf, turnError } from '../../../http/http-error.ts'
import type { AnswerHead } from './chat-chunks.ts'
import { callChunks, deltaChunk, eventChunk, usageChunk, waitingChunk } from './chat-chunks.ts'
import type { ChatAnswer } from './chat-answer.ts'
import { cancelledTurn, newAnswerHead, shownEvent, waitLinks, waitingField } from './chat-answer.ts'
import type { EventStream } from './event-stream.ts'
import { openEventStream } from './event-stream.ts'

/**
 * Streams the turn as `chat.completion.chunk`s. The head waits for the first event, so that a turn that fails at once is
 * answered with its own status; later an error is a frame of the stream, which then ends without `[DONE]`.
 */
export async function answerStream(
  answer: ChatAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const first = answer.events.next()
  const early = await withinDelay(first, answer.headDelayMs)
  if (early?.done !== true && early?.value.kind === 'failed') {
    await answer.events.return(undefined)
    throw turnError(early.value.failure)
  }
  if (early?.done === true) throw cancelledTurn()
  const stream = openEventStream(reply, { heartbeatMs: answer.heartbeatMs })
  try {
    await pump(answer, first, stream)
  } catch (error) {
    const known = httpErrorOf(error, request.id)
    if (known.code === 'internal_error') request.log.error({ err: error }, 'stream broken off by a defect')
    await stream.send(JSON.stringify(known.body))
  } finally {
    stream.end()
    // Whatever the pump has left of it: who waits for the turn's end hears of it.
    await answer.events.return(undefined)
  }
  return reply
}

/** The value if it comes in time, else undefined; the promise goes on either way. */
async function withinDelay<T>(value: Promise<T>, delayMs: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), delayMs)
  try {
    return await Promise.race([value, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function pump(
  answer: ChatAnswer,
  first: Promise<IteratorResult<TurnEvent, void>>,
  stream: EventStream,
): Promise<void> {
  const head = newAnswerHead(answer)
  await sendAll(stream, [deltaChunk(head, { role: 'assistant', content: '' })])
  for (let next = await first; next.done !== true; next = await answer.events.next()) {
    if (next.value.kind === 'failed') throw turnError(next.value.failure)
    if (next.value.kind === 'call-waiting') stream.comment(`waiting ${waitLinks(next.value.pending)}`)
    await sendAll(stream, chunksOf(next.value, head, answer))
    if (next.value.kind === 'finished') return stream.send('[DONE]')
  }
  throw cancelledTurn()
}

async function sendAll(stream: EventStream, chunks: readonly object[]): Promise<void> {
  for (const chunk of chunks) await stream.send(JSON.stringify(chunk))
}

function chunksOf(
  event: Exclude<TurnEvent, { readonly kind: 'failed' }>,
  head: AnswerHead,
  { chat, turnId, showsCalls }: ChatAnswer,
): readonly object[] {
  if (event.kind === 'text') return [deltaChunk(head, { content: event.text })]
  if (event.kind !== 'finished') return showsCalls ? [eventChunk(head, shownEvent(event))] : []
  const usage = chat.includeUsage && event.usage ? [usageChunk(head, event.usage)] : []
  const { pending } = event
  const last =
    pending === undefined
      ? deltaChunk(head, {}, event.end)
      : waitingChunk(head, event.end, waitingField(turnId, pending))
  return [...callChunks(head, event.calls), last, ...usage]
}
