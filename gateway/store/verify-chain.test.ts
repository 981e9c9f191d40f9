import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { Receipt } from '../../bridge/receipt.ts'
import { CHAIN_START, chainHash, receiptText } from './receipt-chain.ts'
import { migrate } from './sqlite/migrations.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { ChainToVerify, VerifiedChain } from './verify-chain.ts'
import { verifyChain } from './verify-chain.ts'

test('a chain that nobody touched has no fault, over many pages and for each tenant', async () => {
  const verify = await aFile(1_200)
  const { faults, receipts, end } = await verify('')
  expect({ faults, receipts, seq: end?.seq }).toEqual({ faults: [], receipts: 1_200, seq: 1_200 })
  expect(await verify('', { tenant: 'nobody' })).toEqual({ tenant: 'nobody', receipts: 0, faults: [] })
})

test.each<readonly [string, string, VerifiedChain['faults']]>([
  [
    'a changed outcome',
    `UPDATE receipts SET body = replace(body, '"ok"', '"failed"') WHERE seq = 4`,
    [{ kind: 'changed', seq: 4, message: 'receipt 4 ("r4") was changed' }],
  ],
  [
    'a body that is no JSON',
    `UPDATE receipts SET body = '{' WHERE seq = 4`,
    [{ kind: 'changed', seq: 4, message: 'receipt 4 ("r4") was changed: it is no receipt' }],
  ],
  [
    'another id',
    `UPDATE receipts SET id = 'x' WHERE seq = 4`,
    [{ kind: 'changed', seq: 4, message: 'receipt 4 ("x") was changed: it holds receipt "r4"' }],
  ],
  [
    'a hash',
    `UPDATE receipts SET hash = '${CHAIN_START}' WHERE seq = 4`,
    [{ kind: 'changed', seq: 4, message: 'receipt 4 ("r4") was changed' }],
  ],
  [
    'a removed receipt',
    'DELETE FROM receipts WHERE seq = 4',
    [{ kind: 'removed', seq: 4, message: 'receipt 4 was removed' }],
  ],
  [
    'removed receipts at the start',
    'DELETE FROM receipts WHERE seq < 4',
    [{ kind: 'removed', seq: 1, message: 'receipts 1 to 3 were removed' }],
  ],
  [
    'a removed receipt whose gap was closed',
    'DELETE FROM receipts WHERE seq = 4; UPDATE receipts SET seq = seq - 1 WHERE seq > 4',
    [
      ...[4, 5, 6, 7, 8, 9].map((seq) => ({
        kind: 'moved' as const,
        seq,
        message: `receipt ${seq} ("r${seq + 1}") was moved here from place ${seq + 1}`,
      })),
      { kind: 'cut-off', seq: 10, message: 'receipt 10 was removed at the end' },
    ],
  ],
  [
    'the last receipts, removed',
    'DELETE FROM receipts WHERE seq > 8',
    [{ kind: 'cut-off', seq: 9, message: 'receipts 9 to 10 were removed at the end' }],
  ],
  [
    'all receipts, removed',
    'DELETE FROM receipts',
    [{ kind: 'cut-off', seq: 1, message: 'receipts 1 to 10 were removed at the end' }],
  ],
  [
    'the last receipt and the recorded end, removed',
    'DELETE FROM receipts WHERE seq > 9; DELETE FROM receipt_ends',
    [{ kind: 'cut-off', seq: 9, message: 'the recorded end of the chain was removed; receipt 9 is the last' }],
  ],
  [
    'two receipts that changed places',
    'UPDATE receipts SET seq = 100 WHERE seq = 4; UPDATE receipts SET seq = 4 WHERE seq = 7; UPDATE receipts SET seq = 7 WHERE seq = 100',
    [
      { kind: 'moved', seq: 4, message: 'receipt 4 ("r7") was moved here from place 7' },
      { kind: 'moved', seq: 7, message: 'receipt 7 ("r4") was moved here from place 4' },
    ],
  ],
  [
    'a receipt of another tenant in the place of one',
    `DELETE FROM receipts WHERE tenant = 'a' AND seq = 4; UPDATE receipts SET tenant = 'a' WHERE tenant = 'b' AND seq = 4`,
    [{ kind: 'changed', seq: 4, message: 'receipt 4 ("r4") was changed: it is one of tenant "b"' }],
  ],
])('%s is found and named', async (_title, sql, faults) => {
  const verify = await aFile(10)
  expect((await verify(sql)).faults).toEqual(faults)
})

test('a receipt that was replaced with a hash of its own does not fit the next one', async () => {
  const verify = await aFile(10)
  const { faults } = await verify((database) => rehash(database, 4, 4))
  expect(faults).toEqual([
    {
      kind: 'changed',
      seq: 5,
      message: 'receipt 5 ("r5") does not follow the one before it: one of the two was replaced',
    },
  ])
})

