import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { answerError } from './http-error.ts'
import { addJsonParser } from '../routes/read-json-body.ts'

const LIMIT = 100

/** A server that reads 100 bytes. */
async function listening(): Promise<string> {
  const app = fastify({ bodyLimit: LIMIT, forceCloseConnections: true })
  onTestFinished(() => app.close())
  addJsonParser(app)
  app.setErrorHandler(answerError)
  app.post('/', () => ({}))
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** What is answered to a body of this length; the rest of it is sent after the answer has come. */
function sendSlowly(url: string, bytes: number): Promise<readonly [number | undefined, IncomingHttpHeaders]> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': bytes }
    const sending = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      // A server that has closed answers this with a reset.
      sending.end(Buffer.alloc(bytes, ' '), () => resolve([response.statusCode, response.headers]))
    })
    sending.on('error', reject)
    sending.flushHeaders()
  })
}

test('who sends a body that is too large hears so, and is not cut off while it still sends', async () => {
  const url = await listening()
  const [status, headers] = await sendSlowly(url, 4 * 1024 * 1024)
  expect([status, headers.connection === 'close']).toEqual([413, false])
})

test('a body that goes on for ever is not read to its end', async () => {
  const url = await listening()
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  const headers = { 'content-type': 'application/json', 'content-length': 10 ** 12 }
  const sending = request(url, { method: 'POST', headers }, (response) => {
    resolve(response.headers.connection)
    sending.destroy()
  })
  sending.on('error', reject)
  sending.flushHeaders()
  expect(await promise).toBe('close')
})
