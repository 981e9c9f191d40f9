import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatewayInProcess } from '../testing/gateway-in-process.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { sentRaw } from './testing/sent-raw.ts'

const app = fastify({ clientErrorHandler: answerBrokenRequest })
let port = 0

beforeAll(async () => {
  port = Number(new URL(await app.listen({ port: 0 })).port)
})
afterAll(() => app.close())

test.each([
  ['NONSENSE\r\n\r\n', '400 invalid_request', 'plain http://'],
  ['\u0016\u0003\u0001\u0002\u0000', '400 invalid_request', 'plain http://'],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 invalid_request', 'the request cannot be read'],
  ['GET / HTTP/1.1\r\nhost: a\r\nx-a: b\u0000c\r\n\r\n', '400 invalid_request', 'header'],
  [
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nX',
    '400 invalid_request',
    "transfer-Encoding can't be present with Content-Length",
  ],
  ['POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', '400 invalid_request', 'ontent-'],
  [`GET / HTTP/1.1\r\nhost: a\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`, '431 headers_too_large', '16 KB'],
])('%j is answered like any other error, and its connection closed', async (bytes, end, words) => {
  const [status = '', code = ''] = end.split(' ')
  const answer = await sentRaw(port, bytes)
  const [head = '', text = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w+`))
  expect(head).toContain(`content-length: ${text.length}`)
  expect(JSON.parse(text)).toEqual({
    error: { code, type: 'invalid_request_error', message: expect.stringContaining(words) },
  })
})

test('a gateway gives up a request that never comes whole', async () => {
  const { gateway } = await gatewayInProcess()
  expect(gateway.app.server.requestTimeout).toBeGreaterThan(60_000)
})
