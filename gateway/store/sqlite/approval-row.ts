import type { Approval } from '../../../bridge/approval.ts'
import type { ApprovalRow } from '../approval-store.ts'

type Row = Readonly<Record<string, unknown>>

export const APPROVAL_COLUMNS = 'state, is_parked, expires_ms, holder, held_until_ms, body'

/** Parking moves the end alone, so that the column is what counts. */
export function approvalRow(row: Row): ApprovalRow {
  const approval: Approval = JSON.parse(String(row['body']))
  const { holder: by, held_until_ms: untilMs } = row
  return {
    approval: { ...approval, expiresMs: Number(row['expires_ms']) },
    isParked: row['is_parked'] === 1,
    ...(typeof by === 'string' && { holder: { by, untilMs: Number(untilMs) } }),
  }
}

export function approvalsOf(rows: readonly Row[]): readonly Approval[] {
  return rows.map((row) => approvalRow(row).approval)
}
