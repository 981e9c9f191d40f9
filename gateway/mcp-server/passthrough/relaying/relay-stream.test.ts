import { expect, test } from 'vitest'
import { aPassedSession, aPassing } from '../../testing/a-passed-session.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { relayStream } from './relay-stream.ts'

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
    relayStream({}, aPassing({ upstream, session, signal }))
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

test('a client hears again of a change of tools once the gateway shows it, and not when its stream has ended', async () => {
  const message = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
  const told = new TransformStream<Uint8Array, Uint8Array>()
  const server = told.writable.getWriter()
  const upstream: Upstream = {
    exchange: async () => new Response(told.readable, { headers: { 'content-type': 'text/event-stream' } }),
    close: async () => {},
  }
  const listeners = new Set<() => void>()
  const whenToolsChange = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const session = aPassedSession(upstream)
  const response = await relayStream({}, aPassing({ upstream, session, whenToolsChange }))
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  await server.write(new TextEncoder().encode(`id: 7\ndata: ${message}\n\n`))
  expect((await reader?.read())?.value).toBe(`id: 7\ndata: ${message}\n\n`)
  for (const listener of listeners) listener()
  // Without an id: it is nothing that the server could go on from.
  expect((await reader?.read())?.value).toBe(`data: ${message}\n\n`)
  await server.close()
  expect((await reader?.read())?.done).toBe(true)
  expect(listeners.size).toBe(0)
})
