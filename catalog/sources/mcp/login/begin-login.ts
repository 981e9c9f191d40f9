import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { exchangeAuthorization, startAuthorization } from '@modelcontextprotocol/client'
import type { HttpServerConfig } from '../server-config.ts'
import { chooseClient } from './choose-client.ts'
import type { FoundAuthorization } from './find-authorization.ts'
import { findAuthorization } from './find-authorization.ts'
import { LoginError, refusalText, toLoginError } from './login-error.ts'
import { createLoginFetch } from './login-fetch.ts'
import { mendedAnswers } from './mended-answers.ts'
import { clientInformation, readTokens } from './read-tokens.ts'
import type { LoginClient, ServerLogin } from './server-login.ts'

export interface LoginRequest {
  readonly server: string
  readonly config: HttpServerConfig
  /** Where the browser comes back to; a loopback address. */
  readonly redirectUrl: string
  /** Instead of what is configured, or what the server names. */
  readonly scope?: string
}

export interface LoginDeps {
  readonly forbiddenAddresses: readonly string[]
  readonly now: () => number
}

/** A login that waits for a person to agree in a browser. */
export interface PendingLogin {
  /** What the person has to open. */
  readonly url: string
  /** Who asks for the agreement. */
  readonly issuer: string
  /** Whether this is the answer to this login; anybody can call a redirect address. */
  isAnswer(query: URLSearchParams): boolean
  /**
   * Turns the answer into tokens.
   * @throws {LoginError}
   */
  finish(query: URLSearchParams): Promise<ServerLogin>
  /** Drops all connections; safe to call twice. */
  close(): void
}

/**
 * Finds whom to ask, becomes a client there, and makes the address that a person opens (OAuth 2.1, PKCE, RFC 8707).
 * @throws {LoginError}
 */
export async function beginLogin(request: LoginRequest, deps: LoginDeps, signal: AbortSignal): Promise<PendingLogin> {
  const { config, redirectUrl, server } = request
  const { forbiddenAddresses } = deps
  const http = createLoginFetch({ config, forbiddenAddresses, signal })
  try {
    const found = await findAuthorization(config, http.fetch)
    const settings = config.oauth ?? {}
    const scope = request.scope ?? settings.scope ?? found.scope
    const client = await chooseClient(found, { server, settings, redirectUrl, scope }, http.fetch)
    const state = randomBytes(32).toString('base64url')
    const started = await start(found, { client, redirectUrl, state, scope })
    return {
      url: started.url,
      issuer: found.issuer,
      isAnswer: (query) => isSame(query.get('state') ?? '', state),
      finish: (query) =>
        finish(query, { request, found, client, scope, verifier: started.verifier, fetch: http.fetch, now: deps.now }),
      close: () => http.close(),
    }
  } catch (error) {
    http.close()
    throw error
  }
}

interface Start {
  readonly client: LoginClient
  readonly redirectUrl: string
  readonly state: string
  readonly scope: string | undefined
}

async function start({ authorizationServer, metadata, resource }: FoundAuthorization, given: Start) {
  const { client, redirectUrl, state, scope } = given
  try {
    const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServer, {
      ...(metadata === undefined ? {} : { metadata }),
      clientInformation: clientInformation(client),
      redirectUrl,
      state,
      ...(scope === undefined ? {} : { scope }),
      ...(resource === undefined ? {} : { resource }),
    })
    return { url: authorizationUrl.href, verifier: codeVerifier }
  } catch (error) {
    throw toLoginError(error, 'preparing the login')
  }
}

interface Finish {
  readonly request: LoginRequest
  readonly found: FoundAuthorization
  readonly client: LoginClient
  readonly scope: string | undefined
  readonly verifier: string
  readonly fetch: Parameters<typeof findAuthorization>[1]
  readonly now: () => number
}

async function finish(query: URLSearchParams, given: Finish): Promise<ServerLogin> {
  const { request, found, client, scope, fetch } = given
  const { metadata, authorizationServer, resource, issuer, revocationEndpoint } = found
  const refusal = query.get('error')
  if (refusal !== null) throw new LoginError('refused', refusalText(refusal))
  const code = query.get('code')
  if (code === null) throw new LoginError('bad-server', 'the redirect address holds neither a code nor an error')
  const iss = query.get('iss')
  try {
    const tokens = await exchangeAuthorization(authorizationServer, {
      ...(metadata === undefined ? {} : { metadata }),
      clientInformation: clientInformation(client),
      authorizationCode: code,
      ...(iss === null ? {} : { iss }),
      codeVerifier: given.verifier,
      redirectUri: request.redirectUrl,
      ...(resource === undefined ? {} : { resource }),
      fetchFn: mendedAnswers(fetch),
    })
    const methods = metadata?.token_endpoint_auth_methods_supported
    return {
      id: randomUUID(),
      serverUrl: request.config.url,
      issuer,
      tokenEndpoint: metadata?.token_endpoint ?? new URL('/token', authorizationServer).href,
      ...(methods === undefined ? {} : { tokenAuthMethods: methods }),
      ...(revocationEndpoint === undefined ? {} : { revocationEndpoint }),
      ...(resource === undefined ? {} : { resource }),
      client,
      ...readTokens(tokens, { scope, nowMs: given.now() }),
    }
  } catch (error) {
    throw toLoginError(error, 'exchanging the code')
  }
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
