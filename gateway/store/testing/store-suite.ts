import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Receipt } from '../../../bridge/receipt.ts'
import type { Run } from '../../../bridge/run.ts'
import type { ChatMessage } from '../../providers/provider.ts'
import { KNOWN_TOKENS_COUNT } from '../limits.ts'
import { CHAIN_START } from '../receipt-chain.ts'
import type { RunRecord, Store, TokenRecord, ValueEntry } from '../store.ts'
import { describeApprovalsModel } from './approvals-model.ts'
import { describeApprovals } from './approvals-suite.ts'
import { describeGrants } from './grants-suite.ts'
import { describeHeld } from './held-suite.ts'
import { describeOutbox } from './outbox-suite.ts'
import { describeMcpPins } from './mcp-pins-suite.ts'
import { describeMcpServers } from './mcp-servers-suite.ts'
import { describeWaiting } from './waiting-suite.ts'

/** One store at a time on the same data: `reopen` closes it and opens it again. */
export interface StoreUnderTest {
  readonly store: () => Store
  readonly reopen: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What every implementation of `Store` must do. */
export function describeStore(open: () => Promise<StoreUnderTest>): void {
  describe('a store', () => {
    let opened: StoreUnderTest | undefined
    const store = (): Store => {
      if (!opened) throw new Error('the store is not open')
      return opened.store()
    }
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.close())
    describeTokens(store)
    describeSessions(store)
    describeReceipts(store)
    describeRuns(store)
    describeValues(store)
    describeExpiry(store)
    describeWaiting(store)
    describeApprovals(store)
    describeHeld(store)
    describeGrants(store)
    describeOutbox(store)
    describeApprovalsModel(store)
    describeMcpServers(store)
    describeMcpPins(store)
    test('everything is there after the store was closed and opened again', async () => {
      const session = { tenant: 'reopened', id: 's', agent: 'default' }
      await store().appendMessages(session, [said('kept')], 1)
      await store().putReceipt(aReceipt({ tenant: 'reopened', id: 'kept' }))
      await store().keepReceipt(aReceipt({ tenant: 'reopened', id: 'waited' }))
      await opened?.reopen()
      expect(await store().listMessages('reopened', 's')).toEqual([said('kept')])
      expect(await store().getReceipt('reopened', 'waited')).toEqual(aReceipt({ tenant: 'reopened', id: 'waited' }))
      expect(await store().getReceipt('reopened', 'kept')).toEqual(aReceipt({ tenant: 'reopened', id: 'kept' }))
      await store().check()
    })
  })
}

function describeTokens(store: () => Store): void {
  test('a token is found by its hash alone, and revoking replaces it', async () => {
    const token = aToken({ id: 't1', hash: 'h1', name: 'chat' })
    await store().putToken(token)
    expect(await store().findToken('h1')).toEqual(token)
    expect(await store().findToken('t1')).toBeUndefined()
    await store().putToken({ ...token, revokedMs: 9 })
    expect(await store().findToken('h1')).toEqual({ ...token, revokedMs: 9 })
    expect((await store().listTokens()).filter(({ id }) => id === 't1')).toHaveLength(1)
  })
  test('a rotated token is no longer found by its old hash', async () => {
    await store().putToken(aToken({ id: 't2', hash: 'old' }))
    await store().putToken(aToken({ id: 't2', hash: 'new' }))
    expect(await store().findToken('old')).toBeUndefined()
    expect(await store().findToken('new')).toEqual(aToken({ id: 't2', hash: 'new' }))
    expect(await store().getToken('t2')).toEqual(aToken({ id: 't2', hash: 'new' }))
  })
  test('more tokens than are known at a time are each found, before and after one is revoked', async () => {
    const ids = Array.from({ length: KNOWN_TOKENS_COUNT + 5 }, (_, n) => `many${n}`)
    for (const id of ids) await store().putToken(aToken({ id, hash: `hash of ${id}` }))
    const find = () => Promise.all(ids.map((id) => store().findToken(`hash of ${id}`)))
    expect((await find()).map((token) => token?.id)).toEqual(ids)
    await store().putToken({ ...aToken({ id: 'many3', hash: 'hash of many3' }), revokedMs: 9 })
    const after = [...(await find()), ...(await Promise.all(ids.map((id) => store().getToken(id))))]
    expect(after.filter((token) => token?.revokedMs !== undefined).map((token) => token?.id)).toEqual([
      'many3',
      'many3',
    ])
  })
}

