import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from '../http/http-error.ts'
import { noRoute } from './no-route.ts'

test.each([
  ['POST', '/chat/completions', /^there is no POST \/chat\/completions; did you mean POST \/v1\/chat\/completions\?$/],
  ['POST', '/v1/v1/chat/completions', /did you mean POST \/v1\/chat\/completions\?$/],
  ['GET', '/v1/chat/completions?x=1', /no GET \/v1\/chat\/completions; did you mean POST \/v1\/chat\/completions\?$/],
  ['GET', '/', /this is an API: see POST/],
  ['POST', '/', /clients of MCP use Streamable HTTP at \/mcp$/],
  ['GET', '/sse', /^there is no GET \/sse; clients of MCP use Streamable HTTP at \/mcp$/],
  ['POST', '/api/MCP/', /clients of MCP use Streamable HTTP at \/mcp$/],
  ['POST', '/v1/embeddings', /^there is no POST \/v1\/embeddings$/],
] as const)('%s %s is answered with what was probably meant', async (method, url, message) => {
  const app = fastify()
  app.post('/v1/chat/completions', () => 'ok')
  app.get('/v1/models', () => 'ok')
  app.setNotFoundHandler((request, reply) => {
    answerError(
      noRoute(request, (route) => app.hasRoute(route)),
      request,
      reply,
    )
  })
  const answer = await app.inject({ method, url })
  expect(answer.statusCode).toBe(404)
  expect(answer.json().error).toMatchObject({ code: 'not_found', message: expect.stringMatching(message) })
})
