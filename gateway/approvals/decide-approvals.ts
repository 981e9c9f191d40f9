import type { Approval } from '../../bridge/approval.ts'
import type { FilledForm } from '../../bridge/asking/fill-form.ts'
import type { ApprovalEnding, ApprovalRow, ApprovalStore, EndedApproval } from '../store/approval-store.ts'
import type { Decided, Decider, Decision } from './decision.ts'
import { endingBy, stateOf } from './decision.ts'
import { endApproval } from './end-approval.ts'
import type { GivenAnswers } from './answers/given-answers.ts'
import { judgeAnswer } from './answers/judge-answer.ts'
import type { NoticesOf } from './webhooks/webhook-notices.ts'

export interface DecideDeps {
  readonly store: Pick<ApprovalStore, 'get' | 'end'>
  /** This gateway, as its approvals name it. */
  readonly holder: string
  readonly answers: Pick<GivenAnswers, 'put' | 'sealed'>
  readonly noticesOf: NoticesOf
  /** Ends what is over. */
  readonly expire: () => Promise<void>
  /** Once they are kept, and their answers where the tool can take them. */
  readonly onEnded: (ended: readonly (EndedApproval | undefined)[]) => void
  readonly now: () => number
}

/** Answers to approvals, all kept in one step; each gets its own result, in their order. */
export async function decideApprovals(
  decisions: readonly Decision[],
  by: Decider,
  deps: DecideDeps,
): Promise<readonly Decided[]> {
  const atMs = deps.now()
  const asked = await Promise.all(decisions.map((decision) => readAsked(decision, by, deps.store)))
  // Its time is over, and the timer late: after a start, or on a machine that slept.
  if (asked.some(({ row }) => row?.approval.state === 'pending' && row.approval.expiresMs <= atMs)) {
    await deps.expire()
    return decideApprovals(decisions, by, deps)
  }
  const open = asked.flatMap((each) => endingOf(each, { by: by.by, atMs }, deps))
  const ended = open.length === 0 ? [] : await deps.store.end(open)
  const results = new Map(ended.flatMap((each) => (each ? [[each.approval.id, each] as const] : [])))
  for (const { decision, filled } of asked) {
    const result = results.get(decision.id)
    if (result?.kind === 'ended' && filled?.kind === 'filled' && isFormOf(result.approval))
      deps.answers.put(result.approval, filled.content)
  }
  deps.onEnded(ended)
  return asked.map((each) => decidedOf(each, results.get(each.decision.id)))
}

interface Asked {
  readonly decision: Decision
  readonly row: ApprovalRow | undefined
  readonly filled: FilledForm | undefined
}

/** Another tenant's, and another agent's than one may see, are not there. */
async function readAsked(
  decision: Decision,
  { tenant, agents }: Decider,
  store: Pick<ApprovalStore, 'get'>,
): Promise<Asked> {
  const row = await store.get(tenant, decision.id)
  const isSeen = row !== undefined && (agents === undefined || agents.includes(row.approval.agent))
  if (!isSeen) return { decision, row: undefined, filled: undefined }
  return { decision, row, filled: judgeAnswer(row.approval, decision) }
}

/** Where the tool waits in another gateway the answer goes there with the row, sealed, until that has taken it. */
function endingOf(
  { decision, row, filled }: Asked,
  how: Parameters<typeof endingBy>[2],
  { holder, answers, noticesOf }: DecideDeps,
): readonly ApprovalEnding[] {
  if (!isOpen(row, decision) || filled?.kind !== 'filled') return []
  const ending = endApproval(row.approval, endingBy(row.approval, decision, how), noticesOf)
  const isElsewhere = !row.isParked && row.holder !== undefined && row.holder.by !== holder
  if (!isElsewhere || !isFormOf(ending.approval)) return [ending]
  return [{ ...ending, answer: answers.sealed(ending.approval, filled.content) }]
}

function isOpen(row: ApprovalRow | undefined, { decision }: Decision): row is ApprovalRow {
  return row?.approval.state === 'pending' && row.approval.allowedDecisions.includes(decision)
}

function isFormOf({ question, state }: Approval): boolean {
  return question?.kind === 'form' && state !== 'denied'
}

function decidedOf({ decision, row, filled }: Asked, ended: EndedApproval | undefined): Decided {
  if (row === undefined) return { kind: 'absent', id: decision.id }
  if (isOpen(row, decision) && filled?.kind === 'problem')
    return { kind: 'bad-answer', approval: row.approval, message: filled.message }
  if (ended?.kind === 'ended') return { kind: 'decided', approval: ended.approval }
  const approval = ended?.approval ?? row.approval
  if (approval.state === 'pending') return { kind: 'not-allowed', approval }
  return { kind: approval.state === stateOf(decision.decision) ? 'repeated' : 'conflict', approval }
}
