import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PENDING_RECEIPTS_MS } from './limits.ts'
import { openPendingReceipts } from './pending-receipts.ts'
import type { ChainEntry } from './receipt-chain.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import { aReceipt, chains } from './testing/receipt-makers.ts'
import { verifyChain } from './verify-chain.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-receipts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let files = 0
function aFile(): string {
  files += 1
  return path.join(folder, `${files}.pending`)
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(2)
}

test('receipts of one moment get their places together, soon and unasked, and leave the file', async () => {
  const file = aFile()
  const { chain, batches } = chains()
  const pending = openPendingReceipts({ file, chain })
  for (const id of ['a', 'b', 'c']) pending.keep(aReceipt(id))
  expect(batches).toEqual([])
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(3)
  await until(() => batches.length > 0)
  expect(batches).toEqual([['a', 'b', 'c']])
  expect(await readFile(file, 'utf8')).toBe('')
  pending.close()
  pending.close()
})

test('a hundred of them do not wait for each other longer', () => {
  const { chain, batches } = chains()
  const pending = openPendingReceipts({ file: aFile(), chain })
  for (let n = 0; n <= 100; n += 1) pending.keep(aReceipt(`r${n}`))
  expect(batches.map((batch) => batch.length)).toEqual([100])
  pending.close()
  expect(batches.flat()).toHaveLength(101)
})

test('a fault of the chains is told to who comes next, whose own receipt is not kept; what waits is not lost', async () => {
  const { chain, batches, fail } = chains()
  const file = aFile()
  const pending = openPendingReceipts({ file, chain })
  pending.keep(aReceipt('a'))
  fail(new Error('the disk is full'))
  expect(() => pending.settle()).toThrow('the disk is full')
  pending.keep(aReceipt('b'))
  pending.check()
  await pause(2 * PENDING_RECEIPTS_MS)
  // Before a call is made too, so that it is not.
  expect(() => pending.check()).toThrow('the disk is full')
  expect(() => pending.keep(aReceipt('c'))).toThrow('the disk is full')
  fail(undefined)
  pending.check()
  pending.keep(aReceipt('d'))
  expect(batches).toEqual([['a', 'b']])
  pending.close()
  expect(batches).toEqual([['a', 'b'], ['d']])
})

test('what could not be chained before the end is chained at the next start', () => {
  const file = aFile()
  const { chain, batches, fail } = chains()
  const pending = openPendingReceipts({ file, chain })
  pending.keep(aReceipt('a'))
  fail(new Error('locked'))
  pending.close()
  fail(undefined)
  openPendingReceipts({ file, chain }).close()
  openPendingReceipts({ file, chain }).close()
  expect(batches).toEqual([['a']])
})

test('half a line that a power cut left takes no receipt with it that comes after it', async () => {
  const file = aFile()
  await writeFile(file, '{"id":"torn","ten')
  openPendingReceipts({ file, chain: () => {} }).keep(aReceipt('after'))
  const chained: ChainEntry[] = []
  openPendingReceipts({ file, chain: (receipts) => chained.push(...receipts) }).close()
  expect(chained.map(({ id }) => id)).toEqual(['after'])
})

test('half a line, and what is no receipt, are left out', async () => {
  const file = aFile()
  await writeFile(
    file,
    `${JSON.stringify(aReceipt('a'))}\n[]\nnot json\n${JSON.stringify(aReceipt('b'))}\n{"id":"c","te`,
  )
  const { chain, batches } = chains()
  const pending = openPendingReceipts({ file, chain })
  expect(batches).toEqual([['a', 'b']])
  pending.keep(aReceipt('d'))
  expect((await readFile(file, 'utf8')).split('\n').at(0)).toContain('"d"')
  pending.close()
})

test('nothing is written once it is closed, whatever file has its number then', async () => {
  const pending = openPendingReceipts({ file: aFile(), chain: () => {} })
  pending.note(aReceipt('late'))
  pending.close()
  const other = aFile()
  const handle = openSync(other, 'a')
  for (const id of ['new', 'late']) {
    expect(() => pending.note(aReceipt(id))).toThrow('is closed')
    expect(() => pending.keep(aReceipt(id))).toThrow('is closed')
  }
  closeSync(handle)
  expect(await readFile(other, 'utf8')).toBe('')
})

test('only its owner may read the file', async () => {
  const file = aFile()
  openPendingReceipts({ file, chain: () => {} }).close()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a receipt that is in its chain already is not added to it again', async () => {
  const [file, pending] = [path.join(folder, 'twice.db'), aFile()]
  const store = await openSqliteStore(file, pending)
  await store.keepReceipt(aReceipt('a'))
  await store.check()
  await store.keepReceipt({ ...aReceipt('a'), outcome: 'failed' })
  await store.keepReceipt(aReceipt('b'))
  const rows = await store.readReceipts('t', 0, 10)
  expect(rows.map(({ seq, id }) => [seq, id])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ])
  expect(await store.getReceipt('t', 'a')).toMatchObject({ outcome: 'ok' })
  await store.close()
  // As a kill between chain and file leaves it.
  await appendFile(pending, `${JSON.stringify(aReceipt('b'))}\n${JSON.stringify(aReceipt('c'))}\n`)
  const again = await openSqliteStore(file, pending)
  expect((await again.readReceipts('t', 0, 10)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  await again.close()
})

test('a receipt that was kept survives SIGKILL at that very moment, and its chain is whole', async () => {
  const [file, pending] = [path.join(folder, 'killed.db'), aFile()]
  const module = pathToFileURL(path.join(import.meta.dirname, 'sqlite/open-sqlite-store.ts')).href
  const program = `
    const { openSqliteStore } = await import(${JSON.stringify(module)})
    const store = await openSqliteStore(${JSON.stringify(file)}, ${JSON.stringify(pending)})
    for (const id of ['a', 'b']) await store.keepReceipt({ ...${JSON.stringify(aReceipt(''))}, id })
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
  const unsettled = new DatabaseSync(file)
  expect(unsettled.prepare('SELECT count(*) AS n FROM receipts').get()).toEqual({ n: 0 })
  unsettled.close()
  const store = await openSqliteStore(file, pending)
  const [chain] = await store.listReceiptChains()
  const readPage = (afterSeq: number, limit: number) => store.readReceipts('t', afterSeq, limit)
  const verified = await verifyChain({ tenant: 't', end: chain?.end, readPage })
  expect(verified).toMatchObject({ receipts: 2, faults: [] })
  expect((await store.listReceipts('t', 10)).map(({ id }) => id)).toEqual(['b', 'a'])
  await store.close()
})
