import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import type { WebhookOutbox } from '../../store/webhook-outbox.ts'
import { postWebhook } from './post-webhook.ts'
import { createNoticesOf } from './webhook-notices.ts'
import type { WebhookSettings } from './webhook-notices.ts'
import { createWebhookSender } from './webhook-sender.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const ALL = ['approval.requested', 'approval.decided', 'turn.finished']

test('a message arrives once, signed so that the library of the standard verifies it', async () => {
  const receiver = await aReceiver(() => 204)
  const { tell, outbox } = await aSender([receiver.url])
  await tell({ type: 'approval.requested', tenant: 'acme', data: { id: 'apr_1', title: 'Pay' } })
  await untilSent(outbox)
  const [{ headers, body } = NOTHING] = receiver.got
  expect(receiver.got).toHaveLength(1)
  const verified = new Webhook(SECRET).verify(body, plain(headers))
  expect(verified).toEqual({
    type: 'approval.requested',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: { id: 'apr_1', title: 'Pay' },
  })
  expect(() => new Webhook(SECRET).verify(body.replace('Pay', 'Pax'), plain(headers))).toThrow('No matching signature')
})

test('a receiver is told of what it wants alone', () => {
  const urls = ['http://a.example/', 'http://b.example/']
  const webhooks = () => [
    { url: urls[0] ?? '', secret: SECRET, events: ['approval.requested'] },
    { url: urls[1] ?? '', secret: SECRET, events: ALL },
  ]
  const noticesOf = createNoticesOf({ webhooks, now: Date.now })
  const told = (type: 'approval.requested' | 'turn.finished') =>
    noticesOf({ type, tenant: 'a', data: {} }).map(({ url }) => url)
  expect([told('approval.requested'), told('turn.finished')]).toEqual([urls, urls.slice(1)])
})

test('a secret that is a plain text signs by its bytes', async () => {
  const receiver = await aReceiver(() => 200)
  const { tell, outbox, configure } = await aSender([receiver.url])
  const secret = 'påssword in words'
  configure([{ url: receiver.url, secret, events: ALL }])
  await tell({ type: 'turn.finished', tenant: 'a', data: {} })
  await untilSent(outbox)
  const [{ headers, body } = NOTHING] = receiver.got
  expect(new Webhook(Buffer.from(secret), { format: 'raw' }).verify(body, plain(headers))).toMatchObject({ data: {} })
})

test('a receiver that is down gets the newest when it is back, and the log says how many were dropped', async () => {
  const receiver = await aReceiver(() => 500)
  const { tell, outbox, log } = await aSender([receiver.url], { backlog: 3 })
  for (let n = 1; n <= 8; n += 1) await tell({ type: 'turn.finished', tenant: 'a', data: { n } })
  await expect.poll(async () => (await outbox.listDue(receiver.url, 9e15, 100)).length).toBe(3)
  const kept = await outbox.listDue(receiver.url, 9e15, 100)
  expect(kept.map(({ body }) => body['data'])).toEqual([{ n: 6 }, { n: 7 }, { n: 8 }])
  const dropped = log.filter((line) => line.startsWith('too many messages wait for a receiver'))
  expect(dropped.map((line) => Number(/"messages":(\d+)/.exec(line)?.[1])).reduce((sum, each) => sum + each, 0)).toBe(5)
})

