import type { ToolAnswer, ToolQuestion } from '../../catalog/question.ts'
import type { AskDeskDeps } from './ask-desk.ts'
import { askDesk } from './ask-desk.ts'
import type { AskedCall } from './asked-call.ts'
import { screenQuestion } from './screen-question.ts'
import { inSpan } from '../trace.ts'

/** Where a tool's question goes while its call is under way; rejects with the signal's reason. */
export type AnswerQuestion = (call: AskedCall, question: ToolQuestion, signal: AbortSignal) => Promise<ToolAnswer>

/**
 * Asks the call's own client where that can be asked, else whoever decides the caller's approvals. No grant answers a
 * question, and no answer makes a grant.
 */
export function createAnswerQuestion(deps: AskDeskDeps): AnswerQuestion {
  return (call, question, signal) => {
    const attributes = { 'drawbridge.call.id': call.callId, 'drawbridge.question.kind': question.kind }
    return inSpan('ask_question', attributes, async (span) => {
      const answer = await answerScreened(call, { question, deps }, signal)
      span.setAttributes({ 'gen_ai.tool.name': call.tool.id, 'drawbridge.question.action': answer.action })
      return answer
    })
  }
}

async function answerScreened(
  call: AskedCall,
  { question, deps }: { readonly question: ToolQuestion; readonly deps: AskDeskDeps },
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const screened = screenQuestion(question, deps.redact)
  if (screened.kind === 'unaskable') return { action: 'decline', reason: screened.reason }
  const byClient = await call.askClient?.ask({ tool: call.tool, question: screened }, signal)
  return byClient ?? askDesk({ ...call, question: screened }, deps, signal)
}
