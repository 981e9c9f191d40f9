import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { serveHttp } from '../fixtures/http-servers.ts'
import { beginLogin } from './begin-login.ts'

interface Place {
  readonly status?: number
  readonly body?: (base: string) => object | string
  readonly headers?: (base: string) => Readonly<Record<string, string | readonly string[]>>
}

/** A server and its authorization server in one, that answers at these paths alone. */
function serving(places: Readonly<Record<string, Place>>, otherwise: Place = { status: 404 }): RequestListener {
  return (request, response) => {
    const base = `http://${request.headers.host}`
    const { status = 200, body, headers } = places[request.url ?? ''] ?? otherwise
    for (const [name, value] of Object.entries(headers?.(base) ?? {})) response.setHeader(name, value)
    const said = body?.(base) ?? ''
    void text(request).then(() =>
      response.writeHead(status).end(typeof said === 'string' ? said : JSON.stringify(said)),
    )
  }
}

const refusing = (challenge: (base: string) => string | readonly string[]): Place => ({
  status: 401,
  headers: (base) => ({ 'www-authenticate': challenge(base) }),
})

const metadataOf = (issuer = ''): Place => ({
  body: (base) => ({
    issuer: `${base}${issuer}`,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  }),
})

const resourceOf = (issuer = ''): Place => ({
  body: (base) => ({
    resource: `${base}/mcp`,
    authorization_servers: [`${base}${issuer}`],
    scopes_supported: ['read'],
  }),
})

const page: Place = { headers: () => ({ 'content-type': 'text/html' }), body: () => '<!doctype html><p>Hi' }

const USUAL = {
  '/mcp': refusing(() => 'Bearer'),
  '/register': { status: 201, body: () => ({ client_id: 'c', redirect_uris: ['http://127.0.0.1:33418/callback'] }) },
  '/token': { body: () => ({ access_token: 'access', token_type: 'bearer' }) },
} satisfies Readonly<Record<string, Place>>

async function logIn(url: string) {
  const request = { server: 'odd', config: { url }, redirectUrl: 'http://127.0.0.1:33418/callback' }
  const pending = await beginLogin(request, { forbiddenAddresses: [], now: Date.now }, new AbortController().signal)
  try {
    const opened = new URL(pending.url).searchParams
    const login = await pending.finish(new URLSearchParams({ code: 'code', state: opened.get('state') ?? '' }))
    return { login, scope: opened.get('scope'), issuer: pending.issuer.replace(/^http:\/\/127\.0\.0\.1:\d+/, '') }
  } finally {
    pending.close()
  }
}

const INSERTED = '/.well-known/oauth-protected-resource/mcp'
const AT_ROOT = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'

test.each<[string, Readonly<Record<string, Place>>, string]>([
  ['behind the name', { [INSERTED]: resourceOf('/t'), [`${SERVER}/t`]: metadataOf('/t') }, '/t'],
  ['at the root', { [AT_ROOT]: resourceOf('/t'), [`${SERVER}/t`]: metadataOf('/t') }, '/t'],
  [
    'below the path',
    { '/mcp/.well-known/oauth-protected-resource': resourceOf('/t'), [`/t${SERVER}`]: metadataOf('/t') },
    '/t',
  ],
  ['nowhere, but its authorization server is its own', { [SERVER]: metadataOf() }, ''],
])('what a server says of itself is found %s', async (_where, places, issuer) => {
  for (const otherwise of [{ status: 404 }, { status: 401 }, { status: 500 }, page]) {
    await using server = await serveHttp(serving({ ...USUAL, ...places }, otherwise))
    expect(await logIn(server.url)).toMatchObject({ issuer, login: { accessToken: 'access' } })
  }
})

