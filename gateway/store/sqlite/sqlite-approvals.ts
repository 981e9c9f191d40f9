import type { DatabaseSync } from 'node:sqlite'
import type {
  ApprovalEnding,
  ApprovalQuery,
  ApprovalRow,
  ApprovalStore,
  EndedApproval,
  Grant,
  NoRoomLeft,
  Room,
} from '../approval-store.ts'
import { LIST_ROWS } from '../limits.ts'
import { APPROVAL_COLUMNS, approvalRow, approvalsOf } from './approval-row.ts'
import type { AppendReceipt } from './append-receipt.ts'
import { encodeRow } from './encode-row.ts'
import type { GrantRows } from './sqlite-grants.ts'
import { createGrantRows } from './sqlite-grants.ts'
import { createSqliteHeld } from './sqlite-held.ts'
import type { PutNotices } from './sqlite-outbox.ts'
import type { SqliteSteps } from './sqlite-steps.ts'

export interface SqliteApprovalsDeps {
  readonly steps: SqliteSteps
  readonly putNotices: PutNotices
  readonly appendReceipt: AppendReceipt
}

type Row = Readonly<Record<string, unknown>>

/** Approvals and grants in the store's SQLite file. */
export function createSqliteApprovals(database: DatabaseSync, deps: SqliteApprovalsDeps): ApprovalStore {
  const statements = prepareStatements(database)
  const grants = createGrantRows(database)
  const { steps } = deps
  const all = { statements, grants, ...deps }
  const add = (...[row, notices, receipt]: Parameters<ApprovalStore['add']>): ApprovalRow => {
    if (insertRow(row, all)) {
      deps.putNotices(notices)
      if (receipt !== undefined) deps.appendReceipt(receipt)
      return row
    }
    const { tenant, callId } = row.approval
    return approvalRow(statements.getOfCall.get(tenant, callId) ?? {})
  }
  return {
    add: (...added) => steps.transact(() => add(...added)),
    addWithin: (room, row, notices) => steps.transact(() => noRoomIn(room, row, all) ?? add(row, notices)),
    get: (tenant, id) => steps.run(() => optionalRow(statements.get.get(tenant, id))),
    getOfCall: (tenant, callId) => steps.run(() => optionalRow(statements.getOfCall.get(tenant, callId))),
    list: (tenant, query) =>
      steps.run(() => {
        const statement = query.state === undefined ? statements.list : statements.listOfState
        return approvalsOf(statement.all(...listParameters(tenant, query)))
      }),
    end: (endings) => steps.transact(() => endings.map((ending) => endOne(ending, all))),
    park: (tenant, ids, expiresMs) =>
      steps.transact(() => {
        for (const id of ids) statements.park.run(expiresMs, tenant, id)
      }),
    listDue: (nowMs, limit) => steps.run(() => approvalsOf(statements.listDue.all(nowMs, limit))),
    ...createSqliteHeld(database, steps),
    dropEnded: (beforeMs, limit) =>
      steps.transact(() => {
        const grantsDropped = grants.dropEnded(beforeMs, limit)
        return grantsDropped + Number(statements.dropEnded.run(beforeMs, limit).changes)
      }),
    nextExpiryMs: () =>
      steps.run(() => {
        const next = statements.nextExpiry.get()?.['expires_ms']
        return typeof next === 'number' ? next : undefined
      }),
    getGrant: (tenant, id) => steps.run(() => grants.get(tenant, id)),
    listGrants: (tenant) => steps.run(() => grants.list(tenant)),
    listGrantsInForce: (tenant, agent, toolId) => steps.run(() => grants.listInForce({ tenant, agent, toolId })),
    endGrant: (tenant, id, end) =>
      steps.transact((): Grant | undefined => {
        const grant = grants.get(tenant, id)
        if (grant === undefined || grant.ended !== undefined) return grant
        const ended = { ...grant, ended: end }
        grants.end(ended)
        return ended
      }),
  }
}

interface Parts extends SqliteApprovalsDeps {
  readonly statements: ReturnType<typeof prepareStatements>
  readonly grants: GrantRows
}

/** A call that has its approval already takes no room. */
function noRoomIn(room: Room, { approval, token }: ApprovalRow, { statements }: Parts): NoRoomLeft | undefined {
  const { tenant, agent, callId } = approval
  if (statements.getOfCall.get(tenant, callId) !== undefined) return undefined
  const waiting = statements.countPending.get(token ?? null, tenant, agent)
  if (Number(waiting?.['of_agent']) >= room.ofAgent) return { kind: 'no-room', of: 'ofAgent' }
  return Number(waiting?.['of_token']) >= room.ofToken ? { kind: 'no-room', of: 'ofToken' } : undefined
}

