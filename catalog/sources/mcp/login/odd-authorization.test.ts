import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { serveHttp } from '../fixtures/http-servers.ts'
import { beginLogin } from './begin-login.ts'
import { mendedAnswers } from './mended-answers.ts'

interface Oddity {
  readonly resource?: (base: string) => object
  readonly metadata?: (base: string) => object
  readonly registration?: (sent: string) => object
  readonly registrationStatus?: number
  readonly token?: object
}

/** A server and its authorization server in one, with one oddity. */
function odd({ resource, metadata, registration, registrationStatus = 201, token }: Oddity): RequestListener {
  const send = (response: ServerResponse, body: object, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const base = `http://${request.headers.host}`
    const sent = await text(request)
    switch (request.url ?? '') {
      case '/mcp':
        response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
        return
      case '/.well-known/oauth-protected-resource/mcp':
        return send(response, { resource: `${base}/mcp`, authorization_servers: [base], ...resource?.(base) })
      case '/.well-known/oauth-authorization-server':
        return send(response, {
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          ...metadata?.(base),
        })
      case '/register':
        return send(response, registration?.(sent) ?? { client_id: 'c', ...JSON.parse(sent) }, registrationStatus)
      case '/token':
        return send(response, { access_token: 'access', token_type: 'Bearer', expires_in: 60, ...token })
      default:
        response.writeHead(404).end()
    }
  }
  return (request, response) => void answer(request, response)
}

async function logIn(url: string) {
  const deps = { forbiddenAddresses: [], now: Date.now }
  const request = { server: 'odd', config: { url }, redirectUrl: 'http://127.0.0.1:33418/callback' }
  const pending = await beginLogin(request, deps, new AbortController().signal)
  try {
    const state = new URL(pending.url).searchParams.get('state') ?? ''
    return await pending.finish(new URLSearchParams({ code: 'code', state }))
  } finally {
    pending.close()
  }
}

test.each<[string, Oddity]>([
  ['ends its own name with a slash', { metadata: (base) => ({ issuer: `${base}/` }) }],
  ['ends the name of what it protects with a slash', { resource: (base) => ({ resource: `${base}/mcp/` }) }],
  [
    'writes null for what it does not have',
    { metadata: () => ({ scopes_supported: null, revocation_endpoint: null }) },
  ],
  [
    'registers with null for a secret',
    { registration: (sent) => ({ ...JSON.parse(sent), client_id: 'c', client_secret: null }) },
  ],
  ['repeats nothing of a registration', { registration: () => ({ client_id: 'c' }) }],
  ['says 200 of one', { registrationStatus: 200 }],
  ['gives tokens with null for the rest', { token: { expires_in: null, refresh_token: null, scope: null } }],
  ['does not say of what type a token is', { token: { token_type: undefined } }],
  ['gives a lifetime as a text', { token: { expires_in: '3600' } }],
  ['gives scopes in a list', { token: { scope: ['a', 'b'] } }],
])('at an authorization server that %s a person logs in', async (_what, oddity) => {
  await using server = await serveHttp(odd(oddity))
  expect(await logIn(server.url)).toMatchObject({ accessToken: 'access', client: { clientId: 'c' } })
})

test('where registering is refused the reason is told, and the way around it', async () => {
  const refuse = { registrationStatus: 403, registration: () => ({ error: 'access_denied', error_description: 'no' }) }
  await using server = await serveHttp(odd(refuse))
  await expect(logIn(server.url)).rejects.toMatchObject({
    code: 'no-client',
    message: expect.stringMatching(
      /refused \(access_denied\); register a client there .* mcp\.servers\.odd\.oauth\.clientId/,
    ),
  })
})

test('an answer is mended by its form alone: no other is touched', async () => {
  const through = async (body: string, init?: RequestInit, status = 200) =>
    (await mendedAnswers(async () => new Response(body, { status }))('http://x.test', init)).text()
  expect(await through('{"a":null,"b":[null]}')).toBe('{"b":[null]}')
  expect(await through('{"a":null}', {}, 400)).toBe('{"a":null}')
  expect(await through('access_token=a')).toBe('access_token=a')
  expect(await through('{"token_type":"DPoP","access_token":"a"}')).toContain('"DPoP"')
  const sent = { method: 'POST', body: '{"redirect_uris":["http://a"],"client_id":"mine"}' }
  expect(JSON.parse(await through('{"client_id":"theirs"}', sent))).toEqual({
    redirect_uris: ['http://a'],
    client_id: 'theirs',
  })
})
