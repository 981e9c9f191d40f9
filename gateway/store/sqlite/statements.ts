import type { DatabaseSync } from 'node:sqlite'

export type Statements = ReturnType<typeof prepareStatements>

/** Every query of the store, compiled once. */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string) => database.prepare(sql)
  return {
    putToken: prepare(
      `INSERT INTO tokens (hash, id, created_ms, body) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, body = excluded.body`,
    ),
    findToken: prepare('SELECT body FROM tokens WHERE hash = ?'),
    getToken: prepare('SELECT body FROM tokens WHERE id = ?'),
    listTokens: prepare('SELECT body FROM tokens ORDER BY created_ms, rowid'),
    getSession: prepare('SELECT agent, created_ms, updated_ms FROM sessions WHERE tenant = ? AND id = ?'),
    touchSession: prepare(
      `INSERT INTO sessions (tenant, id, agent, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (tenant, id) DO UPDATE SET updated_ms = excluded.updated_ms`,
    ),
    addMessage: prepare('INSERT INTO messages (tenant, session, body) VALUES (?, ?, ?)'),
    listMessages: prepare('SELECT body FROM messages WHERE tenant = ? AND session = ? ORDER BY n'),
    addEvent: prepare('INSERT INTO events (tenant, session, body) VALUES (?, ?, ?)'),
    listEvents: prepare('SELECT body FROM events WHERE tenant = ? AND session = ? ORDER BY n'),
    getReceipt: prepare('SELECT body FROM receipts WHERE tenant = ? AND id = ?'),
    listReceipts: prepare('SELECT body FROM receipts WHERE tenant = ? ORDER BY seq DESC LIMIT ?'),
    readReceipts: prepare(
      `SELECT seq, id, previous, hash, body FROM receipts WHERE tenant = ? AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    listChains: prepare(
      `SELECT tenant, seq, hash FROM receipt_ends UNION ALL
       SELECT DISTINCT tenant, NULL, NULL FROM receipts WHERE tenant NOT IN (SELECT tenant FROM receipt_ends)
       ORDER BY tenant`,
    ),
    putRun: prepare(
      'INSERT OR REPLACE INTO runs (tenant, id, start_ms, run, record, journal) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    getRun: prepare('SELECT run, record, journal FROM runs WHERE tenant = ? AND id = ?'),
    expireJournals: prepare('UPDATE runs SET journal = NULL WHERE journal IS NOT NULL AND start_ms < ?'),
    getValue: prepare('SELECT body FROM session_values WHERE tenant = ? AND session = ? AND key = ?'),
    usedBytes: prepare(
      `SELECT coalesce(sum(bytes), 0) AS all_bytes, coalesce(sum(bytes) FILTER (WHERE key = ?), 0) AS own_bytes
       FROM session_values WHERE tenant = ? AND session = ?`,
    ),
    setValue: prepare(
      `INSERT OR REPLACE INTO session_values (tenant, session, key, body, bytes, written_ms)
       VALUES (?, ?, ?, ?, ?, CAST(unixepoch('subsec') * 1000 AS INTEGER))`,
    ),
    listValueSessions: prepare('SELECT DISTINCT tenant, session FROM session_values WHERE substr(session, 1, ?) = ?'),
    expireValues: prepare('DELETE FROM session_values WHERE substr(session, 1, ?) = ? AND written_ms < ?'),
    probe: prepare('UPDATE probe SET n = (n + 1) % 1000 WHERE id = 1'),
  }
}
