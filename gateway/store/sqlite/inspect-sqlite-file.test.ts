import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { inspectSqliteFile } from './inspect-sqlite-file.ts'
import { STORE_VERSION } from './migrations.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

test('a file is told to be whole, old, too new, damaged or absent, and stays as it is', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-inspect-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'store.db')
  expect(await inspectSqliteFile(file)).toEqual({ kind: 'absent' })
  await (await openSqliteStore(file)).close()
  const before = await readFile(file)
  expect(await inspectSqliteFile(file)).toEqual({ kind: 'whole', isOld: false })
  expect((await readFile(file)).equals(before)).toBe(true)
  setVersion(file, 1)
  expect(await inspectSqliteFile(file)).toEqual({ kind: 'whole', isOld: true })
  setVersion(file, STORE_VERSION + 1)
  expect(await inspectSqliteFile(file)).toEqual({
    kind: 'unusable',
    message: `store "${file}" was written by a newer Drawbridge; use that one`,
  })
  const bytes = await readFile(file)
  await writeFile(file, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0xff)]))
  expect(await inspectSqliteFile(file)).toMatchObject({ kind: 'unusable', message: expect.stringContaining('damaged') })
  await writeFile(file, 'text '.repeat(1_000))
  expect(await inspectSqliteFile(file)).toMatchObject({ kind: 'unusable' })
})

function setVersion(file: string, version: number): void {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA user_version = ${version}`)
  database.close()
}
