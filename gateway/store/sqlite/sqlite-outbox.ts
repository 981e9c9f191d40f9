import type { DatabaseSync } from 'node:sqlite'
import type { OutboxEntry, WebhookOutbox } from '../webhook-outbox.ts'
import { encodeRow } from './encode-row.ts'
import type { SqliteSteps } from './sqlite-steps.ts'

/** Keeps messages within the step that calls it. */
export type PutNotices = (entries: readonly OutboxEntry[]) => void

export function createPutNotices(database: DatabaseSync): PutNotices {
  const insert = database.prepare('INSERT INTO outbox (id, url, due_ms, failed_rounds, body) VALUES (?, ?, ?, ?, ?)')
  return (entries) => {
    for (const { dueMs, failedRounds, ...body } of entries) {
      insert.run(body.id, body.url, dueMs, failedRounds, encodeRow(body))
    }
  }
}

export function createSqliteOutbox(
  database: DatabaseSync,
  { steps, putNotices }: { readonly steps: SqliteSteps; readonly putNotices: PutNotices },
): WebhookOutbox {
  const statements = prepareStatements(database)
  return {
    put: (entries) => steps.transact(() => putNotices(entries)),
    listDueUrls: (nowMs, except) =>
      steps.run(() => statements.listUrls.all(nowMs, JSON.stringify(except)).map((row) => String(row['url']))),
    listDue: (url, nowMs, limit) => steps.run(() => statements.listDue.all(url, nowMs, limit).map(entryOf)),
    nextDueMs: (except) =>
      steps.run(() => {
        const due = statements.next.get(JSON.stringify(except))?.['due_ms']
        return typeof due === 'number' ? due : undefined
      }),
    postpone: ({ id, url }, dueMs) => steps.run(() => void statements.postpone.run(dueMs, id, url, dueMs)),
    remove: (id) => steps.run(() => void statements.remove.run(id)),
    dropOldest: (maxCount) =>
      steps.transact(() =>
        statements.listFull.all(maxCount).map((row) => {
          const url = String(row['url'])
          return { url, count: Number(statements.dropOldest.run(url, url, maxCount).changes) }
        }),
      ),
    removeAllTo: (url) => steps.run(() => Number(statements.removeAllTo.run(url).changes)),
  }
}

function prepareStatements(database: DatabaseSync) {
  const others = 'url NOT IN (SELECT value FROM json_each(?))'
  return {
    listUrls: database.prepare(`SELECT DISTINCT url FROM outbox WHERE due_ms <= ? AND ${others}`),
    listDue: database.prepare(
      'SELECT due_ms, failed_rounds, body FROM outbox WHERE url = ? AND due_ms <= ? ORDER BY n LIMIT ?',
    ),
    next: database.prepare(`SELECT min(due_ms) AS due_ms FROM outbox WHERE ${others}`),
    postpone: database.prepare(
      `UPDATE outbox SET due_ms = ?, failed_rounds = failed_rounds + (id = ?) WHERE url = ? AND due_ms < ?`,
    ),
    remove: database.prepare('DELETE FROM outbox WHERE id = ?'),
    listFull: database.prepare('SELECT url FROM outbox GROUP BY url HAVING count(*) > ?'),
    dropOldest: database.prepare(
      `DELETE FROM outbox WHERE url = ? AND n <= (SELECT n FROM outbox WHERE url = ? ORDER BY n DESC LIMIT 1 OFFSET ?)`,
    ),
    removeAllTo: database.prepare('DELETE FROM outbox WHERE url = ?'),
  }
}

function entryOf(row: Readonly<Record<string, unknown>>): OutboxEntry {
  const body: Omit<OutboxEntry, 'dueMs' | 'failedRounds'> = JSON.parse(String(row['body']))
  return { ...body, dueMs: Number(row['due_ms']), failedRounds: Number(row['failed_rounds']) }
}
