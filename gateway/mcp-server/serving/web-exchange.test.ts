import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { sendWebResponse } from './web-exchange.ts'

test('each message of a stream is one line to any reader, also to one that knows more ends of lines', async () => {
  const app = fastify()
  const event = `data: ${JSON.stringify({ text: 'a\u2028b\u2029c\u0085d’' })}\n\n`
  app.get('/', (_request, reply) =>
    sendWebResponse(new Response(event, { headers: { 'content-type': 'text/event-stream' } }), reply),
  )
  const { body } = await app.inject('/')
  expect(body).toBe('data: {"text":"a\\u2028b\\u2029c\\u0085d’"}\n\n')
})