function insertRow({ approval, isParked, token, holder }: ApprovalRow, { statements }: Parts): boolean {
  const { tenant, id, callId, runId = null, agent, state, createdMs, expiresMs } = approval
  const endedMs = state === 'pending' ? null : (approval.decidedMs ?? createdMs)
  const of = [tenant, id, callId, runId, agent, token ?? null] as const
  const columns = [...of, state, isParked ? 1 : 0, createdMs, expiresMs, endedMs] as const
  const held = [holder?.by ?? null, holder?.untilMs ?? null] as const
  return Number(statements.insert.run(...columns, ...held, encodeRow(approval)).changes) === 1
}

/** Undefined where the tenant has no such approval. */
function endOne(ending: ApprovalEnding, parts: Parts): EndedApproval | undefined {
  const { approval, grant, receipt, notices, answer = null } = ending
  const { tenant, id, state } = approval
  const endedMs = approval.decidedMs ?? approval.createdMs
  const changed = Number(parts.statements.end.run(state, endedMs, encodeRow(approval), answer, tenant, id).changes)
  if (changed === 0) {
    const stands = optionalRow(parts.statements.get.get(tenant, id))
    return stands && { kind: 'stood', approval: stands.approval }
  }
  if (grant !== undefined) parts.grants.insert(grant)
  parts.appendReceipt(receipt)
  parts.putNotices(notices)
  return { kind: 'ended', approval }
}

function prepareStatements(database: DatabaseSync) {
  const columns = APPROVAL_COLUMNS
  return {
    insert: database.prepare(
      `INSERT INTO approvals
         (tenant, id, call_id, run_id, agent, token, state, is_parked, created_ms, expires_ms, ended_ms,
          holder, held_until_ms, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, call_id) DO NOTHING`,
    ),
    get: database.prepare(`SELECT ${columns} FROM approvals WHERE tenant = ? AND id = ?`),
    getOfCall: database.prepare(`SELECT ${columns} FROM approvals WHERE tenant = ? AND call_id = ?`),
    list: database.prepare(listSql('?2 IS NULL')),
    // Apart, so that the few that wait are found among all that ever were.
    listOfState: database.prepare(listSql('state = ?2')),
    // The one place where an approval ends: of any number of answers one finds it pending.
    end: database.prepare(
      `UPDATE approvals SET state = ?, ended_ms = ?, body = ?, answer = ? WHERE tenant = ? AND id = ? AND state = 'pending'`,
    ),
    park: database.prepare(
      `UPDATE approvals SET is_parked = 1, expires_ms = ? WHERE tenant = ? AND id = ? AND state = 'pending'`,
    ),
    listDue: database.prepare(
      `SELECT ${columns} FROM approvals WHERE state = 'pending' AND expires_ms <= ? ORDER BY expires_ms LIMIT ?`,
    ),
    countPending: database.prepare(
      `SELECT count(*) AS of_agent, count(*) FILTER (WHERE token = ?) AS of_token FROM approvals
       WHERE tenant = ? AND agent = ? AND state = 'pending'`,
    ),
    // What was decided while its gateway stood still is gone on with at the next start, however late that is.
    dropEnded: database.prepare(
      `DELETE FROM approvals WHERE rowid IN (
         SELECT rowid FROM approvals WHERE ended_ms < ? AND (tenant, id) NOT IN (
           SELECT waiting.tenant, asked.value FROM waiting, json_each(waiting.approvals) AS asked
         ) LIMIT ?
       )`,
    ),
    nextExpiry: database.prepare(`SELECT min(expires_ms) AS expires_ms FROM approvals WHERE state = 'pending'`),
  }
}

function listSql(ofState: string): string {
  return `SELECT ${APPROVAL_COLUMNS} FROM approvals
    WHERE tenant = ?1 AND ${ofState} AND (?3 IS NULL OR run_id = ?3)
      AND (?4 IS NULL OR agent IN (SELECT value FROM json_each(?4)))
      AND (?5 IS NULL OR rowid < (SELECT rowid FROM approvals WHERE tenant = ?1 AND id = ?5))
    ORDER BY rowid DESC LIMIT ?6`
}

function listParameters(tenant: string, { state, runId, agents, before, limit }: ApprovalQuery) {
  const rows = Math.max(0, Math.min(Math.trunc(limit), LIST_ROWS))
  const among = agents === undefined ? null : JSON.stringify(agents)
  return [tenant, state ?? null, runId ?? null, among, before ?? null, rows] as const
}

function optionalRow(row: Row | undefined): ApprovalRow | undefined {
  return row && approvalRow(row)
}
