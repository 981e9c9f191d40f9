import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiClient, HeaderFields } from './testing/api-client.ts'
import { createApiClient } from './testing/api-client.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
const ADA: HeaderFields = { 'x-drawbridge-channel': 'ops', 'x-drawbridge-sender': 'ada' }

interface Event {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A bot in the channel "ops": it is told by webhooks, and writes what people write. */
let bot: ApiClient
let gateway: GatewayProcess
let receiver: Server
const events: Event[] = []

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = await text(request)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    // Throws, and so answers nothing, where the signature does not fit.
    new Webhook(SECRET).verify(body, headers)
    events.push(JSON.parse(body))
    response.writeHead(204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`
  gateway = await startGateway({
    config: {
      tools: { approvals: 'destructive' },
      redact: { patterns: ['KN-\\d{6}'] },
      approvals: {
        holdMs: 0,
        chat: { senders: ['channel:ops:ada'] },
        webhooks: [{ url, secret: '${HOOK_SECRET}' }],
      },
    },
    env: { HOOK_SECRET: SECRET },
  })
  bot = createApiClient(gateway.url, await makeToken({ name: 'bot', channels: ['ops'] }))
})

afterAll(async () => {
  await gateway?.remove()
  receiver?.closeAllConnections()
  receiver?.close()
})

test('a bot is told what waits, a named sender allows it in the chat, and the answer comes by webhook', async () => {
  const session = { ...ADA, 'x-drawbridge-session': 'ops-1' }
  const asked = await bot.chat('Refund a payment of 20000 cents on invoice inv-1001', {}, session)
  const id = await approvalIn(asked.body.choices[0].message.content)
  expect(asked.body.choices[0].message.content).toContain(`"/approve ${id} allow-once"`)
  const requested = await event('approval.requested', id)
  expect(requested.data).toMatchObject({
    id,
    state: 'pending',
    channel: 'ops',
    sender: 'ada',
    toolId: 'plugin:demo:refund_payment',
    input: { amount_cents: 20_000, invoice_id: 'inv-1001' },
  })
  const line = `/approve ${id} allow-once`
  const eve = await bot.chat(line, {}, { ...session, 'x-drawbridge-sender': 'eve' })
  expect(eve.body.choices[0].message.content).toContain('You may not decide approvals')
  const done = await bot.chat(line, {}, session)
  expect(done.body.choices[0].message.content).toContain('is allowed-once.')
  expect((await event('approval.decided', id)).data).toMatchObject({ state: 'allowed-once', decidedBy: 'chat:ops:ada' })
  const finished = await waitUntil('the turn has finished', () => events.find(({ type }) => type === 'turn.finished'))
  expect(finished.data).toMatchObject({ tenant: 'default', session: 'ops-1', status: 'completed' })
  expect(finished.data['answer']).toContain('1114000')
  const { body } = await bot.get('/v1/sessions/ops-1')
  expect(body.messages.at(-1).content).toContain('1114000')
})

test('whoever only claims to be that sender decides nothing, nor by the route', async () => {
  const impostor = createApiClient(gateway.url, await makeToken({ name: 'impostor' }))
  const asked = await impostor.chat('Refund a payment of 500 cents on invoice inv-1001', {}, ADA)
  const id = await approvalIn(asked.body.choices[0].message.content)
  // It is told of no way that is closed to it.
  expect(asked.body.choices[0].message.content).toContain(`approvals resolve ${id} allow-once`)
  expect(asked.body.choices[0].message.content).not.toContain('/approve')
  const line = await impostor.chat(`/approve ${id} allow-once`, {}, ADA)
  expect(line.body.choices[0].message.content).toContain('Approvals cannot be decided in this chat')
  for (const client of [impostor, bot]) {
    expect((await client.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })).status).toBe(403)
  }
  const elsewhere = await bot.chat('hello', {}, { ...ADA, 'x-drawbridge-channel': 'public' })
  expect([elsewhere.status, elsewhere.body.error.code]).toEqual([403, 'forbidden'])
  expect((await gateway.api.get(`/v1/approvals/${id}`)).body.state).toBe('pending')
})

test('what is configured as secret in an input is shown and kept nowhere, and what runs is the whole of it', async () => {
  const key = `sk-${'a1B2'.repeat(12)}`
  const args = { invoice_id: 'inv-1004', reason: `customer KN-123456 wrote ${key}` }
  const waiting = await gateway.api.call('plugin:demo:void_invoice', args)
  expect([waiting.status, waiting.body.outcome]).toEqual([202, 'waiting'])
  const id = waiting.body.pending[0].approval
  const approval = await gateway.api.get(`/v1/approvals/${id}`)
  expect(approval.body.input.reason).toContain('customer')
  const told = await event('approval.requested', id)
  const decided = await gateway.cli('approvals', 'resolve', id, 'allow-once', '--reason', 'KN-123456 agreed')
  await event('approval.decided', id)
  const voided = await waitUntil('it has been done', async () => {
    const { body } = await gateway.api.call('plugin:demo:list_invoices', { status: 'void' })
    return body.value.invoices.find((invoice: { readonly id: string }) => invoice.id === 'inv-1004')
  })
  expect(voided.void_reason).toBe(args.reason)
  const files = await readdir(gateway.stateDir, { recursive: true, withFileTypes: true })
  const kept = await Promise.all(
    files.filter((each) => each.isFile()).map((each) => readFile(path.join(each.parentPath, each.name), 'latin1')),
  )
  const shown = [approval.text, JSON.stringify([told, events]), decided.stdout, gateway.output()]
  for (const text of [...shown, ...kept]) expect(text).not.toMatch(/KN-123456|sk-a1B2/)
})

test('neither the secret of a receiver nor what it was sent is in the log', async () => {
  const log = await gateway.logText()
  expect(log).toContain('webhook sent')
  expect(log).not.toContain(SECRET)
  expect(gateway.output()).not.toContain(SECRET)
})

async function makeToken(request: object): Promise<string> {
  const { status, body } = await gateway.api.post('/v1/tokens', request)
  expect(status).toBe(201)
  return body.token
}

async function approvalIn(content: string): Promise<string> {
  const id = /apr_[0-9a-f]{16}/.exec(content)?.[0]
  if (id === undefined) throw new Error(`no approval in: ${content}`)
  return id
}

function event(type: string, id: string): Promise<Event> {
  return waitUntil(`${type} of ${id} arrives`, () =>
    events.find((each) => each.type === type && each.data['id'] === id),
  )
}
