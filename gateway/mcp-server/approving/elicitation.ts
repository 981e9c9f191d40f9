import type {
  ClientCapabilities,
  ElicitInputParams,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server'
import { CLIENT_CAPABILITIES_META_KEY, inputRequired } from '@modelcontextprotocol/server'
import type { Approval, ApprovalDecision } from '../../../bridge/approval.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Decision } from '../../approvals/decision.ts'
import { DECISIONS } from '../../approvals/decision.ts'

/** Whether the client can put a form before its person. */
export function hasForms(context: ServerContext, initialized: ClientCapabilities | undefined): boolean {
  const { envelope } = context.mcpReq
  // Of the stateless revision each request says so itself.
  const stated: unknown = envelope === undefined ? initialized : Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY)
  const elicitation = isJsonObject(stated) ? stated['elicitation'] : undefined
  // Without a word on the form of it the form is what was meant.
  return isJsonObject(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined)
}

/** Asks the client's person about each; the call goes on by `state`. */
export function askClient(approvals: readonly Approval[], state: string): InputRequiredResult {
  const requests = approvals.map((approval) => [approval.id, inputRequired.elicit(questionOf(approval))] as const)
  return inputRequired({ inputRequests: Object.fromEntries(requests), requestState: state })
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
  /** The question was put aside without an answer. */
  readonly isPutAside: boolean
}

/** Answers come from the client: only ids that it could know and words that we gave count. */
export function readAnswers(
  responses: Readonly<Record<string, unknown>> | undefined,
  redact: (text: string) => string,
): Said {
  const decisions: Decision[] = []
  let isPutAside = false
  for (const [id, response] of Object.entries(responses ?? {})) {
    if (!isJsonObject(response)) continue
    const decision = decisionOf(response)
    if (decision === undefined) isPutAside = true
    else decisions.push({ id, decision, ...reasonOf(response['content'], redact) })
  }
  return { decisions, isPutAside }
}

function decisionOf(response: Readonly<Record<string, unknown>>): ApprovalDecision | undefined {
  if (response['action'] === 'decline') return 'deny'
  const content = response['action'] === 'accept' ? response['content'] : undefined
  const said = isJsonObject(content) ? content['decision'] : undefined
  return DECISIONS.find((decision) => decision === said)
}

function reasonOf(content: unknown, redact: (text: string) => string): { readonly reason?: string } {
  const reason = isJsonObject(content) ? content['reason'] : undefined
  return typeof reason === 'string' && reason !== '' ? { reason: redact(reason.slice(0, 500)) } : {}
}