test('a chain that was made anew to its end differs from its recorded end', async () => {
  const verify = await aFile(10)
  const { faults } = await verify((database) => rehash(database, 4, 10))
  const message = 'receipt 10 ("r10") has another hash than was recorded: it, or one before it, was changed'
  expect(faults).toEqual([{ kind: 'changed', seq: 10, message }])
})

test('one that was made anew together with its recorded end differs from a hash noted elsewhere', async () => {
  const verify = await aFile(10)
  const noted = (await verify('')).end
  const forge = (database: DatabaseSync): void => {
    rehash(database, 4, 10)
    database.exec(`UPDATE receipt_ends SET hash = (SELECT hash FROM receipts WHERE tenant = 'a' AND seq = 10)`)
  }
  expect((await verify(forge)).faults).toEqual([])
  expect((await verify('', noted === undefined ? {} : { anchor: noted })).faults).toMatchObject([
    { kind: 'changed', seq: 10 },
  ])
  const later = { seq: 12, hash: 'x' }
  expect((await verify('', { anchor: later })).faults).toMatchObject([
    { message: 'receipts 11 to 12 were removed at the end' },
  ])
})

test('of a chain with very many faults the first hundred are named', async () => {
  const verify = await aFile(300)
  expect((await verify(`UPDATE receipts SET body = '{}'`)).faults).toHaveLength(100)
})

test('receipts of an older file are chained in their order when it is opened', async () => {
  const file = await aPlace()
  const database = new DatabaseSync(file)
  migrate(database, file, 1)
  const insert = database.prepare('INSERT INTO receipts (tenant, id, body) VALUES (?, ?, ?)')
  for (const id of ['z', 'm', 'a']) {
    for (const tenant of ['a', 'b']) insert.run(tenant, id, JSON.stringify(aReceipt(tenant, id)))
  }
  database.close()
  const store = await openSqliteStore(file)
  expect((await store.listReceipts('a', 10)).map(({ id }) => id)).toEqual(['a', 'm', 'z'])
  await store.putReceipt(aReceipt('a', 'new'))
  for (const { tenant, end } of await store.listReceiptChains()) {
    const readPage: ChainToVerify['readPage'] = (after, limit) => store.readReceipts(tenant, after, limit)
    const verified = await verifyChain({ tenant, end, readPage })
    expect(verified).toMatchObject({ tenant, receipts: tenant === 'a' ? 4 : 3, faults: [] })
  }
  await store.close()
})

type Damage = string | ((database: DatabaseSync) => void)

/** A file with so many receipts of two tenants; verifies what is left of tenant a's after some damage. */
async function aFile(count: number) {
  const file = await aPlace()
  const store = await openSqliteStore(file)
  for (let index = 1; index <= count; index += 1) {
    for (const tenant of ['a', 'b']) await store.putReceipt(aReceipt(tenant, `r${index}`))
  }
  await store.close()
  return async (damage: Damage, given: Partial<ChainToVerify> = {}): Promise<VerifiedChain> => {
    const database = new DatabaseSync(file)
    if (typeof damage === 'string') database.exec(damage)
    else damage(database)
    database.close()
    const damaged = await openSqliteStore(file)
    const tenant = given.tenant ?? 'a'
    const end = (await damaged.listReceiptChains()).find((chain) => chain.tenant === tenant)?.end
    const readPage: ChainToVerify['readPage'] = (after, limit) => damaged.readReceipts(tenant, after, limit)
    const verified = await verifyChain({ tenant, end, readPage, ...given })
    await damaged.close()
    return verified
  }
}

/** What a forger with the database would do: a changed receipt, and every hash from there to a place made anew. */
function rehash(database: DatabaseSync, from: number, to: number): void {
  const read = database.prepare('SELECT body FROM receipts WHERE tenant = ? AND seq = ?')
  const previousOf = database.prepare('SELECT hash FROM receipts WHERE tenant = ? AND seq = ?')
  const write = database.prepare('UPDATE receipts SET previous = ?, hash = ?, body = ? WHERE tenant = ? AND seq = ?')
  for (let seq = from; seq <= to; seq += 1) {
    const receipt: Receipt = JSON.parse(String(read.get('a', seq)?.['body']))
    const text = receiptText(seq === from ? { ...receipt, outcome: 'denied' } : receipt)
    const previous = String(previousOf.get('a', seq - 1)?.['hash'])
    write.run(previous, chainHash({ seq, previous }, text), text, 'a', seq)
  }
}

async function aPlace(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-chain-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return path.join(folder, 'store.db')
}

function aReceipt(tenant: string, id: string): Receipt {
  const call = { callId: 'c', agent: 'default', requested: 'x', catalogRevision: 'rev' }
  return { tenant, id, ...call, outcome: 'ok', effect: 'done', startedMs: 1, ms: 2 }
}
