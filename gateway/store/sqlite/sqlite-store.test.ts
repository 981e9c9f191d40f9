import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { describeStore } from '../testing/store-suite.ts'
import { migrate } from './migrations.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { toStoreError } from './sqlite-error.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-store-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('in SQLite', () => {
  describeStore(openSuiteStore)
})

async function openSuiteStore() {
  const file = path.join(folder, 'suite.db')
  const open = () => openSqliteStore(file, path.join(folder, 'suite.pending'))
  let store = await open()
  return {
    store: () => store,
    reopen: async () => {
      await store.close()
      store = await open()
    },
    close: () => store.close(),
  }
}

describe('the SQLite file', () => {
  test('only its owner may read it', async () => {
    const file = path.join(folder, 'mode.db')
    const store = await openSqliteStore(file)
    await store.check()
    for (const each of [file, `${file}-wal`]) expect((await stat(each)).mode & 0o777).toBe(0o600)
    await store.close()
  })
  test('store.url names a file relative to the state directory', async () => {
    const store = await openStore('sqlite:named.db', folder)
    await store.close()
    expect((await stat(path.join(folder, 'named.db'))).isFile()).toBe(true)
    await expect(openStore('mysql://x', folder)).rejects.toMatchObject({ code: 'store-unreachable' })
  })
  test('a token that another process revokes in a file that both use is known as revoked at once', async () => {
    const file = path.join(folder, 'two.db')
    const [here, there] = [await openSqliteStore(file), await openSqliteStore(file)]
    const token = { id: 't', name: 'bot', tenant: 'default', scopes: ['tools'], hash: 'h', createdMs: 1 } as const
    await here.putToken(token)
    expect(await there.findToken('h')).toEqual(token)
    await here.putToken({ ...token, revokedMs: 2 })
    expect([await there.findToken('h'), await there.getToken('t')]).toEqual([
      { ...token, revokedMs: 2 },
      { ...token, revokedMs: 2 },
    ])
    await Promise.all([here.close(), there.close()])
  })
  test("it is one process's alone where it lies in that one's folder itself", async () => {
    const [own, shared] = [path.join(folder, 'own'), path.join(folder, 'shared')]
    await mkdir(own)
    await mkdir(shared)
    await symlink(path.join(shared, 'linked.db'), path.join(own, 'linked.db'))
    const openings = [
      { url: 'sqlite:mine.db', isShared: false },
      { url: `sqlite:${own}/mine.db`, isShared: false },
      { url: `sqlite:${shared}/theirs.db`, isShared: true },
      { url: 'sqlite:linked.db', isShared: true },
    ]
    for (const { url, isShared } of openings) {
      const store = await openStore(url, own)
      expect({ url, isShared: store.isShared }).toEqual({ url, isShared })
      await store.close()
    }
  })
  test('a file of its own is shared once somebody else writes to it, and a token that is revoked there ends here', async () => {
    const own = path.join(folder, 'alone')
    await mkdir(own)
    const here = await openStore('sqlite:mine.db', own)
    const token = { id: 't', name: 'bot', tenant: 'default', scopes: ['tools'], hash: 'h', createdMs: 1 } as const
    const find = () => Promise.all([here.findToken('h'), here.getToken('t')])
    await here.putToken(token)
    const [known] = await find()
    expect((await find()).every((each) => each === known)).toBe(true)
    expect(here.isShared).toBe(false)
    const there = await openSqliteStore(path.join(own, 'mine.db'))
    for (const revokedMs of [2, 3]) {
      await there.putToken({ ...token, revokedMs })
      expect((await find()).map((each) => each?.revokedMs)).toEqual([revokedMs, revokedMs])
    }
    await there.close()
    expect(here.isShared).toBe(true)
    await here.close()
  })
  test('what was written survives SIGKILL', async () => {
    const file = path.join(folder, 'killed.db')
    const module = pathToFileURL(path.join(import.meta.dirname, 'open-sqlite-store.ts')).href
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(module)})
      const store = await openSqliteStore(${JSON.stringify(file)})
      await store.appendMessages({ tenant: 'a', id: 's', agent: 'x' }, [{ role: 'user', content: 'kept' }], 1)
      process.stdout.write('written')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const store = await openSqliteStore(file)
    expect(await store.listMessages('a', 's')).toEqual([{ role: 'user', content: 'kept' }])
    await store.close()
  })
})

