import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { aPending } from '../testing/approval-makers.ts'
import { migrate } from './migrations.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

test('approvals of an older file are dropped by when they ended, and those that wait stay', async () => {
  const file = await anOlderFile(3, (database) => {
    const insert = database.prepare(
      `INSERT INTO approvals (tenant, id, call_id, agent, state, is_parked, created_ms, expires_ms, body)
     VALUES ('a', ?, ?, 'default', ?, 1, 1, 9, ?)`,
    )
    for (const [id, state, decidedMs] of [
      ['old', 'denied', 10],
      ['new', 'allowed-once', 30],
      ['waits', 'pending', undefined],
    ] as const) {
      insert.run(id, `call-${id}`, state, JSON.stringify({ ...aPending('a', id, `call-${id}`), state, decidedMs }))
    }
  })
  const store = await openSqliteStore(file)
  expect(await store.approvals.dropEnded(20, 10)).toBe(1)
  expect((await store.approvals.list('a', { limit: 10 })).map(({ id }) => id)).toEqual(['waits', 'new'])
  await store.close()
})

test('what a gateway of before held is held by nobody: the first start ends it', async () => {
  const file = await anOlderFile(10, (database) => {
    const insert = database.prepare(
      `INSERT INTO approvals (tenant, id, call_id, agent, state, is_parked, created_ms, expires_ms, body)
       VALUES ('a', ?, ?, 'default', 'pending', ?, 1, 9, ?)`,
    )
    for (const [id, isParked] of [
      ['held', 0],
      ['parked', 1],
    ] as const)
      insert.run(id, `call-${id}`, isParked, JSON.stringify(aPending('a', id, `call-${id}`)))
  })
  const store = await openSqliteStore(file)
  const held = await store.approvals.listHeld({ holder: 'any', nowMs: 0, limit: 10 })
  expect(held.map(({ id }) => id)).toEqual(['held'])
  expect(await store.approvals.get('a', 'parked')).not.toHaveProperty('holder')
  await store.close()
})

/** A file as an older Drawbridge left it. */
async function anOlderFile(version: number, fill: (database: DatabaseSync) => void): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-approvals-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'older.db')
  const database = new DatabaseSync(file)
  migrate(database, file, version)
  fill(database)
  database.close()
  return file
}
