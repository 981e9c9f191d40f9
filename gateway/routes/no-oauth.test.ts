import { registerClient } from '@modelcontextprotocol/sdk/client/auth.js'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from '../http/http-error.ts'
import { answerNoOAuth, isOAuth } from './no-oauth.ts'
import { noRoute } from './no-route.ts'

test('a client that looks for a login tells its person that a token is wanted, and no parser of its own', async () => {
  const app = fastify()
  app.setNotFoundHandler((request, reply) => {
    if (isOAuth(request)) return answerNoOAuth(reply)
    answerError(
      noRoute(request, () => false),
      request,
      reply,
    )
  })
  const registering = registerClient('http://127.0.0.1:1', {
    clientMetadata: { redirect_uris: ['http://127.0.0.1:2/callback'] },
    fetchFn: async (url, init) => {
      const { pathname } = new URL(url)
      const { statusCode, body } = await app.inject({ method: init?.method === 'POST' ? 'POST' : 'GET', url: pathname })
      return new Response(body, { status: statusCode })
    },
  })
  await expect(registering).rejects.toThrow(/^there is no login here: give the client a token/)
})

test.each(['/.well-known/oauth-authorization-server', '/register', '/authorize?x=1'])(
  'GET %s is an address like any other that is not there',
  (url) => {
    expect(isOAuth({ method: 'GET', url })).toBe(false)
  },
)
