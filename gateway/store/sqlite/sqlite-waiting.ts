import type { DatabaseSync } from 'node:sqlite'
import { LIST_ROWS } from '../limits.ts'
import type { WaitingEntry, WaitingRow, WaitingStore } from '../waiting-store.ts'
import { boundedRow, encodeRow } from './encode-row.ts'
import type { SqliteSteps } from './sqlite-steps.ts'

/** One row for whatever waits, so that ten thousand parked runs are ten thousand rows and nothing else. */
export const WAITING_TABLE = `
  CREATE TABLE waiting (
    tenant TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, turn_id TEXT, is_for_client INTEGER NOT NULL,
    approvals TEXT NOT NULL, sealed TEXT NOT NULL, PRIMARY KEY (tenant, id)
  ) STRICT;
  `

/** When each was last kept, so that what a client never comes back for can be dropped. */
export const WAITING_TIMES = `
  ALTER TABLE waiting ADD COLUMN written_ms INTEGER NOT NULL DEFAULT 0;
  UPDATE waiting SET written_ms = CAST(unixepoch('subsec') * 1000 AS INTEGER);
  `

const COLUMNS = 'tenant, id, kind, turn_id, is_for_client, approvals'

export function createSqliteWaiting(database: DatabaseSync, steps: SqliteSteps): WaitingStore {
  const put = database.prepare(
    `INSERT OR REPLACE INTO waiting (${COLUMNS}, sealed, written_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, CAST(unixepoch('subsec') * 1000 AS INTEGER))`,
  )
  const get = database.prepare(`SELECT ${COLUMNS}, sealed FROM waiting WHERE tenant = ? AND id = ?`)
  const remove = database.prepare('DELETE FROM waiting WHERE tenant = ? AND id = ?')
  const list = database.prepare(
    `SELECT ${COLUMNS} FROM waiting WHERE (tenant, id) > (?, ?) ORDER BY tenant, id LIMIT ${LIST_ROWS}`,
  )
  const listAbandoned = database.prepare(
    `SELECT ${COLUMNS} FROM waiting WHERE is_for_client = 1 AND approvals = '[]' AND written_ms < ? LIMIT ${LIST_ROWS}`,
  )
  return {
    put: (row) =>
      steps.run(() => {
        const { tenant, id, kind, turnId = null, isForClient, approvals, sealed } = row
        put.run(tenant, id, kind, turnId, isForClient ? 1 : 0, encodeRow(approvals), boundedRow(sealed))
      }),
    get: (tenant, id) =>
      steps.run(() => {
        const row = get.get(tenant, id)
        return row === undefined ? undefined : rowOf(row)
      }),
    remove: (tenant, id) => steps.run(() => void remove.run(tenant, id)),
    listAbandoned: (beforeMs) => steps.run(() => listAbandoned.all(beforeMs).map(entryOf)),
    list: (after) => steps.run(() => list.all(after?.tenant ?? '', after?.id ?? '').map(entryOf)),
  }
}

type Row = Readonly<Record<string, unknown>>

function rowOf(row: Row): WaitingRow {
  return { ...entryOf(row), sealed: String(row['sealed']) }
}

function entryOf(row: Row): WaitingEntry {
  const { tenant, id, kind, turn_id: turnId, is_for_client: isForClient, approvals } = row
  const ids: readonly string[] = JSON.parse(String(approvals))
  return {
    tenant: String(tenant),
    id: String(id),
    kind: kind === 'run' || kind === 'turn' ? kind : 'call',
    approvals: ids,
    isForClient: isForClient === 1,
    ...(typeof turnId === 'string' && { turnId }),
  }
}
