import type { AuthorizationServerMetadata, FetchLike } from '@modelcontextprotocol/client'
import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  LATEST_PROTOCOL_VERSION,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client'
import type { HttpServerConfig } from '../server-config.ts'
import { createDiscoveryFetch } from './discovery-fetch.ts'
import { LoginError, shownText, toLoginError } from './login-error.ts'
import { mendedAnswers } from './mended-answers.ts'
import type { LoginChallenge } from './read-challenge.ts'
import { readChallenge } from './read-challenge.ts'

/** Where and for what to log in at a server. */
export interface FoundAuthorization {
  /** Its address; also the issuer where it publishes no metadata of its own. */
  readonly authorizationServer: string
  readonly issuer: string
  /** Absent on servers of the revision of March 2025 that have the well-known endpoints alone. */
  readonly metadata: AuthorizationServerMetadata | undefined
  readonly revocationEndpoint: string | undefined
  readonly resource: string | undefined
  readonly scope: string | undefined
}

/**
 * Asks the server who may let us in: its challenge, its resource metadata (RFC 9728), and that authorization server's
 * own (RFC 8414, OpenID Connect).
 * @throws {LoginError}
 */
export async function findAuthorization(config: HttpServerConfig, fetch: FetchLike): Promise<FoundAuthorization> {
  const doing = 'looking for the authorization server'
  checkTransport(config)
  try {
    const challenge = await askForChallenge(config, fetch)
    const found = await discover(config, challenge, fetch)
    const { authorizationServerMetadata: metadata, resourceMetadata } = found
    if (!challenge.isAsked && metadata === undefined && resourceMetadata === undefined) {
      throw new LoginError('not-wanted', 'the server asks nobody to log in: it neither refuses nor names whom to ask')
    }
    if (metadata !== undefined) {
      checkIssuer(metadata.issuer, found.authorizationServerUrl)
      checkMetadata(metadata, config)
    } else checkOwn(found.authorizationServerUrl, config)
    const resource = resourceMetadata?.resource
    if (resource !== undefined) checkResource(resource, config)
    const scope = challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ')
    return {
      authorizationServer: found.authorizationServerUrl,
      issuer: metadata?.issuer ?? found.authorizationServerUrl,
      metadata,
      revocationEndpoint: metadata === undefined ? undefined : revocationEndpointOf(metadata),
      resource,
      scope: withRefresh(scope === '' ? undefined : scope, metadata),
    }
  } catch (error) {
    throw toLoginError(error, doing)
  }
}

/** At the place that the server names, else where such things are. */
async function discover({ url }: HttpServerConfig, { resourceMetadataUrl }: Challenge, fetch: FetchLike) {
  const discovery = createDiscoveryFetch(mendedAnswers(fetch))
  // Ours takes a slash at the end for what it is.
  const options = { fetchFn: discovery.fetch, skipIssuerMetadataValidation: true }
  const named = resourceMetadataUrl && (await discoverOAuthServerInfo(url, { ...options, resourceMetadataUrl }))
  const found = named?.resourceMetadata === undefined ? await discoverOAuthServerInfo(url, options) : named
  const status = discovery.troubleStatus()
  if (found.authorizationServerMetadata !== undefined || status === undefined) return found
  const asked = shownText(found.authorizationServerUrl)
  const message = `nothing can be found out about the authorization server "${asked}" for now (HTTP status ${status})`
  throw new LoginError('unreachable', `${message}; try again later`)
}

interface Challenge extends Pick<LoginChallenge, 'resourceMetadataUrl' | 'scope'> {
  readonly isAsked: boolean
}

/** A first request without a token; what it is refused with says where to look. */
async function askForChallenge(config: HttpServerConfig, fetch: FetchLike): Promise<Challenge> {
  const params = {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'drawbridge', version: '0' },
  }
  const response = await fetch(config.url, {
    method: 'POST',
    headers: {
      ...config.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  })
  await response.body?.cancel()
  return { ...readChallenge(response, config.url), isAsked: response.status === 401 || response.status === 403 }
}

/** Whose metadata it is (RFC 8414, 3.3), so that nobody answers for another. */
function checkIssuer(issuer: string, asked: string): void {
  if (withoutSlash(issuer) === withoutSlash(asked)) return
  const message = `"${shownText(asked)}" names another authorization server, "${shownText(issuer)}", in its own place`
  throw new LoginError('bad-server', message)
}

function withoutSlash(address: string): string {
  return (URL.parse(address)?.href ?? address).replace(/\/$/, '')
}

/** Where codes, secrets and tokens go must be safe from listeners; without PKCE a stolen code is a stolen login. */
function checkMetadata(metadata: AuthorizationServerMetadata, config: HttpServerConfig): void {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata
  const others = [registration_endpoint, revocationEndpointOf(metadata)].filter((endpoint) => endpoint !== undefined)
  for (const endpoint of [authorization_endpoint, token_endpoint, ...others]) checkEndpoint(endpoint, config)
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    const way = 'where it has tokens of another kind, put one into the headers of the server instead'
    throw new LoginError(
      'bad-server',
      `the authorization server does not offer PKCE with S256, which is required; ${way}`,
    )
  }
}

/**
 * Without metadata nothing says where its endpoints are and that it knows PKCE: that is borne of the server itself alone,
 * as the first revisions had it, and not of whomever it names.
 */
function checkOwn(authorizationServer: string, { url }: HttpServerConfig): void {
  if (URL.parse(authorizationServer)?.origin === new URL(url).origin) return
  throw new LoginError('bad-server', `the authorization server "${shownText(authorizationServer)}" has no metadata`)
}

/** The SDK's type of OpenID Connect metadata lacks it. */
function revocationEndpointOf(metadata: AuthorizationServerMetadata): string | undefined {
  const endpoint: unknown = Reflect.get(metadata, 'revocation_endpoint')
  return typeof endpoint === 'string' ? endpoint : undefined
}

/** A token is sent with each request to the server itself, too. */
function checkTransport(config: HttpServerConfig): void {
  const { protocol, hostname } = new URL(config.url)
  if (protocol === 'https:' || isLoopback(hostname) || config.allowPrivateAddresses === true) return
  const way = 'use its https address, or set allowPrivateAddresses where it is in a network of your own'
  throw new LoginError('bad-server', `the server's address is not https, and a token could be read on its way; ${way}`)
}

/** A browser is sent to one of them: a stranger's server must not send it to a port of this machine. */
function checkEndpoint(endpoint: string, config: HttpServerConfig): void {
  const url = URL.parse(endpoint)
  if (url?.protocol === 'https:') return
  const isOfHere = url?.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(new URL(config.url).hostname)
  if (!isOfHere) {
    throw new LoginError('bad-server', `the authorization server names "${shownText(endpoint)}", which is not https`)
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

/** A token that another server asked for must not be obtained in its name. */
function checkResource(resource: string, config: HttpServerConfig): void {
  const requestedResource = resourceUrlFromServerUrl(config.url)
  if (checkResourceAllowed({ requestedResource, configuredResource: resource })) return
  if (withoutSlash(resource) === withoutSlash(requestedResource.href)) return
  const message = `the server's metadata is about "${shownText(resource)}", which is not its address`
  throw new LoginError('bad-server', message)
}

function withRefresh(scope: string | undefined, metadata: AuthorizationServerMetadata | undefined): string | undefined {
  if (scope === undefined || metadata?.scopes_supported?.includes('offline_access') !== true) return scope
  return scope.split(' ').includes('offline_access') ? scope : `${scope} offline_access`
}
