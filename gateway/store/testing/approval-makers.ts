import type { Approval } from '../../../bridge/approval.ts'
import { anApproval } from '../../../bridge/testing/an-approval.ts'
import type { ApprovalEnding, Grant } from '../approval-store.ts'
import type { OutboxEntry } from '../webhook-outbox.ts'

/** Where the messages of the suites go. */
export const HOOK = 'https://x.example/h'

export function aPending(tenant: string, id: string, callId: string): Approval {
  const of = { toolId: 'plugin:a:t', input: { amount: 1 }, createdMs: 1, expiresMs: 1e12 }
  return anApproval({ tenant, id, callId, ...of })
}

export function anEnding(approval: Approval, state: Exclude<Approval['state'], 'pending'>): ApprovalEnding {
  const { tenant, id, callId, agent, toolId, schemaHash, inputHash } = approval
  const common = { tenant, callId, agent, toolId, schemaHash, inputHash }
  return {
    approval: { ...approval, state, decidedMs: 5, decidedBy: 'tok_1' },
    receipt: {
      ...common,
      kind: 'decision',
      id: `rc-${id}-${state}`,
      approval: id,
      state,
      decidedBy: 'tok_1',
      startedMs: 1,
      ms: 4,
    },
    notices: [],
  }
}

export function aGrant(tenant: string, id: string): Grant {
  const cause = { by: 'default', where: 'tools.approvals' } as const
  const of = { agent: 'default', toolId: 'plugin:a:t', schemaHash: 's', cause, approval: 'a' }
  return { id, tenant, ...of, grantedBy: 'tok_1', createdMs: 1 }
}

export function aNotice(id: string): OutboxEntry {
  return { id, tenant: 'a', url: HOOK, body: { id }, createdMs: 1, dueMs: 1, failedRounds: 0 }
}
