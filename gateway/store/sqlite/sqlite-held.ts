import type { DatabaseSync } from 'node:sqlite'
import type { HeldApprovals } from '../approval-store.ts'
import { APPROVAL_COLUMNS, approvalsOf } from './approval-row.ts'
import type { SqliteSteps } from './sqlite-steps.ts'

/** Which gateway holds a request open for it and until when that counts, and an answer on its way there. */
export const APPROVAL_HOLDERS = `
  ALTER TABLE approvals ADD COLUMN holder TEXT;
  ALTER TABLE approvals ADD COLUMN held_until_ms INTEGER;
  ALTER TABLE approvals ADD COLUMN answer TEXT;
  CREATE INDEX approvals_held ON approvals (holder) WHERE state = 'pending' AND is_parked = 0;
  CREATE INDEX approvals_answered ON approvals (ended_ms) WHERE answer IS NOT NULL;
  `

/** What several gateways on one store have to know of each other's approvals. */
export function createSqliteHeld(database: DatabaseSync, steps: SqliteSteps): HeldApprovals {
  const held = `state = 'pending' AND is_parked = 0`
  const list = database.prepare(
    `SELECT ${APPROVAL_COLUMNS} FROM approvals
     WHERE ${held} AND (holder IS NULL OR holder = ? OR held_until_ms < ?) ORDER BY expires_ms LIMIT ?`,
  )
  const renew = database.prepare(`UPDATE approvals SET held_until_ms = ? WHERE ${held} AND holder = ?`)
  const listEnded = database.prepare(
    `SELECT ${APPROVAL_COLUMNS} FROM json_each(?) AS asked CROSS JOIN approvals
     ON approvals.tenant = asked.value ->> 0 AND approvals.id = asked.value ->> 1 WHERE state <> 'pending'`,
  )
  // SQLite's own: writes of this connection leave it as it is.
  const version = database.prepare('PRAGMA data_version')
  const answerOf = database.prepare('SELECT answer FROM approvals WHERE tenant = ? AND id = ? AND answer IS NOT NULL')
  const forget = database.prepare('UPDATE approvals SET answer = NULL WHERE tenant = ? AND id = ?')
  const dropAnswers = database.prepare(
    'UPDATE approvals SET answer = NULL WHERE answer IS NOT NULL AND (ended_ms IS NULL OR ended_ms < ?)',
  )
  return {
    listHeld: ({ holder, nowMs, limit }) => steps.run(() => approvalsOf(list.all(holder, nowMs, limit))),
    renewHeld: (holder, untilMs) => steps.run(() => void renew.run(untilMs, holder)),
    versionOfOthers: () => steps.run(() => Number(version.get()?.['data_version'])),
    listEnded: (asked) =>
      steps.run(() => approvalsOf(listEnded.all(JSON.stringify(asked.map(({ tenant, id }) => [tenant, id]))))),
    takeAnswer: (tenant, id) =>
      steps.transact(() => {
        const answer = answerOf.get(tenant, id)?.['answer']
        if (typeof answer !== 'string') return undefined
        forget.run(tenant, id)
        return answer
      }),
    dropAnswers: (beforeMs) => steps.run(() => void dropAnswers.run(beforeMs)),
  }
}