function describeSessions(store: () => Store): void {
  test('the first message makes the session, later ones keep its beginning and their order', async () => {
    const session = { tenant: 'a', id: 's1', agent: 'default' }
    expect(await store().getSession('a', 's1')).toBeUndefined()
    await store().appendMessages(session, [said('one'), said('two')], 10)
    await store().appendMessages(session, [said('three')], 20)
    expect(await store().getSession('a', 's1')).toEqual({ ...session, createdMs: 10, updatedMs: 20 })
    expect(await store().listMessages('a', 's1')).toEqual([said('one'), said('two'), said('three')])
  })
  test('of two tenants with one session id neither sees the other', async () => {
    await store().appendMessages({ tenant: 'a', id: 'same', agent: 'x' }, [said('of a')], 1)
    await store().appendMessages({ tenant: 'b', id: 'same', agent: 'y' }, [said('of b')], 2)
    await store().appendEvents('a', 'same', [{ event: 'turn-finished', atMs: 1 }])
    expect(await store().listMessages('b', 'same')).toEqual([said('of b')])
    expect(await store().listEvents('b', 'same')).toEqual([])
    expect((await store().getSession('b', 'same'))?.agent).toBe('y')
    expect(await store().getSession('c', 'same')).toBeUndefined()
  })
  test('of messages that are too large together with small ones none is kept', async () => {
    const tooLarge = said('x'.repeat(40 * 1024 * 1024))
    const refused = store().appendMessages({ tenant: 'a', id: 'large', agent: 'x' }, [said('small'), tooLarge], 1)
    await expect(refused).rejects.toMatchObject({ name: 'StoreError', code: 'row-too-large' })
    expect(await store().listMessages('a', 'large')).toEqual([])
    expect(await store().getSession('a', 'large')).toBeUndefined()
  })
  test('text of every script and quoting comes back as it was', async () => {
    const text = `'; DROP TABLE messages; -- "quoted" \u0000 \ud83d\ude00 \u202e עברית`
    await store().appendMessages({ tenant: "o'neil", id: '%_', agent: 'x' }, [said(text)], 1)
    expect(await store().listMessages("o'neil", '%_')).toEqual([said(text)])
    expect(await store().listMessages("o'neil", '__')).toEqual([])
  })
  test('appends that run at the same time are all kept, each whole', async () => {
    const session = { tenant: 'a', id: 'busy', agent: 'x' }
    const pairs = Array.from({ length: 50 }, (_, index) => [said(`${index} first`), said(`${index} second`)])
    await Promise.all(pairs.map((pair, index) => store().appendMessages(session, pair, index)))
    expect(await store().listMessages('a', 'busy')).toEqual(pairs.flat())
  })
}

