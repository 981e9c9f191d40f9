import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { byHand, serveHttp } from '../../fixtures/http-servers.ts'
import { startSource, until } from '../../fixtures/recorded-source.ts'

/** Refuses its first call with HTTP 500, and has what asks it next, whether it is still there, answered by `onPing`. */
async function serveRefusing(onPing: (response: ServerResponse) => void, onLater: (response: ServerResponse) => void) {
  const asked = { calls: 0, pings: 0 }
  let isRefused = false
  const plain = byHand((_id, _request, response) => {
    asked.calls += 1
    if (asked.calls > 1) return onLater(response)
    isRefused = true
    return response.writeHead(500).end('no room on the disk')
  })
  const server = await serveHttp((request, response) => {
    if (!isRefused || request.method !== 'POST') return plain(request, response)
    isRefused = false
    asked.pings += 1
    return onPing(response)
  })
  return { url: server.url, asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const later = (response: ServerResponse): void => void response.writeHead(400).end('later')

test.each([
  ['for how long', { 'retry-after': '30' }],
  ['not for how long', {}],
])('a server that is too busy to say that it is there, and says %s, keeps its session', async (_what, headers) => {
  await using server = await serveRefusing((response) => response.writeHead(429, headers).end(), later)
  await using recorded = startSource({ servers: { busy: { url: server.url } } })
  await recorded.ready('busy')
  await expect(recorded.call('busy', 'act')).rejects.toThrow('HTTP status 500: no room on the disk')
  expect(server.asked.pings).toBe(1)
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

test('a caller that leaves while the server is asked whether it is there ends no session of others', async () => {
  let answerPing = (): void => {}
  await using server = await serveRefusing((response) => (answerPing = () => void response.writeHead(500).end()), later)
  await using recorded = startSource({ servers: { slow: { url: server.url } } })
  await recorded.ready('slow')
  const stop = new AbortController()
  const call = recorded.callUntil(stop.signal, 'slow', 'act')
  await until(() => server.asked.pings === 1)
  stop.abort(new Error('the caller left'))
  await expect(call).rejects.toThrow('the caller left')
  answerPing()
  await expect(recorded.call('slow', 'act')).rejects.toThrow('HTTP status 400: later')
  expect(recorded.states.map(([, { kind }]) => kind)).toEqual(['connecting', 'ready'])
})

test('a call that is not repeated in a new session says how it was refused in the old one', async () => {
  await using server = await serveRefusing((response) => response.writeHead(500).end(), later)
  await using recorded = startSource({ servers: { ill: { url: server.url } } })
  await recorded.ready('ill')
  await expect(recorded.call('ill', 'act')).rejects.toMatchObject({
    code: 'session-forgotten',
    message: expect.stringMatching(/HTTP status 500: no room on the disk, .*was not repeated/),
  })
  expect(server.asked.calls).toBe(1)
})
