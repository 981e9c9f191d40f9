import type { ElicitInputParams, InputRequest } from '@modelcontextprotocol/server'
import { inputRequired } from '@modelcontextprotocol/server'
import type { Approval, ApprovalDecision } from '../../../bridge/approval.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Decision } from '../../approvals/decision.ts'
import { DECISIONS } from '../../approvals/decision.ts'

/** The question about each approval, by its id. */
export function approvalRequests(approvals: readonly Approval[]): Readonly<Record<string, InputRequest>> {
  return Object.fromEntries(
    approvals.map((approval) => [approval.id, inputRequired.elicit(questionOf(approval))] as const),
  )
}

function questionOf({ title, description, toolId, severity, allowedDecisions }: Approval): ElicitInputParams {
  const weight = severity === 'critical' ? 'This may do harm. ' : ''
  const always = allowedDecisions.includes('allow-always') ? ALWAYS : ''
  return {
    message: `${weight}${title}\n${description}\n(tool ${toolId})${always}`,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'Decision', enum: [...allowedDecisions] },
        reason: { type: 'string', title: 'Reason', maxLength: 500 },
      },
      required: ['decision'],
    },
  }
}

/** A form has no place for what narrows it. */
const ALWAYS =
  '\n"allow-always" allows every later call of this tool by this agent that the same asks about, whatever its arguments.'

/** What the client's person said. */
export interface Said {
  readonly decisions: readonly Decision[]
  /** Approvals whose question was put aside without an answer. */
  readonly putAside: readonly string[]
}

/** Answers come from the client: only ids that it could know and words that we gave count. */
export function readAnswers(
  responses: Readonly<Record<string, unknown>> | undefined,
  redact: (text: string) => string,
): Said {
  const decisions: Decision[] = []
  const putAside: string[] = []
  for (const [id, response] of Object.entries(responses ?? {})) {
    if (!isJsonObject(response)) continue
    const decision = decisionOf(response)
    if (decision === undefined) putAside.push(id)
    else decisions.push({ id, decision, ...reasonOf(response['content'], redact) })
  }
  return { decisions, putAside }
}

function decisionOf(response: Readonly<Record<string, unknown>>): ApprovalDecision | undefined {
  if (response['action'] === 'decline') return 'deny'
  const content = response['action'] === 'accept' ? response['content'] : undefined
  const said = isJsonObject(content) ? content['decision'] : undefined
  return DECISIONS.find((decision) => decision === said)
}

function reasonOf(content: unknown, redact: (text: string) => string): { readonly reason?: string } {
  const reason = isJsonObject(content) ? content['reason'] : undefined
  // Cut off after that: of half a secret nobody sees that it is one.
  return typeof reason === 'string' && reason !== '' ? { reason: redact(reason).slice(0, 500).toWellFormed() } : {}
}
