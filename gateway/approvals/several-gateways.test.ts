import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { gatewayInProcess } from '../testing/gateway-in-process.ts'
import { HELD_LEASE_MS } from './limits.ts'
import { aRequest, openDesk } from './testing/desk-under-test.ts'

const SIGNAL = new AbortController().signal
const BY = { tenant: 'default', by: 'tok_1' }
const FORM = {
  kind: 'form',
  asker: 'files',
  fields: [{ name: 'age', type: 'integer', isRequired: true }],
} as const

test('a decision that another gateway takes reaches the one that holds the call', async () => {
  const holds = await openDesk({ holder: 'a' })
  const decides = await openDesk({ holder: 'b', folder: holds.folder })
  const asked = [await holds.desk.open(aRequest({ callId: '1' })), await holds.desk.open(aRequest({ callId: '2' }))]
  const settled = asked.map(({ id }) => holds.desk.settled('default', id, SIGNAL))
  await decides.desk.decide([{ id: asked[1]?.id ?? '', decision: 'deny' }], BY)
  await decides.desk.decide([{ id: asked[0]?.id ?? '', decision: 'allow-once' }], BY)
  expect(await settled[1]).toMatchObject({ state: 'denied', decidedBy: 'tok_1' })
  expect(await settled[0]).toMatchObject({ state: 'allowed-once' })
})

test('what a person fills in there comes with it, once, and nobody reads it in the file', async () => {
  const holds = await openDesk({ holder: 'a' })
  const decides = await openDesk({ holder: 'b', folder: holds.folder })
  const { id } = await holds.desk.open(aRequest({ question: FORM, allowedDecisions: ['allow-once', 'deny'] }))
  const settled = holds.desk.settled('default', id, SIGNAL)
  const [decided] = await decides.desk.decide([{ id, decision: 'allow-once', answer: { age: 417_283_941 } }], BY)
  expect(decided).toMatchObject({ kind: 'decided' })
  const files = await Promise.all(['desk.db', 'desk.db-wal'].map((file) => readFile(path.join(holds.folder, file))))
  expect(Buffer.concat(files).includes('417283941')).toBe(false)
  expect((await settled).answer).toEqual({ age: 417_283_941 })
  expect(await holds.store.approvals.takeAnswer('default', id)).toBeUndefined()
})

test('the start and the stop of one gateway leave what another one holds', async () => {
  const holds = await openDesk({ holder: 'a' })
  const { id } = await holds.desk.open(aRequest({}))
  const other = await openDesk({ holder: 'b', folder: holds.folder })
  await other.desk.close()
  expect((await holds.store.approvals.get('default', id))?.approval.state).toBe('pending')
  expect(holds.ended).toEqual([])
  await openDesk({ holder: 'a', folder: holds.folder })
  expect((await holds.store.approvals.get('default', id))?.approval).toMatchObject({
    state: 'cancelled',
    reason: 'the gateway ended while this was pending',
  })
})

test('what a killed gateway held is cancelled by the start of another once its time is over, and not while it waits', async () => {
  const holds = await openDesk({ holder: 'a', clock: () => 1_000 })
  const { id } = await holds.desk.open(aRequest({}))
  const stateAt = async (nowMs: number) => {
    await openDesk({ holder: 'b', folder: holds.folder, clock: () => nowMs })
    return (await holds.store.approvals.get('default', id))?.approval.state
  }
  expect(await stateAt(1_000 + HELD_LEASE_MS)).toBe('pending')
  await holds.store.approvals.renewHeld('a', 2_000 + HELD_LEASE_MS)
  expect(await stateAt(1_001 + HELD_LEASE_MS)).toBe('pending')
  expect(await stateAt(2_001 + HELD_LEASE_MS)).toBe('cancelled')
})

test('for as long as somebody waits it is said that this one holds it', async () => {
  const clock = { nowMs: 1_000 }
  const holds = await openDesk({ holder: 'a', clock: () => clock.nowMs })
  const { id } = await holds.desk.open(aRequest({}))
  const waiting = new AbortController()
  const settled = holds.desk.settled('default', id, waiting.signal)
  clock.nowMs += HELD_LEASE_MS - 1
  const untilMs = async () => (await holds.store.approvals.get('default', id))?.holder?.untilMs
  await expect.poll(untilMs, { timeout: 20_000, interval: 50 }).toBe(clock.nowMs + HELD_LEASE_MS)
  waiting.abort(new Error('left'))
  await expect(settled).rejects.toThrow('left')
})

test('a call that one gateway holds is made once a person allows it at another one on the store', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-several-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const url = JSON.stringify(`sqlite:${path.join(folder, 'shared.db')}`)
  const config = `{ tools: { approvals: 'destructive' }, store: { url: ${url} } }`
  const [holds, decides] = [await gatewayInProcess({ config }), await gatewayInProcess({ config })]
  const args = { invoice_id: 'inv-1001', amount_cents: 100, reason: 'damaged' }
  const toolUrl = '/v1/tools/plugin%3Ademo%3Arefund_payment/call'
  const calling = holds.ask(holds.admin, { method: 'POST', url: toolUrl, body: { args } })
  const pending = async () =>
    (await decides.ask(holds.admin, { url: '/v1/approvals?state=pending' })).body.approvals.at(0)?.id
  await expect.poll(pending, { timeout: 20_000, interval: 20 }).toBeDefined()
  const decision = { method: 'POST', url: `/v1/approvals/${await pending()}/decision` } as const
  await decides.ask(holds.admin, { ...decision, body: { decision: 'allow-once' } })
  expect((await calling).body).toMatchObject({ outcome: 'ok', effect: 'done' })
})