function describeReceipts(store: () => Store): void {
  test('receipts are listed from the last written on, of one tenant, up to the limit', async () => {
    for (const id of ['r1', 'r2', 'r3']) await store().putReceipt(aReceipt({ tenant: 'a', id }))
    await store().putReceipt(aReceipt({ tenant: 'b', id: 'r1' }))
    expect((await store().listReceipts('a', 2)).map(({ id }) => id)).toEqual(['r3', 'r2'])
    expect((await store().listReceipts('b', 10)).map(({ id }) => id)).toEqual(['r1'])
    expect(await store().listReceipts('a', -1)).toEqual([])
    expect(await store().getReceipt('b', 'r2')).toBeUndefined()
  })
  test('a receipt is never rewritten', async () => {
    await store().putReceipt(aReceipt({ tenant: 'a', id: 'once' }))
    const again = store().putReceipt({ ...aReceipt({ tenant: 'a', id: 'once' }), outcome: 'failed' })
    await expect(again).rejects.toMatchObject({ name: 'StoreError' })
    expect(await store().getReceipt('a', 'once')).toMatchObject({ outcome: 'ok' })
  })
  test('receipts that are kept are there for whoever reads, in their order among the others', async () => {
    const tenant = 'kept'
    await store().keepReceipt(aReceipt({ tenant, id: 'k1' }))
    expect(await store().getReceipt(tenant, 'k1')).toEqual(aReceipt({ tenant, id: 'k1' }))
    await store().keepReceipt(aReceipt({ tenant, id: 'k2' }))
    await store().putReceipt(aReceipt({ tenant, id: 'k3' }))
    await store().keepReceipt(aReceipt({ tenant, id: 'k4' }))
    expect((await store().listReceipts(tenant, 9)).map(({ id }) => id)).toEqual(['k4', 'k3', 'k2', 'k1'])
    await store().keepReceipt(aReceipt({ tenant, id: 'k5' }))
    const rows = await store().readReceipts(tenant, 0, 9)
    expect(rows.map(({ seq, id }) => `${seq} ${id}`)).toEqual(['1 k1', '2 k2', '3 k3', '4 k4', '5 k5'])
    await store().keepReceipt(aReceipt({ tenant, id: 'k6' }))
    expect((await store().listReceiptChains()).find((chain) => chain.tenant === tenant)?.end?.seq).toBe(6)
  })
  test('receipts stand in the chain of their tenant, each bound to the one before it', async () => {
    for (const id of ['c1', 'c2', 'c3']) {
      await store().putReceipt(aReceipt({ tenant: 'chain', id }))
      await store().putReceipt(aReceipt({ tenant: 'other chain', id }))
    }
    await expect(store().putReceipt(aReceipt({ tenant: 'chain', id: 'c3' }))).rejects.toMatchObject({
      name: 'StoreError',
    })
    const rows = await store().readReceipts('chain', 0, 1_000)
    expect(rows.map(({ seq, id }) => [seq, id])).toEqual([
      [1, 'c1'],
      [2, 'c2'],
      [3, 'c3'],
    ])
    expect(rows.map(({ previous }) => previous)).toEqual([CHAIN_START, rows[0]?.hash, rows[1]?.hash])
    expect(await store().readReceipts('chain', 1, 1)).toEqual([rows[1]])
    const chains = await store().listReceiptChains()
    const end = { seq: 3, hash: rows[2]?.hash }
    expect(chains.filter(({ tenant }) => tenant.endsWith('chain'))).toEqual([
      { tenant: 'chain', end },
      { tenant: 'other chain', end: { seq: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ])
    expect(await store().readReceipts('nobody', 0, 10)).toEqual([])
  })
}

function describeRuns(store: () => Store): void {
  test('a run comes back with its record, for its tenant only', async () => {
    await store().putRun('a', aRun('run1'), aRecord({ journal: 'c2VhbGVk' }))
    expect(await store().getRun('a', 'run1')).toEqual({ run: aRun('run1'), record: aRecord({ journal: 'c2VhbGVk' }) })
    expect(await store().getRun('b', 'run1')).toBeUndefined()
  })
  test('journals of runs that started before a time go, the runs stay', async () => {
    await store().putRun('j', aRun('old'), aRecord({ startMs: 100, journal: 'b2xk' }))
    await store().putRun('j', aRun('new'), aRecord({ startMs: 200, journal: 'bmV3' }))
    expect(await store().expireJournals(200)).toBeGreaterThanOrEqual(1)
    expect((await store().getRun('j', 'old'))?.record).toEqual(aRecord({ startMs: 100 }))
    expect((await store().getRun('j', 'new'))?.record.journal).toBe('bmV3')
    expect(await store().expireJournals(200)).toBe(0)
  })
}

function describeValues(store: () => Store): void {
  test('a value is kept for one session of one tenant', async () => {
    const entry = { tenant: 'a', session: 's', key: 'list', value: { items: [1, null, 'x'] } }
    expect((await store().setValue(entry, 1000)).stored).toBe(true)
    expect(await store().getValue('a', 's', 'list')).toEqual(entry.value)
    expect(await store().getValue('a', 'other', 'list')).toBeUndefined()
    expect(await store().getValue('b', 's', 'list')).toBeUndefined()
  })
  test('a value past the bound is refused with the bytes in use; replacing counts the difference only', async () => {
    expect(await store().setValue(aValue('k', 'x'.repeat(50)), 100)).toEqual({ stored: true, usedBytes: 53 })
    expect(await store().setValue(aValue('l', 'x'.repeat(50)), 100)).toEqual({ stored: false, usedBytes: 53 })
    expect(await store().getValue('v', 's', 'l')).toBeUndefined()
    expect(await store().setValue(aValue('k', 'y'.repeat(90)), 100)).toEqual({ stored: true, usedBytes: 93 })
    // Bytes of UTF-8, not characters.
    expect((await store().setValue(aValue('k', 'é'.repeat(60)), 100)).stored).toBe(false)
  })
}

function describeExpiry(store: () => Store): void {
  test('values of sessions that begin so go once they are old, in every tenant; the others stay', async () => {
    const sessions = ['parked:1', 'parked:2', 'parked', 'other'] as const
    for (const session of sessions) await store().setValue({ tenant: `x-${session}`, session, key: 'k', value: 1 }, 1e6)
    await store().setValue({ tenant: 'x-parked:1', session: 'parked:1', key: 'other', value: 1 }, 1e6)
    const found = await store().listValueSessions('parked:')
    expect(found.map(({ tenant, session }) => `${tenant} ${session}`).toSorted()).toEqual([
      'x-parked:1 parked:1',
      'x-parked:2 parked:2',
    ])
    expect(await store().expireValues('parked:', 1)).toBe(0)
    expect(await store().expireValues('parked:', Date.now() + 60_000)).toBe(3)
    expect(await store().listValueSessions('parked:')).toEqual([])
    const left = await Promise.all(sessions.map((session) => store().getValue(`x-${session}`, session, 'k')))
    expect(left).toEqual([undefined, undefined, 1, 1])
  })
}

function aToken(given: Partial<TokenRecord>): TokenRecord {
  return { id: 't', name: 'chat', tenant: 'default', scopes: ['chat', 'tools'], hash: 'h', createdMs: 1, ...given }
}

function said(content: string): ChatMessage {
  return { role: 'user', content }
}

function aReceipt(given: { readonly tenant: string; readonly id: string }): Receipt {
  const call = { callId: 'c', agent: 'default', requested: 'x', catalogRevision: 'rev' }
  return { ...call, outcome: 'ok', effect: 'done', startedMs: 1, ms: 2, ...given }
}

function aValue(key: string, value: string): ValueEntry {
  return { tenant: 'v', session: 's', key, value }
}

function aRun(id: string): Run {
  const counts = { searches: 0, describes: 0, calls: 0, cpuMs: 0, wallMs: 0, heapPeakBytes: 0, bytesIn: 0, bytesOut: 0 }
  const telemetry = { catalogSize: 0, sources: {}, worker: 'kept' as const, ...counts }
  return { id, status: 'completed', value: { ok: true }, notices: [], logs: [], calls: [], artifacts: [], telemetry }
}

function aRecord(given: Partial<RunRecord>): RunRecord {
  return { agent: 'default', code: 'return 1', seed: 1, startMs: 1_000, ...given }
}
