import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerError } from '../http/http-error.ts'
import { requireSingleHeaders } from './single-headers.ts'
import { sentRaw } from './testing/sent-raw.ts'

const app = fastify()
app.setErrorHandler(answerError)
requireSingleHeaders(app)
app.get('/', async () => 'hello')
let port = 0

beforeAll(async () => {
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.close())

test.each([
  [['host: localhost', 'Host: evil.example'], 400],
  [['host: localhost', 'hOsT: localhost'], 400],
  [['host: localhost', 'authorization: Bearer a', 'Authorization: Bearer b'], 400],
  [['host: localhost', 'accept: a', 'accept: b', 'x-as: a', 'x-as: a', 'x-authorized: a', 'x-authorized: b'], 200],
  [['host: localhost', 'authorization: Bearer a'], 200],
])('a request with the headers %j is answered with %i', async (headers, status) => {
  const answer = await sentRaw(port, `GET / HTTP/1.1\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n`)
  expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
})
