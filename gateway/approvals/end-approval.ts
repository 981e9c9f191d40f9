import { randomUUID } from 'node:crypto'
import type { Approval, ApprovalState } from '../../bridge/approval.ts'
import type { ApprovalEnding, Grant } from '../store/approval-store.ts'
import type { DecisionReceipt } from '../store/receipt-chain.ts'
import type { NoticesOf } from './webhooks/webhook-notices.ts'

/** How, by whom and when an approval ends. */
export interface Ending {
  readonly state: Exclude<ApprovalState, 'pending'>
  readonly by: string
  readonly atMs: number
  readonly reason?: string
  readonly grant?: Grant
}

/** Stands for the gateway itself, as `decidedBy`: time over, stop, cancel. */
export const BY_GATEWAY = 'drawbridge'

/** All that is kept when a pending approval ends. */
export function endApproval(approval: Approval, ending: Ending, noticesOf: NoticesOf): ApprovalEnding {
  const ended = endedApproval(approval, ending)
  return {
    approval: ended,
    ...(ending.grant && { grant: ending.grant }),
    receipt: decisionReceipt(ended),
    notices: noticesOf({ type: 'approval.decided', tenant: ended.tenant, data: { ...ended } }),
  }
}

export function endedApproval(approval: Approval, { state, by, atMs, reason }: Ending): Approval {
  return { ...approval, state, decidedMs: atMs, decidedBy: by, ...(reason !== undefined && { reason }) }
}

export function decisionReceipt(ended: Approval): DecisionReceipt {
  const { tenant, agent, callId, runId, session, toolId, schemaHash, inputHash, state, reason, createdMs } = ended
  return {
    kind: 'decision',
    id: `rc_${randomUUID()}`,
    tenant,
    approval: ended.id,
    callId,
    agent,
    toolId,
    schemaHash,
    inputHash,
    state,
    decidedBy: ended.decidedBy ?? BY_GATEWAY,
    startedMs: createdMs,
    ms: Math.max(0, (ended.decidedMs ?? createdMs) - createdMs),
    ...(runId !== undefined && { runId }),
    ...(session !== undefined && { session }),
    ...(reason !== undefined && { reason }),
  }
}
