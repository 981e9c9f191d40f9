import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import type { TurnEvent } from '../../../turn/turn.ts'
import { answerError } from '../../../http/http-error.ts'
import { answerWhole } from './answer-whole.ts'

const WAITING: TurnEvent = {
  kind: 'call-waiting',
  step: 1,
  callId: 'a',
  name: 'pay',
  pending: [{ approval: 'apr_1', callId: 'a', tool: 't', title: 'Pay', expiresMs: 1 }],
}
const FINISHED: TurnEvent = { kind: 'finished', end: 'stop', calls: [] }
const FAILED: TurnEvent = { kind: 'failed', failure: { code: 'upstream_failed', message: 'it broke' } }

/** Real sockets: what goes out early is the point. */
async function answerOf(
  events: readonly TurnEvent[],
  { headDelayMs, waitMs }: { readonly headDelayMs: number; readonly waitMs: number },
) {
  const app = fastify()
  app.setErrorHandler(answerError)
  app.get('/', (request, reply) => {
    async function* turn(): AsyncGenerator<TurnEvent> {
      for (const event of events) {
        if (event !== events[0]) await new Promise((resolve) => setTimeout(resolve, waitMs))
        yield event
      }
    }
    const chat = { model: 'm', messages: [], stream: false, includeUsage: false, clientTools: [], parameters: {} }
    const common = { turnId: 'turn_1', showsCalls: false, created: 1, heartbeatMs: 10, headDelayMs }
    return answerWhole({ chat, events: turn(), ...common }, request, reply)
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const response = await fetch(url)
    return { status: response.status, headers: response.headers, text: await response.text() }
  } finally {
    await app.close()
  }
}

test('an answer that waits for a person says so in a head that goes out before it is there', async () => {
  const { status, headers, text } = await answerOf([WAITING, { kind: 'text', text: 'Paid.' }, FINISHED], {
    headDelayMs: 1,
    waitMs: 60,
  })
  expect([status, headers.get('x-drawbridge-wait'), headers.get('link')]).toEqual([
    200,
    'approval',
    '</v1/approvals/apr_1>; rel=monitor',
  ])
  expect(text).toMatch(/^ +\{/)
  expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: 'Paid.' } }] })
})

test('one that is decided soon has its own status, and says that it waited', async () => {
  const soon = { headDelayMs: 60_000, waitMs: 1 }
  const good = await answerOf([WAITING, FINISHED], soon)
  expect([good.status, good.headers.get('x-drawbridge-wait'), good.text.startsWith('{')]).toEqual([
    200,
    'approval',
    true,
  ])
  expect((await answerOf([WAITING, FAILED], soon)).status).toBe(502)
})

test('an error after the head is the body', async () => {
  const { status, text } = await answerOf([WAITING, FAILED], { headDelayMs: 1, waitMs: 60 })
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'upstream_failed', message: 'it broke' } })
})

test('an answer that waits for nobody has no such head', async () => {
  const { headers, text } = await answerOf([FINISHED], { headDelayMs: 1, waitMs: 1 })
  expect([headers.get('x-drawbridge-wait'), text.startsWith('{')]).toEqual([null, true])
})

test('an error after calls asks client libraries not to ask again by themselves, and one before any does not', async () => {
  const soon = { headDelayMs: 60_000, waitMs: 1 }
  const started: TurnEvent = { kind: 'call-started', step: 1, callId: 'a', name: 'pay' }
  const defect: readonly TurnEvent[] = [started]
  for (const events of [[started, FAILED], defect]) {
    expect((await answerOf(events, soon)).headers.get('x-should-retry')).toBe('false')
  }
  expect((await answerOf([FAILED], soon)).headers.get('x-should-retry')).toBeNull()
  expect((await answerOf([started, FINISHED], soon)).headers.get('x-should-retry')).toBeNull()
})
