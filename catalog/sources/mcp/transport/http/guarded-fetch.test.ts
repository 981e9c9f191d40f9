import type { IncomingMessage, RequestListener } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort, serveHttp } from '../../fixtures/http-servers.ts'
import { createAddressGuard } from './address-guard.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

const GUARD = createAddressGuard({ configuredHost: '127.0.0.1', allowPrivateAddresses: false, forbidden: [] })
const POST = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }

/** A server that notes what it was asked, and a way to ask it. */
async function anAsked(answer: RequestListener) {
  const seen: IncomingMessage[] = []
  const server = await serveHttp((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  const http = createGuardedFetch({ guard: GUARD, maxBodyBytes: 1000, onOversize: () => undefined })
  return {
    seen,
    url: server.url,
    fetch: http.fetch,
    async [Symbol.asyncDispose]() {
      http.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const sayHello: RequestListener = (_request, response) => {
  response.setHeader('set-cookie', ['a=1', 'b=2'])
  response.end('hello')
}

test('the name and password of an address are sent, and give way to a header that is configured', async () => {
  await using asked = await anAsked(sayHello)
  const url = asked.url.replace('//', '//us%20er:p%40ss@')
  await asked.fetch(`${url}?q=1`, POST)
  await asked.fetch(url, { ...POST, headers: { Authorization: 'Bearer own' } })
  const said = asked.seen.map(({ headers }) => headers.authorization)
  expect(said).toEqual([`Basic ${Buffer.from('us er:p@ss').toString('base64')}`, 'Bearer own'])
  expect(asked.seen[0]?.url).toMatch(/\?q=1$/)
  expect(asked.seen[0]?.headers.host).toBe(new URL(asked.url).host)
})

test('headers about the connection are left out, since a request with them would be refused', async () => {
  await using asked = await anAsked(sayHello)
  const headers = {
    'Content-Length': '99',
    'Keep-Alive': '1',
    'transfer-encoding': 'chunked',
    expect: 'x',
    upgrade: 'h2c',
  }
  const answer = await asked.fetch(asked.url, { ...POST, headers: { ...headers, 'x-kept': 'yes' } })
  expect(answer.status).toBe(200)
  expect(asked.seen[0]?.headers).toMatchObject({ 'content-length': '2', 'x-kept': 'yes' })
  expect(Object.keys(asked.seen[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['expect']))
})

test('each cookie of an answer is a header of its own', async () => {
  await using asked = await anAsked(sayHello)
  const answer = await asked.fetch(asked.url, POST)
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(await answer.text()).toBe('hello')
})

test('an abort ends a request that waits for its answer, and one that was aborted before is not sent', async () => {
  await using asked = await anAsked(() => undefined)
  const reason = new Error('no longer')
  const stop = new AbortController()
  const waiting = asked.fetch(asked.url, { ...POST, signal: stop.signal })
  while (asked.seen.length === 0) await pause(5)
  stop.abort(reason)
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError', cause: reason })
  await expect(asked.fetch(asked.url, { ...POST, signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
  expect(asked.seen).toHaveLength(1)
})

test('what cannot be connected to says so, in difference to what broke off', async () => {
  await using asked = await anAsked((_request, response) => void response.destroy())
  const nobody = `http://127.0.0.1:${await freePort()}/`
  await expect(asked.fetch(nobody, POST)).rejects.toMatchObject({ code: 'unreachable' })
  await expect(asked.fetch(asked.url, POST)).rejects.not.toMatchObject({ code: 'unreachable' })
})

test('a request names who sends it, by the name that is configured where one is', async () => {
  await using asked = await anAsked(sayHello)
  await asked.fetch(asked.url, POST)
  await asked.fetch(asked.url, { ...POST, headers: { 'User-Agent': 'own/1' } })
  expect(asked.seen.map(({ headers }) => headers['user-agent'])).toEqual(['drawbridge', 'own/1'])
})
