import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Receipt } from '../../../../bridge/receipt.ts'
import { chainHash, receiptText } from '../../../store/receipt-chain.ts'
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts'
import type { CliUnderTest } from '../../testing/cli-under-test.ts'
import { cliUnderTest } from '../../testing/cli-under-test.ts'

test('verify says how many receipts each tenant has and where its chain ends', async () => {
  const under = await withReceipts(3)
  const { exitCode, stdout, stderr } = await under.run('audit', 'verify')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(
    /^acme: 3 receipts, intact, end 3:[0-9a-f]{64}\ndefault: 3 receipts, intact, end 3:[0-9a-f]{64}\n$/,
  )
  expect(JSON.parse((await under.run('audit', 'verify', '--tenant', 'acme', '--json')).stdout)).toEqual({
    intact: true,
    chains: [{ tenant: 'acme', receipts: 3, end: { seq: 3, hash: expect.any(String) }, faults: [] }],
  })
})

test('verify ends with 1 and names what was changed, removed or moved', async () => {
  const under = await withReceipts(4)
  damage(under, `UPDATE receipts SET body = replace(body, '"ok"', '"failed"') WHERE tenant = 'acme' AND seq = 2`)
  damage(under, `DELETE FROM receipts WHERE tenant = 'default' AND seq = 3`)
  const { exitCode, stdout, stderr } = await under.run('audit', 'verify')
  expect(exitCode).toBe(1)
  expect(stdout).toContain('acme: 4 receipts, 1 faults, end')
  expect(stdout).toContain('\n    receipt 2 ("r2") was changed\n')
  expect(stdout).toContain('\n    receipt 3 was removed\n')
  expect(stderr).toBe('error: receipts of "acme", "default" were removed, changed or moved after they were written\n')
  const asJson = await under.run('audit', 'verify', '--json')
  expect(asJson.exitCode).toBe(1)
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    intact: false,
    chains: [{ faults: [{ kind: 'changed', seq: 2 }] }, { faults: [{ kind: 'removed', seq: 3 }] }],
  })
})

test('an end that was noted shows that a whole tenant was removed', async () => {
  const under = await withReceipts(2)
  const noted = /acme.*end (\S+)/.exec((await under.run('audit', 'verify')).stdout)?.[1] ?? ''
  expect((await under.run('audit', 'verify', '--tenant', 'acme', '--anchor', noted)).exitCode).toBe(0)
  damage(under, `DELETE FROM receipts WHERE tenant = 'acme'; DELETE FROM receipt_ends WHERE tenant = 'acme'`)
  expect((await under.run('audit', 'verify')).exitCode).toBe(0)
  const gone = await under.run('audit', 'verify', '--tenant', 'acme', '--anchor', noted)
  expect(gone.exitCode).toBe(1)
  expect(gone.stdout).toBe('acme: 0 receipts, 1 faults\n    receipts 1 to 2 were removed at the end\n')
  expect(await under.run('audit', 'verify', '--anchor', noted)).toMatchObject({
    exitCode: 2,
    stderr: 'error: --anchor is of one chain; add --tenant\n',
  })
  expect((await under.run('audit', 'verify', '--anchor', 'x')).stderr).toContain(
    'expected a place and its hash, as "audit verify" prints them',
  )
})

test('tail prints the last receipts, a line each', async () => {
  const under = await withReceipts(30)
  const { stdout } = await under.run('audit', 'tail', '--last', '2')
  expect(stdout).toBe(
    '29  1970-01-01T00:00:00.001Z  default  plugin:demo:x  ok  effect done  2 ms  r29\n' +
      '30  1970-01-01T00:00:00.001Z  default  plugin:demo:x  ok  effect done  2 ms  r30\n',
  )
  const { receipts } = JSON.parse((await under.run('audit', 'tail', '--tenant', 'acme', '--json')).stdout)
  expect(receipts.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 11))
  expect((await under.run('audit', 'tail', '--last', '0')).stderr).toContain('expected a whole number from 1 to 9999')
})

