import type { DatabaseSync } from 'node:sqlite'
import type { OutboxEntry, WebhookOutbox } from '../webhook-outbox.ts'
import { encodeRow } from './encode-row.ts'
import type { SqliteSteps } from './sqlite-steps.ts'

/** Keeps messages within the step that calls it. */
export type PutNotices = (entries: readonly OutboxEntry[]) => void

export function createPutNotices(database: DatabaseSync): PutNotices {
  const insert = database.prepare('INSERT INTO outbox (id, due_ms, failed_rounds, body) VALUES (?, ?, ?, ?)')
  return (entries) => {
    for (const { dueMs, failedRounds, ...body } of entries) insert.run(body.id, dueMs, failedRounds, encodeRow(body))
  }
}

export function createSqliteOutbox(
  database: DatabaseSync,
  { steps, putNotices }: { readonly steps: SqliteSteps; readonly putNotices: PutNotices },
): WebhookOutbox {
  const selectDue = database.prepare(
    'SELECT due_ms, failed_rounds, body FROM outbox WHERE due_ms <= ? ORDER BY due_ms, n LIMIT ?',
  )
  const selectNext = database.prepare('SELECT min(due_ms) AS due_ms FROM outbox')
  const postponeOne = database.prepare('UPDATE outbox SET due_ms = ?, failed_rounds = failed_rounds + 1 WHERE id = ?')
  const remove = database.prepare('DELETE FROM outbox WHERE id = ?')
  return {
    put: (entries) => steps.transact(() => putNotices(entries)),
    listDue: (nowMs, limit) => steps.run(() => selectDue.all(nowMs, limit).map(entryOf)),
    nextDueMs: () =>
      steps.run(() => {
        const due = selectNext.get()?.['due_ms']
        return typeof due === 'number' ? due : undefined
      }),
    postpone: (id, dueMs) => steps.run(() => void postponeOne.run(dueMs, id)),
    remove: (id) => steps.run(() => void remove.run(id)),
  }
}

function entryOf(row: Readonly<Record<string, unknown>>): OutboxEntry {
  const body: Omit<OutboxEntry, 'dueMs' | 'failedRounds'> = JSON.parse(String(row['body']))
  return { ...body, dueMs: Number(row['due_ms']), failedRounds: Number(row['failed_rounds']) }
}