test('one that fails is sent again with the same id, and goes before what came after it', async () => {
  const receiver = await aReceiver((count) => (count <= 2 ? 500 : 200))
  const { tell, outbox } = await aSender([receiver.url])
  for (const id of ['first', 'second']) await tell({ type: 'turn.finished', tenant: 'a', data: { id } })
  await untilSent(outbox)
  expect(receiver.got.map(({ body }) => JSON.parse(body).data.id)).toEqual(['first', 'first', 'first', 'second'])
  expect(new Set(receiver.got.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('a receiver that stays down keeps its messages for later, and holds up no other', async () => {
  const [down, up] = [await aReceiver(() => 503), await aReceiver(() => 200)]
  const { tell, outbox, folder } = await aSender([down.url, up.url])
  for (const id of ['x', 'y']) await tell({ type: 'turn.finished', tenant: 'a', data: { id } })
  await untilFailed(outbox, down.url)
  expect(up.got).toHaveLength(2)
  expect(down.got.length).toBe(4)
  const waiting = await outbox.listDue(down.url, 9e15, 9)
  expect(waiting.map(({ failedRounds }) => failedRounds)).toEqual([1, 0])
  expect(waiting[0]?.dueMs).toBeGreaterThan(Date.now() + 30_000)
  expect(waiting[1]?.dueMs).toBe(waiting[0]?.dueMs)
  // It is due after the next start too, which sends it where the receiver is back.
  const later = await aSender([down.url], { folder, nowMs: () => Date.now() + 86_400_000 })
  down.answer(200)
  await untilSent(later.outbox)
  expect(down.got.slice(4).map(({ body }) => JSON.parse(body).data.id)).toEqual(['x', 'y'])
})

test('redirects are not followed', async () => {
  const other = await aReceiver(() => 200)
  const receiver = await aReceiver(() => 302, { location: other.url })
  const { tell, outbox } = await aSender([receiver.url])
  await tell({ type: 'turn.finished', tenant: 'a', data: {} })
  await untilFailed(outbox, receiver.url)
  expect(other.got).toEqual([])
})

test('who answers 410, and who is configured no more, is not asked again', async () => {
  const gone = await aReceiver(() => 410)
  const { tell, outbox, log, configure } = await aSender([gone.url])
  await tell({ type: 'turn.finished', tenant: 'a', data: {} })
  await untilSent(outbox)
  expect(gone.got).toHaveLength(1)
  configure([])
  await outbox.put([{ id: 'old', tenant: 'a', url: gone.url, body: {}, createdMs: 1, dueMs: 1, failedRounds: 0 }])
  await tell({ type: 'turn.finished', tenant: 'a', data: {} })
  await untilSent(outbox)
  expect(gone.got).toHaveLength(1)
  expect(log.join()).toContain('configured no more')
})

test('what is written to the log holds neither the secret nor the body', async () => {
  const receiver = await aReceiver(() => 500)
  const { tell, outbox, log } = await aSender([receiver.url])
  await tell({ type: 'turn.finished', tenant: 'a', data: { answer: 'the answer' } })
  await untilFailed(outbox, receiver.url)
  expect(log.join()).toContain('the receiver answered 500')
  expect(log.join()).not.toMatch(/whsec_|the answer/)
})

test('an address of a metadata service is not connected to, whatever leads there', async () => {
  const entry = { id: 'm', tenant: 'a', body: {}, createdMs: 1, dueMs: 1, failedRounds: 0 }
  for (const url of ['http://169.254.169.254/latest', 'http://[fd00:ec2::254]/', 'http://0.0.0.0:1/']) {
    await expect(postWebhook({ ...entry, url }, SECRET, new AbortController().signal)).rejects.toThrow('is forbidden')
  }
})

const PATIENCE = { timeout: 20_000, interval: 10 }

function untilSent(outbox: WebhookOutbox): Promise<void> {
  return expect.poll(() => outbox.nextDueMs([]), PATIENCE).toBeUndefined()
}

function untilFailed(outbox: WebhookOutbox, url: string): Promise<void> {
  return expect.poll(async () => (await outbox.listDue(url, 9e15, 1))[0]?.failedRounds, PATIENCE).toBe(1)
}

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const NOTHING: Got = { headers: {}, body: '' }

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

async function aReceiver(statusOf: (count: number) => number, headers: Readonly<Record<string, string>> = {}) {
  const got: Got[] = []
  let answers = statusOf
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await text(request) })
    response.writeHead(answers(got.length), headers).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    got,
    url: `http://127.0.0.1:${port}/hook`,
    answer: (status: number) => {
      answers = () => status
    },
  }
}

interface SenderOptions {
  readonly folder?: string
  readonly nowMs?: () => number
  readonly backlog?: number
}

async function aSender(urls: readonly string[], options: SenderOptions = {}) {
  const { folder: known, nowMs: now = Date.now, backlog = 10_000 } = options
  const folder = known ?? (await mkdtemp(path.join(os.tmpdir(), 'drawbridge-outbox-')))
  const store = await openSqliteStore(path.join(folder, 'outbox.db'))
  const { outbox } = store
  let configured: readonly WebhookSettings[] = urls.map((url) => ({ url, secret: SECRET, events: ALL }))
  const log: string[] = []
  const write = (facts: unknown, message?: string): void => void log.push(`${message} ${JSON.stringify(facts)}`)
  const webhooks = () => configured
  const sender = createWebhookSender({
    outbox,
    webhooks,
    backlog: () => backlog,
    post: postWebhook,
    log: { info: write, warn: write, error: write },
    now,
    retryMs: 5,
  })
  onTestFinished(async () => {
    await sender.close()
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  const noticesOf = createNoticesOf({ webhooks, now })
  return {
    outbox,
    log,
    folder,
    tell: async (event: Parameters<typeof noticesOf>[0]) => {
      await outbox.put(noticesOf(event))
      sender.look()
    },
    configure: (next: readonly WebhookSettings[]) => {
      configured = next
    },
  }
}
