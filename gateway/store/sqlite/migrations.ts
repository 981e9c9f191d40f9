import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'
import { APPROVAL_ENDS } from './approvals-table.ts'
import { APPROVAL_HOLDERS } from './sqlite-held.ts'
import { MCP_PINS_TABLE } from './sqlite-mcp-pins.ts'
import { WAITING_CLAIMS, WAITING_TABLE, WAITING_TIMES } from './sqlite-waiting.ts'
import { CHAIN_START, chainHash, readReceipt, receiptText } from '../receipt-chain.ts'

/**
 * Each entry takes the file from version N to N + 1 and is never changed once published. Tenant comes first in every
 * key, so that no query can forget it. `body` is JSON.
 */
const MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE sessions (
    tenant TEXT NOT NULL, id TEXT NOT NULL, agent TEXT NOT NULL, created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL, PRIMARY KEY (tenant, id)
  ) STRICT;
  CREATE TABLE messages (
    n INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, session TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX messages_of_session ON messages (tenant, session, n);
  CREATE TABLE events (
    n INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, session TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_of_session ON events (tenant, session, n);
  CREATE TABLE receipts (
    n INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
    UNIQUE (tenant, id)
  ) STRICT;
  CREATE INDEX receipts_of_tenant ON receipts (tenant, n);
  CREATE TABLE runs (
    tenant TEXT NOT NULL, id TEXT NOT NULL, start_ms INTEGER NOT NULL, run TEXT NOT NULL, record TEXT NOT NULL,
    journal TEXT, PRIMARY KEY (tenant, id)
  ) STRICT;
  CREATE INDEX runs_with_journal ON runs (start_ms) WHERE journal IS NOT NULL;
  CREATE TABLE session_values (
    tenant TEXT NOT NULL, session TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (tenant, session, key)
  ) STRICT;
  CREATE TABLE probe (id INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;
  INSERT INTO probe VALUES (1, 0);
  `,
  chainReceipts,
  `
  CREATE TABLE approvals (
    tenant TEXT NOT NULL, id TEXT NOT NULL, call_id TEXT NOT NULL, run_id TEXT, agent TEXT NOT NULL,
    state TEXT NOT NULL, is_parked INTEGER NOT NULL, created_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (tenant, id), UNIQUE (tenant, call_id)
  ) STRICT;
  CREATE INDEX approvals_in_order ON approvals (tenant);
  CREATE INDEX approvals_of_state ON approvals (tenant, state);
  CREATE INDEX approvals_of_run ON approvals (tenant, run_id) WHERE run_id IS NOT NULL;
  CREATE INDEX approvals_pending ON approvals (expires_ms) WHERE state = 'pending';
  CREATE TABLE grants (
    tenant TEXT NOT NULL, id TEXT NOT NULL, agent TEXT NOT NULL, tool_id TEXT NOT NULL, created_ms INTEGER NOT NULL,
    ended_ms INTEGER, body TEXT NOT NULL, PRIMARY KEY (tenant, id)
  ) STRICT;
  CREATE INDEX grants_in_force ON grants (tenant, agent, tool_id) WHERE ended_ms IS NULL;
  CREATE TABLE outbox (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, url TEXT NOT NULL, due_ms INTEGER NOT NULL,
    failed_rounds INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX outbox_due ON outbox (url, due_ms);
  `,
  `
  CREATE TABLE mcp_servers (server TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
  `,
  WAITING_TABLE,
  // When the older ones were written nobody knows: their time begins now.
  `
  ALTER TABLE session_values ADD COLUMN written_ms INTEGER NOT NULL DEFAULT 0;
  UPDATE session_values SET written_ms = CAST(unixepoch('subsec') * 1000 AS INTEGER);
  `,
  MCP_PINS_TABLE,
  WAITING_TIMES,
  APPROVAL_ENDS,
  WAITING_CLAIMS,
  APPROVAL_HOLDERS,
]

type Migration = string | ((database: DatabaseSync) => void)

/** Receipts get their place in the chain of their tenant, in the order in which they were written. */
function chainReceipts(database: DatabaseSync): void {
  database.exec(`
    ALTER TABLE receipts RENAME TO receipts_before;
    CREATE TABLE receipts (
      tenant TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL,
      body TEXT NOT NULL, PRIMARY KEY (tenant, seq), UNIQUE (tenant, id)
    ) STRICT;
    CREATE TABLE receipt_ends (tenant TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TRIGGER receipt_chained AFTER INSERT ON receipts BEGIN
      INSERT INTO receipt_ends VALUES (new.tenant, new.seq, new.hash)
      ON CONFLICT (tenant) DO UPDATE SET seq = excluded.seq, hash = excluded.hash;
    END;
  `)
  const insert = database.prepare(
    'INSERT INTO receipts (tenant, seq, id, previous, hash, body) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const ends = new Map<string, { readonly seq: number; readonly hash: string }>()
  for (const row of database.prepare('SELECT tenant, id, body FROM receipts_before ORDER BY n').iterate()) {
    const [tenant, id, body] = [String(row['tenant']), String(row['id']), String(row['body'])]
    const { seq, hash: previous } = ends.get(tenant) ?? { seq: 0, hash: CHAIN_START }
    const receipt = readReceipt(body)
    const link = { seq: seq + 1, previous }
    const hash = chainHash(link, receipt === undefined ? body : receiptText(receipt))
    insert.run(tenant, link.seq, id, previous, hash, body)
    ends.set(tenant, { seq: link.seq, hash })
  }
  database.exec('DROP TABLE receipts_before')
}

/** What this Drawbridge reads and writes. */
export const STORE_VERSION = MIGRATIONS.length

/** Brings the file to this version of Drawbridge, or to an older one `to`, all or nothing. */
export function migrate(database: DatabaseSync, file: string, to = STORE_VERSION): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version > STORE_VERSION) {
      throw new StoreError(
        'store-too-new',
        `store "${file}" has version ${version}, this Drawbridge knows ${STORE_VERSION}; use the newer Drawbridge that wrote it`,
      )
    }
    for (const migration of MIGRATIONS.slice(version, to)) {
      if (typeof migration === 'string') database.exec(migration)
      else migration(database)
    }
    database.exec(`PRAGMA user_version = ${to}`)
    database.exec('COMMIT')
  } catch (error) {
    // A full disk rolls back by itself.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
