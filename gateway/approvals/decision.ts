import { randomBytes } from 'node:crypto'
import type { Approval, ApprovalDecision, ApprovalState } from '../../bridge/approval.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { Grant } from '../store/approval-store.ts'
import type { Ending } from './end-approval.ts'
import { ID_BYTES } from './limits.ts'

/** What a person answers to one approval. */
export interface Decision {
  readonly id: string
  readonly decision: ApprovalDecision
  /** Redacted. */
  readonly reason?: string
  /** Of the grant that `allow-always` makes. */
  readonly untilMs?: number
  /** JSON Schema that the arguments of calls covered by that grant match; known to be sound. */
  readonly args?: JsonObject
  /** Values for the fields that a tool asks for, as they were given; goes to the tool and is kept nowhere. */
  readonly answer?: JsonObject
}

/** Who answers; `agents` are those whose approvals it may see. */
export interface Decider {
  readonly tenant: string
  /** A token's id, `chat:<channel>:<sender>` … */
  readonly by: string
  readonly agents?: readonly string[]
}

export type Decided =
  /** `repeated`: the same answer had been given before, which changes nothing. */
  | { readonly kind: 'decided' | 'repeated'; readonly approval: Approval }
  /** It had ended otherwise. */
  | { readonly kind: 'conflict'; readonly approval: Approval }
  | { readonly kind: 'absent'; readonly id: string }
  /** The values are not what is asked for; nothing was decided. */
  | { readonly kind: 'bad-answer'; readonly approval: Approval; readonly message: string }
  /** The decision is none of those that were asked for. */
  | { readonly kind: 'not-allowed'; readonly approval: Approval }

const STATES: Readonly<Record<ApprovalDecision, Exclude<ApprovalState, 'pending'>>> = {
  'allow-once': 'allowed-once',
  'allow-always': 'allowed-always',
  deny: 'denied',
}

export const DECISIONS: readonly ApprovalDecision[] = ['allow-once', 'allow-always', 'deny']

export function stateOf(decision: ApprovalDecision): Exclude<ApprovalState, 'pending'> {
  return STATES[decision]
}

/** How a pending approval ends by a decision. */
export function endingBy(approval: Approval, decision: Decision, { by, atMs }: Pick<Ending, 'by' | 'atMs'>): Ending {
  const { reason } = decision
  const ending = { state: STATES[decision.decision], by, atMs, ...(reason !== undefined && { reason }) }
  return decision.decision === 'allow-always' ? { ...ending, grant: grantOf(approval, decision, ending) } : ending
}

function grantOf(approval: Approval, { untilMs, args, reason }: Decision, { by, atMs }: Ending): Grant {
  const { tenant, agent, toolId, schemaHash, cause } = approval
  return {
    id: `gr_${randomBytes(ID_BYTES).toString('hex')}`,
    tenant,
    agent,
    toolId,
    schemaHash,
    cause: { by: cause.by, where: cause.where, ...(cause.hash !== undefined && { hash: cause.hash }) },
    approval: approval.id,
    grantedBy: by,
    createdMs: atMs,
    ...(args !== undefined && { args }),
    ...(untilMs !== undefined && { untilMs }),
    ...(reason !== undefined && { reason }),
  }
}