test.each([
  ['/.well-known/openid-configuration/t', 'behind the name'],
  ['/t/.well-known/openid-configuration', 'below the path'],
])('metadata of OpenID Connect is found at %s', async (place) => {
  const connect: Place = {
    body: (base) => ({
      ...Object(metadataOf('/t').body?.(base)),
      jwks_uri: `${base}/keys`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
  }
  await using server = await serveHttp(serving({ ...USUAL, [INSERTED]: resourceOf('/t'), [place]: connect }, page))
  expect(await logIn(server.url)).toMatchObject({ issuer: '/t' })
})

test.each<[string, (base: string) => string | readonly string[]]>([
  ['plain', (base) => `Bearer resource_metadata="${base}/about", scope="a b"`],
  ['in no quotes, and in others', (base) => `Bearer resource_metadata=${base}/about, scope='a b'`],
  ['with blanks, and in large letters', (base) => `BEARER Resource_Metadata = "${base}/about" , SCOPE = "a b"`],
  ['without commas', (base) => `Bearer realm="x" resource_metadata="${base}/about" scope="a b"`],
  ['as a path', () => 'Bearer resource_metadata="/about", scope="a b"'],
  [
    'behind another challenge',
    (base) => `Basic realm="a, b", scope="no", Bearer scope="a b", resource_metadata="${base}/about"`,
  ],
  ['in a second header', (base) => ['Negotiate', `Bearer resource_metadata="${base}/about", scope="a b"`]],
  [
    'behind words in quotes',
    (base) => `Bearer error_description="say \\"scope=no\\"", scope="a b", resource_metadata="${base}/about"`,
  ],
])('a challenge is read %s', async (_how, challenge) => {
  const places = {
    ...USUAL,
    '/mcp': refusing(challenge),
    '/about': resourceOf('/t'),
    [`${SERVER}/t`]: metadataOf('/t'),
  }
  await using server = await serveHttp(serving(places))
  expect(await logIn(server.url)).toMatchObject({ issuer: '/t', scope: 'a b' })
})

test('where a challenge points to nothing the usual places are looked at', async () => {
  const challenge = refusing((base) => `Bearer resource_metadata="${base}/gone"`)
  const places = { ...USUAL, '/mcp': challenge, [INSERTED]: resourceOf('/t'), [`${SERVER}/t`]: metadataOf('/t') }
  for (const otherwise of [{ status: 404 }, page]) {
    await using server = await serveHttp(serving(places, otherwise))
    expect(await logIn(server.url)).toMatchObject({ issuer: '/t' })
  }
})

test('of an authorization server that cannot answer now it is said so', async () => {
  await using server = await serveHttp(serving({ ...USUAL, [INSERTED]: resourceOf('/t') }, { status: 503 }))
  await expect(logIn(server.url)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(
      /about the authorization server "http.*\/t" for now \(HTTP status 503\); try again later$/,
    ),
  })
})

test('PKCE that nothing is said of is required, and the way around it is told', async () => {
  const silent: Place = {
    body: (base) => ({ ...Object(metadataOf().body?.(base)), code_challenge_methods_supported: undefined }),
  }
  await using server = await serveHttp(serving({ ...USUAL, [SERVER]: silent }))
  await expect(logIn(server.url)).rejects.toThrow(/PKCE with S256, which is required; .* put one into the headers/)
})

test.each<[string, Place, string]>([
  ['tokens', { body: () => 'access_token=access&token_type=bearer&expires_in=60' }, 'access'],
  ['a refusal', { status: 400, body: () => 'error=invalid_grant&error_description=no' }, 'refused (invalid_grant)'],
  ['a refusal that calls itself right', { body: () => 'error=bad_code' }, 'refused (bad_code)'],
  ['a refusal in JSON that calls itself right', { body: () => ({ error: 'bad_code' }) }, 'refused (bad_code)'],
  ['a page', page, 'not what the specification demands'],
])('%s in the form that is asked in, or in no form, ends as what it is', async (_what, token, end) => {
  await using server = await serveHttp(serving({ ...USUAL, [SERVER]: metadataOf(), '/token': token }))
  const ended = await logIn(server.url).then(
    ({ login }) => login.accessToken,
    (error: unknown) => String(error),
  )
  expect(ended).toContain(end)
})
