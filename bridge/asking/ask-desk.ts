import { hashJson } from '../../catalog/json.ts'
import type { ToolAnswer } from '../../catalog/question.ts'
import type { ApprovalDesk, SettledApproval } from '../approval.ts'
import { APPROVAL_DESCRIPTION_MAX_LENGTH, QUESTION_TITLE_MAX_LENGTH } from '../limits.ts'
import { pendingOf } from '../approving/ask-approval.ts'
import type { AskedCall } from './asked-call.ts'
import { plainLine, plainText } from './plain-text.ts'
import type { AllowedSample, SampleWriter } from './sample-writer.ts'
import type { ScreenedQuestion } from './screen-question.ts'
import { showQuestion } from './show-question.ts'

export interface AskDeskDeps {
  readonly desk: ApprovalDesk
  readonly writer: SampleWriter
  readonly redact: (text: string) => string
}

export interface DeskQuestion extends AskedCall {
  readonly question: ScreenedQuestion
}

/** Puts a question before whoever decides the caller's approvals, and waits for as long as an approval that is held. */
export async function askDesk(asked: DeskQuestion, deps: AskDeskDeps, signal: AbortSignal): Promise<ToolAnswer> {
  const { callId, number, caller, tool } = asked
  const shown = showQuestion(asked, deps)
  if (shown.kind === 'unaskable') return { action: 'decline', reason: shown.reason }
  const { desk } = deps
  const opened = await desk.open({
    // Asked the same again, a person may answer otherwise.
    callId: `${callId}:question-${number}`,
    caller,
    tool,
    input: shown.input,
    inputHash: hashJson(shown.input),
    title: plainLine(`${tool.name} of ${tool.owner} asks`, QUESTION_TITLE_MAX_LENGTH),
    description: plainText(shown.description, APPROVAL_DESCRIPTION_MAX_LENGTH),
    severity: 'warning',
    allowedDecisions: ['allow-once', 'deny'],
    cause: { by: 'hook', where: `question of ${tool.source}:${tool.owner}`, reason: 'the tool asks while it runs' },
    question: shown.question,
  })
  if (opened.state === 'no-room') return { action: 'decline', reason: opened.reason }
  const done = asked.askClient?.waits(pendingOf(opened))
  try {
    return await answerOf(await settle(opened, { desk, signal }), asked, { deps, signal })
  } finally {
    done?.()
  }
}

async function settle(
  opened: SettledApproval,
  { desk, signal }: { readonly desk: ApprovalDesk; readonly signal: AbortSignal },
): Promise<SettledApproval> {
  if (opened.state !== 'pending') return opened
  try {
    return await desk.settled(opened.tenant, opened.id, signal)
  } catch (error) {
    await desk.cancel(opened.tenant, [opened.id], 'the tool no longer waits for an answer')
    throw error
  }
}

interface Answering {
  readonly deps: AskDeskDeps
  readonly signal: AbortSignal
}

async function answerOf(
  { state, answer, id }: SettledApproval,
  asked: DeskQuestion,
  { deps, signal }: Answering,
): Promise<ToolAnswer> {
  switch (state) {
    case 'allowed-once':
    case 'allowed-always':
      if (asked.question.kind === 'sample')
        return written(asked, { sample: asked.question.sample, approval: id }, { deps, signal })
      if (asked.question.kind === 'url') return { action: 'accept', content: {} }
      // Whoever filled it in did so for a tool that was not there any more.
      return answer === undefined ? { action: 'cancel' } : { action: 'accept', content: answer }
    case 'denied':
      return { action: 'decline' }
    case 'pending':
    case 'expired':
    case 'cancelled':
      return { action: 'cancel' }
  }
}

async function written(
  { callId, caller, tool }: DeskQuestion,
  allowed: Pick<AllowedSample, 'sample' | 'approval'>,
  { deps, signal }: Answering,
): Promise<ToolAnswer> {
  const answer = await deps.writer.write({ ...allowed, callId, caller, tool }, signal)
  if (answer.kind !== 'written') return { action: 'decline', reason: answer.reason }
  const { text, model, stopReason } = answer
  return { action: 'accept', content: { role: 'assistant', content: { type: 'text', text }, model, stopReason } }
}