describe('a file that cannot be used is an error with a code, the file and the way out', () => {
  test('not a database', async () => {
    const file = path.join(folder, 'text.db')
    await writeFile(file, 'not a database '.repeat(100))
    await expect(openSqliteStore(file)).rejects.toMatchObject({
      code: 'store-corrupt',
      message: `store "${file}" is not a SQLite database; restore a copy, or move it away to start anew`,
    })
    expect(await readFile(file, 'utf8')).toContain('not a database')
  })
  test('damaged inside', async () => {
    const file = path.join(folder, 'damaged.db')
    const store = await openSqliteStore(file)
    const messages = Array.from({ length: 200 }, () => ({ role: 'user' as const, content: 'x'.repeat(500) }))
    await store.appendMessages({ tenant: 'a', id: 's', agent: 'x' }, messages, 1)
    await store.close()
    const bytes = await readFile(file)
    await writeFile(file, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0xff)]))
    const read = async (): Promise<unknown> => {
      const damaged = await openSqliteStore(file)
      try {
        return await damaged.listMessages('a', 's')
      } finally {
        await damaged.close()
      }
    }
    await expect(read()).rejects.toMatchObject({ code: 'store-corrupt' })
  })
  test('locked by another program', async () => {
    const file = path.join(folder, 'locked.db')
    await (await openSqliteStore(file)).close()
    const other = new DatabaseSync(file)
    other.exec('BEGIN EXCLUSIVE')
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: 'store-locked' })
    other.exec('ROLLBACK')
    other.close()
    await (await openSqliteStore(file)).close()
  })
  test('read-only', async () => {
    const file = path.join(folder, 'read-only.db')
    await (await openSqliteStore(file)).close()
    const database = new DatabaseSync(file, { readOnly: true })
    const write = (): unknown => database.exec('UPDATE probe SET n = 5')
    expect(caught(write, file)).toMatchObject({ code: 'store-read-only' })
    database.close()
  })
  test('full', async () => {
    const file = path.join(folder, 'full.db')
    await (await openSqliteStore(file)).close()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA max_page_count = 1')
    const fill = (): unknown =>
      database.exec(`INSERT INTO probe VALUES (2, 1); CREATE TABLE big AS
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT randomblob(4000) FROM n`)
    expect(caught(fill, file)).toMatchObject({
      code: 'store-full',
      message: `store "${file}" cannot grow: the disk is full`,
    })
    database.close()
  })
  test('full when it is to be brought up to date', () => {
    const file = path.join(folder, 'full-at-start.db')
    const database = new DatabaseSync(file)
    database.exec('PRAGMA max_page_count = 8')
    expect(caught(() => migrate(database, file), file)).toMatchObject({ code: 'store-full' })
    database.close()
  })
  test('a folder, or in a folder that is not there', async () => {
    await mkdir(path.join(folder, 'folder.db'))
    await expect(openSqliteStore(path.join(folder, 'folder.db'))).rejects.toMatchObject({ code: 'store-unreachable' })
    await expect(openSqliteStore(path.join(folder, 'none', 'x.db'))).rejects.toMatchObject({
      code: 'store-unreachable',
    })
  })
  test('written by a newer Drawbridge', async () => {
    const file = path.join(folder, 'newer.db')
    await (await openSqliteStore(file)).close()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 999')
    database.close()
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: 'store-too-new' })
  })
  test('written by another gateway, which each can tell from what it wrote itself', async () => {
    const file = path.join(folder, 'several.db')
    const [one, other] = [await openSqliteStore(file), await openSqliteStore(file)]
    const version = () => one.approvals.versionOfOthers()
    const first = await version()
    await one.approvals.renewHeld('one', 5)
    await one.check()
    expect(await version()).toBe(first)
    await other.check()
    expect(await version()).not.toBe(first)
    await Promise.all([one.close(), other.close()])
  })
  test('closed; closing twice is safe', async () => {
    const store = await openSqliteStore(path.join(folder, 'closed.db'))
    await store.close()
    await store.close()
    await expect(store.check()).rejects.toMatchObject({ code: 'store-closed' })
  })
})

function caught(work: () => unknown, file: string): unknown {
  try {
    return work()
  } catch (error) {
    return toStoreError(error, file)
  }
}
