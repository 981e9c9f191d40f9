import { randomUUID } from 'node:crypto'
import { plainLine } from '../../../bridge/asking/plain-text.ts'
import type { CallContext } from '../answering/call-context.ts'
import { REFUSAL_MAX_LENGTH, QUESTION_MS } from '../limits.ts'
import type { ClientQuestions, PosedQuestion } from './client-questions.ts'
import { questionRequest } from './question-request.ts'

/**
 * Asks a client of an older revision by a request of our own, which belongs to the call that is being answered. Each by
 * itself: one that the client has an error for must not cost the call, nor the others.
 */
export async function askInSession(
  posed: PosedQuestion,
  { context, questions }: { readonly context: CallContext; readonly questions: ClientQuestions },
): Promise<void> {
  const { method, params } = questionRequest(posed)
  const isUrl = posed.question.kind === 'url'
  // Revision 2025-11-25 wants an id beside the address.
  const sent = { ...params, ...(isUrl && { elicitationId: randomUUID() }) }
  try {
    // A client that went away in the middle of its call will not answer: the session stays, the question does not.
    const gone = context.http?.req?.signal
    const signal = AbortSignal.any([posed.signal, context.mcpReq.signal, ...(gone ? [gone] : [])])
    questions.answer(posed.id, await context.mcpReq.send({ method, params: sent }, { signal, timeout: QUESTION_MS }))
  } catch (error) {
    questions.refuse(posed.id, plainLine(error instanceof Error ? error.message : String(error), REFUSAL_MAX_LENGTH))
  }
}
