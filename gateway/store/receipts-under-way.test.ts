import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PENDING_FILE_BYTES, PENDING_RECEIPTS_COUNT } from './limits.ts'
import { openPendingReceipts } from './pending-receipts.ts'
import type { ChainEntry } from './receipt-chain.ts'
import { aReceipt, chains } from './testing/receipt-makers.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-under-way-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let files = 0
function aFile(): string {
  files += 1
  return path.join(folder, `${files}.pending`)
}

/** As it is at this moment. */
function copyOf(file: string): string {
  const copy = aFile()
  copyFileSync(file, copy)
  return copy
}

test('a call that was under way when the process ended has its note for a receipt, and one that had ended the receipt of its end', () => {
  const file = aFile()
  const { chain, batches, entries } = chains()
  const killed = openPendingReceipts({ file, chain })
  killed.note({ ...aReceipt('lost'), outcome: 'failed', effect: 'unknown' })
  killed.note({ ...aReceipt('ended'), outcome: 'failed', effect: 'unknown' })
  killed.keep(aReceipt('ended'))
  openPendingReceipts({ file, chain }).close()
  expect(batches).toEqual([['ended', 'lost']])
  expect(entries.map((entry) => 'outcome' in entry && entry.outcome)).toEqual(['ok', 'failed'])
})

test('a call is kept whole when it ended, though only its end was written then', () => {
  const file = aFile()
  const { chain, entries } = chains()
  const killed = openPendingReceipts({ file, chain })
  const receipt = { ...aReceipt('asked'), toolId: 'mcp:x:act', inputHash: 'f'.repeat(64), approval: 'ap_1', ms: 77 }
  killed.note({ ...receipt, outcome: 'failed', effect: 'unknown', ms: 0 })
  const noted = readFileSync(file, 'utf8').length
  killed.keep(receipt)
  expect(readFileSync(file, 'utf8').length - noted).toBeLessThan(noted / 2)
  openPendingReceipts({ file, chain }).close()
  expect(entries).toEqual([receipt])
})

test('nothing is left of an end whose note a power cut took', async () => {
  const file = aFile()
  const { chain, entries } = chains()
  openPendingReceipts({ file, chain }).close()
  await writeFile(file, `ended ${JSON.stringify({ id: 'torn', tenant: 't', outcome: 'ok', effect: 'done', ms: 1 })}\n`)
  openPendingReceipts({ file, chain }).close()
  expect(entries).toEqual([])
})

test('a call keeps its note while others come into their chains, until it has ended too', async () => {
  const file = aFile()
  const { chain, batches } = chains()
  const pending = openPendingReceipts({ file, chain })
  pending.note(aReceipt('long'))
  pending.keep(aReceipt('short'))
  pending.settle()
  expect(batches).toEqual([['short']])
  expect(await readFile(file, 'utf8')).toContain('call_long')
  pending.keep(aReceipt('long'))
  pending.settle()
  expect(batches).toEqual([['short'], ['long']])
  expect(await readFile(file, 'utf8')).toBe('')
  pending.close()
})

test('a call comes into its chain once that can be written again, though its end was told as one that could not be kept', () => {
  const file = aFile()
  const { chain, batches, entries, fail } = chains()
  const pending = openPendingReceipts({ file, chain })
  const ids = Array.from({ length: PENDING_RECEIPTS_COUNT + 20 }, (_, n) => `r${n}`)
  for (const id of ids) pending.note({ ...aReceipt(id), outcome: 'failed', effect: 'unknown' })
  fail(new Error('the disk is full'))
  const refused = ids.filter((id) => {
    try {
      pending.keep(aReceipt(id))
      return false
    } catch {
      return true
    }
  })
  expect(refused).toEqual(ids.slice(PENDING_RECEIPTS_COUNT))
  const killed: ChainEntry[] = []
  openPendingReceipts({ file: copyOf(file), chain: (all) => void killed.push(...all) }).close()
  expect(killed.flatMap((entry) => ('outcome' in entry && entry.outcome === 'failed' ? [entry.id] : []))).toEqual(
    refused,
  )
  fail(undefined)
  pending.check()
  expect(batches).toEqual([ids])
  expect(entries.every((entry) => 'outcome' in entry && entry.outcome === 'ok')).toBe(true)
  pending.close()
})

test('of thousands under way the notes are written again a few times, and not with each hundred that end', async () => {
  const file = aFile()
  const { chain, entries } = chains()
  const pending = openPendingReceipts({ file, chain })
  const ids = Array.from({ length: 4_000 }, (_, n) => `r${n}`)
  const long = 'x'.repeat(1_000)
  for (const id of ids) pending.note({ ...aReceipt(id), requested: long, outcome: 'failed', effect: 'unknown' })
  const sizes = ids.map((id) => {
    pending.keep({ ...aReceipt(id), requested: long })
    return statSync(file).size
  })
  expect(sizes.filter((size, n) => size < (sizes[n - 1] ?? 0)).length).toBeLessThan(4)
  pending.settle()
  expect([entries.length, statSync(file).size]).toEqual([ids.length, 0])
  pending.close()
})

test('a call that lasts does not make the file grow without end', async () => {
  const file = aFile()
  const { chain } = chains()
  const pending = openPendingReceipts({ file, chain })
  pending.note(aReceipt('long'))
  for (let n = 0; n < 300; n += 1) {
    pending.keep({ ...aReceipt(`r${n}`), requested: 'x'.repeat(5_000) })
    pending.settle()
  }
  const text = await readFile(file, 'utf8')
  expect(text.length).toBeLessThan(PENDING_FILE_BYTES + 10_000)
  expect(text.startsWith('under way ')).toBe(true)
  pending.close()
  openPendingReceipts({ file, chain }).close()
  expect(await readFile(file, 'utf8')).toBe('')
})
