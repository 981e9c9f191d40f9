import { expect, test } from 'vitest'
import { aPassedSession } from '../../testing/a-passed-session.ts'
import { anOpenGate } from '../../testing/an-open-gate.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { relayStream } from './relay-stream.ts'

const caller = { tenant: 't', agent: 'default' }
const gate = anOpenGate(caller)

/** A server with one stream a session, as most have. */
function aServer(): Upstream {
  let isOpen = false
  return {
    async exchange(_request, signal) {
      if (isOpen) return new Response(null, { status: 409 })
      isOpen = true
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          signal.addEventListener('abort', () => {
            isOpen = false
            controller.error(signal.reason)
          })
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    close: async () => {},
  }
}

function aClient(upstream: Upstream, hasSession = true) {
  const known = aPassedSession(upstream)
  const session = hasSession ? known : undefined
  const listen = (signal = new AbortController().signal): Promise<Response> =>
    relayStream({}, { caller, gate, upstream, session, headers: {}, signal })
  return { listen, streams: known.streams }
}

test('a client whose stream was lost unseen gets another one, and the lost one ends', async () => {
  const { listen, streams } = aClient(aServer())
  const lost = await listen()
  const next = await listen()
  expect([lost.status, next.status]).toEqual([200, 200])
  expect(await lost.text()).toBe('')
  expect(streams.size).toBe(1)
  await next.body?.cancel()
  await expect.poll(() => streams.size).toBe(0)
})

test("a stream that is another's is not closed for it", async () => {
  const server = aServer()
  const mine = await aClient(server).listen()
  expect((await aClient(server).listen()).status).toBe(409)
  expect(mine.status).toBe(200)
  await mine.body?.cancel()
})

test('a server that wants a session for its stream has none for a client that keeps none', async () => {
  const refusing: Upstream = {
    exchange: async () => Response.json({ error: 'no session' }, { status: 400 }),
    close: async () => {},
  }
  expect((await aClient(refusing, false).listen()).status).toBe(405)
  expect((await aClient(refusing).listen()).status).toBe(400)
})