test('export prints lines of JSON from which the chain can be checked again', async () => {
  const under = await withReceipts(5)
  const lines = (await under.run('audit', 'export')).stdout.trim().split('\n')
  let previous = '0'.repeat(64)
  for (const [index, line] of lines.entries()) {
    const row = JSON.parse(line)
    expect(row).toMatchObject({ seq: index + 1, previous, receipt: { id: `r${index + 1}` } })
    previous = chainHash(row, receiptText(row.receipt))
    expect(row.hash).toBe(previous)
  }
  expect(lines).toHaveLength(5)
})

test('a tenant without receipts is named with those that have some; so is a gateway without any', async () => {
  const under = await withReceipts(1)
  expect((await under.run('audit', 'tail', '--tenant', 'none')).stderr).toBe(
    'error: tenant "none" has no receipts; tenants with some: acme, default\n',
  )
  // A slip in the name is not an intact chain.
  expect(await under.run('audit', 'verify', '--tenant', 'none')).toMatchObject({
    exitCode: 1,
    stderr: 'error: tenant "none" has no receipts; tenants with some: acme, default\n',
  })
  const empty = await withReceipts(0)
  expect((await empty.run('audit', 'verify')).stdout).toBe('there are no receipts yet\n')
  expect((await empty.run('audit', 'export')).stderr).toContain('tenants with some: none')
  const never = await cliUnderTest()
  expect((await never.run('audit', 'verify')).stderr).toContain('start the gateway once')
})

test('a running gateway is asked, page by page, with the admin token', async () => {
  const rows = [1, 2].reduce<{ seq: number; id: string; previous: string; hash: string; receipt: Receipt }[]>(
    (all, seq) => {
      const receipt = aReceipt('default', `r${seq}`)
      const previous = all.at(-1)?.hash ?? '0'.repeat(64)
      return [
        ...all,
        { seq, id: receipt.id, previous, receipt, hash: chainHash({ seq, previous }, receiptText(receipt)) },
      ]
    },
    [],
  )
  const chains = { chains: [{ tenant: 'default', end: { seq: 2, hash: rows[1]?.hash } }] }
  const broken = rows.map((row) => ({ ...row, receipt: { ...row.receipt, ms: 9 } }))
  const { run, requests } = await cliUnderTest({
    answers: [{ body: chains }, { body: { receipts: rows } }, { body: chains }, { body: { receipts: broken } }],
  })
  expect(await run('audit', 'verify')).toMatchObject({ exitCode: 0 })
  expect(requests.map(({ url }) => url)).toEqual([
    'http://127.0.0.1:8790/v1/receipts/chains',
    'http://127.0.0.1:8790/v1/receipts?tenant=default&after=0&limit=500',
  ])
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer db_admin')
  expect((await run('audit', 'verify')).stdout).toContain('receipt 1 ("r1") was changed')
})

/** A stopped gateway with so many receipts of two tenants. */
async function withReceipts(count: number): Promise<CliUnderTest> {
  const under = await cliUnderTest()
  const store = await openSqliteStore(fileOf(under))
  for (let index = 1; index <= count; index += 1) {
    for (const tenant of ['default', 'acme']) await store.putReceipt(aReceipt(tenant, `r${index}`))
  }
  await store.close()
  return under
}

function damage(under: CliUnderTest, sql: string): void {
  const database = new DatabaseSync(fileOf(under))
  database.exec(sql)
  database.close()
}

function fileOf({ stateDirectory }: CliUnderTest): string {
  return path.join(stateDirectory, 'drawbridge.db')
}

function aReceipt(tenant: string, id: string): Receipt {
  const call = { callId: 'c', agent: 'default', toolId: 'plugin:demo:x', requested: 'x', catalogRevision: 'rev' }
  return { tenant, id, ...call, outcome: 'ok', effect: 'done', startedMs: 1, ms: 2 }
}
