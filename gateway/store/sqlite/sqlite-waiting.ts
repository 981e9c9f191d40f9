import type { DatabaseSync } from 'node:sqlite'
import { LIST_ROWS } from '../limits.ts'
import { StoreError } from '../errors.ts'
import type { WaitingClaim, WaitingEntry, WaitingRow, WaitingStore } from '../waiting-store.ts'
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

/** Who is at it, for several gateways on one store. */
export const WAITING_CLAIMS = `
  ALTER TABLE waiting ADD COLUMN owner TEXT;
  ALTER TABLE waiting ADD COLUMN owned_until_ms INTEGER;
  CREATE INDEX waiting_owned ON waiting (owner) WHERE owner IS NOT NULL;
  `

const COLUMNS = 'tenant, id, kind, turn_id, is_for_client, approvals'

export function createSqliteWaiting(database: DatabaseSync, steps: SqliteSteps): WaitingStore {
  const claims = createClaimSteps(database, steps)
  const put = database.prepare(
    `INSERT INTO waiting (${COLUMNS}, sealed, written_ms, owner, owned_until_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, CAST(unixepoch('subsec') * 1000 AS INTEGER), ?, ?)
     ON CONFLICT (tenant, id) DO UPDATE SET kind = excluded.kind, turn_id = excluded.turn_id,
       is_for_client = excluded.is_for_client, approvals = excluded.approvals, sealed = excluded.sealed,
       written_ms = excluded.written_ms, owner = coalesce(excluded.owner, owner),
       owned_until_ms = coalesce(excluded.owned_until_ms, owned_until_ms)
     WHERE ${FREE}`,
  )
  const isOwn = database.prepare('SELECT 1 FROM waiting WHERE tenant = ? AND id = ? AND owner = ?')
  const get = database.prepare(`SELECT ${COLUMNS}, sealed FROM waiting WHERE tenant = ? AND id = ?`)
  const remove = database.prepare(`DELETE FROM waiting WHERE tenant = ? AND id = ? AND ${FREE}`)
  const list = database.prepare(
    `SELECT ${COLUMNS} FROM waiting WHERE (tenant, id) > (?, ?) ORDER BY tenant, id LIMIT ${LIST_ROWS}`,
  )
  const listAbandoned = database.prepare(
    `SELECT ${COLUMNS} FROM waiting WHERE is_for_client = 1 AND approvals = '[]' AND written_ms < ? LIMIT ${LIST_ROWS}`,
  )
  return {
    ...claims,
    put: (row, claim = NO_CLAIM) =>
      steps.transact(() => {
        const { tenant, id, kind, turnId = null, isForClient, approvals, sealed } = row
        const { owner, nowMs, untilMs, isHeld, isKnown } = claim
        if (isKnown && isOwn.get(tenant, id, owner) === undefined) throw taken(id)
        const columns = [
          tenant,
          id,
          kind,
          turnId,
          isForClient ? 1 : 0,
          encodeRow(approvals),
          boundedRow(sealed),
        ] as const
        const held = isHeld ? ([owner, untilMs] as const) : ([null, null] as const)
        if (Number(put.run(...columns, ...held, owner, nowMs).changes) === 0) throw taken(id)
      }),
    get: (tenant, id) =>
      steps.run(() => {
        const row = get.get(tenant, id)
        return row === undefined ? undefined : rowOf(row)
      }),
    remove: (tenant, id, { owner, nowMs, isKnown } = NO_CLAIM) =>
      steps.run(() => {
        const isRemoved = Number(remove.run(tenant, id, owner, nowMs).changes) > 0
        if (!isRemoved && (isKnown || get.get(tenant, id) !== undefined)) throw taken(id)
      }),
    listAbandoned: (beforeMs) => steps.run(() => listAbandoned.all(beforeMs).map(entryOf)),
    list: (after) => steps.run(() => list.all(after?.tenant ?? '', after?.id ?? '').map(entryOf)),
  }
}

/** Nobody's, one's own, or left behind by somebody who has not renewed it. */
const FREE = '(waiting.owner IS NULL OR waiting.owner = ? OR waiting.owned_until_ms < ?)'

const NO_CLAIM: WaitingClaim = { owner: '', nowMs: 0, untilMs: 0, isHeld: false, isKnown: false }

function taken(id: string): StoreError {
  return new StoreError('row-taken', `another gateway on this store is at ${id}, or has ended it`)
}

type ClaimSteps = Pick<WaitingStore, 'claim' | 'ownerOf' | 'renew' | 'release'>

function createClaimSteps(database: DatabaseSync, steps: SqliteSteps): ClaimSteps {
  const isThere = database.prepare('SELECT 1 FROM waiting WHERE tenant = ? AND id = ?')
  const claim = database.prepare(
    `UPDATE waiting SET owner = ?, owned_until_ms = ? WHERE tenant = ? AND id = ? AND ${FREE}`,
  )
  const ownerOf = database.prepare('SELECT owner FROM waiting WHERE tenant = ? AND id = ? AND owned_until_ms >= ?')
  const renew = database.prepare('UPDATE waiting SET owned_until_ms = ? WHERE owner = ?')
  const release = database.prepare(
    'UPDATE waiting SET owner = NULL, owned_until_ms = NULL WHERE tenant = ? AND id = ? AND owner = ?',
  )
  return {
    claim: (tenant, id, { owner, nowMs, untilMs }) =>
      steps.run(() => {
        // Most work has no row: it is looked at before anything is written.
        if (isThere.get(tenant, id) === undefined) return 'absent'
        if (Number(claim.run(owner, untilMs, tenant, id, owner, nowMs).changes) > 0) return 'claimed'
        return isThere.get(tenant, id) === undefined ? 'absent' : 'taken'
      }),
    ownerOf: (tenant, id, nowMs) =>
      steps.run(() => {
        const owner = ownerOf.get(tenant, id, nowMs)?.['owner']
        return typeof owner === 'string' ? owner : undefined
      }),
    renew: (owner, untilMs) => steps.run(() => void renew.run(untilMs, owner)),
    release: (tenant, id, owner) => steps.run(() => void release.run(tenant, id, owner)),
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
