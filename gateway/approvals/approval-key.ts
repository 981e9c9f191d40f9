import type { Approval } from '../../bridge/approval.ts'

/** What tells an approval from all others, ids being each tenant's own. */
export type ApprovalRef = Pick<Approval, 'tenant' | 'id'>

export function approvalKey({ tenant, id }: ApprovalRef): string {
  return JSON.stringify([tenant, id])
}

/** Of a key that `approvalKey` made. */
export function readApprovalKey(key: string): ApprovalRef {
  const [tenant, id] = JSON.parse(key)
  return { tenant, id }
}
