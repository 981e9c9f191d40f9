import type { DatabaseSync } from 'node:sqlite'
import type { Grant } from '../approval-store.ts'
import { LIST_ROWS } from '../limits.ts'
import { encodeRow } from './encode-row.ts'

/** Rows of grants, within the step that calls. */
export interface GrantRows {
  insert(grant: Grant): void
  get(tenant: string, id: string): Grant | undefined
  list(tenant: string): readonly Grant[]
  listInForce(of: Pick<Grant, 'tenant' | 'agent' | 'toolId'>): readonly Grant[]
  end(ended: Grant): void
  /** How many of those that ended before a time, at most so many, were dropped. */
  dropEnded(beforeMs: number, limit: number): number
}

export function createGrantRows(database: DatabaseSync): GrantRows {
  const insert = database.prepare(
    'INSERT INTO grants (tenant, id, agent, tool_id, created_ms, ended_ms, body) VALUES (?, ?, ?, ?, ?, NULL, ?)',
  )
  const get = database.prepare('SELECT body FROM grants WHERE tenant = ? AND id = ?')
  const list = database.prepare('SELECT body FROM grants WHERE tenant = ? ORDER BY created_ms DESC, rowid DESC LIMIT ?')
  const listInForce = database.prepare(
    `SELECT body FROM grants WHERE tenant = ? AND agent = ? AND tool_id = ? AND ended_ms IS NULL
     ORDER BY created_ms DESC, rowid DESC`,
  )
  const end = database.prepare('UPDATE grants SET ended_ms = ?, body = ? WHERE tenant = ? AND id = ?')
  const dropEnded = database.prepare(
    'DELETE FROM grants WHERE rowid IN (SELECT rowid FROM grants WHERE ended_ms < ? LIMIT ?)',
  )
  return {
    dropEnded: (beforeMs, limit) => Number(dropEnded.run(beforeMs, limit).changes),
    insert(grant) {
      const { tenant, id, agent, toolId, createdMs } = grant
      insert.run(tenant, id, agent, toolId, createdMs, encodeRow(grant))
    },
    get(tenant, id) {
      const row = get.get(tenant, id)
      return row && grantOf(row)
    },
    list: (tenant) => list.all(tenant, LIST_ROWS).map(grantOf),
    listInForce: ({ tenant, agent, toolId }) => listInForce.all(tenant, agent, toolId).map(grantOf),
    end(ended) {
      end.run(ended.ended?.atMs ?? null, encodeRow(ended), ended.tenant, ended.id)
    },
  }
}

function grantOf(row: Readonly<Record<string, unknown>>): Grant {
  return JSON.parse(String(row['body']))
}
