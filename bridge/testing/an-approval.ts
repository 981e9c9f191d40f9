import type { Approval } from '../approval.ts'

/** One that waits, of a call of some tool; a test says what it is about. */
export function anApproval(own: Partial<Approval> & Pick<Approval, 'id'>): Approval {
  return {
    tenant: 'default',
    agent: 'default',
    state: 'pending',
    callId: 'call_1',
    toolId: 'plugin:shop:pay',
    schemaHash: 's',
    inputHash: 'i',
    input: {},
    title: 'Pay',
    description: '',
    severity: 'warning',
    allowedDecisions: ['allow-once', 'deny'],
    cause: { by: 'default', where: 'tools.approvals' },
    createdMs: 0,
    expiresMs: 1,
    ...own,
  }
}
