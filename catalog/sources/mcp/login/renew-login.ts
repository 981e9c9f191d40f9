import type { AuthorizationServerMetadata, FetchLike } from '@modelcontextprotocol/client'
import { OAuthError, refreshAuthorization } from '@modelcontextprotocol/client'
import { toLoginError } from './login-error.ts'
import { mendedAnswers } from './mended-answers.ts'
import { clientInformation, readTokens } from './read-tokens.ts'
import type { ServerLogin } from './server-login.ts'

export type Renewal =
  | { readonly kind: 'renewed'; readonly login: ServerLogin }
  /** The authorization server will not renew it: a person has to log in again. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It could not be asked; later perhaps. */
  | { readonly kind: 'failed'; readonly reason: string }

export interface RenewDeps {
  readonly fetch: FetchLike
  readonly now: () => number
}

/** Codes that asking again would not change. */
const FINAL_CODES: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
])

/** Exchanges the refresh token; where the server rotates it, the old one is worthless from then on. */
export async function renewLogin(login: ServerLogin, { fetch, now }: RenewDeps): Promise<Renewal> {
  const { refreshToken, resource } = login
  if (refreshToken === undefined) return { kind: 'refused', reason: 'the login cannot be renewed' }
  try {
    const tokens = await refreshAuthorization(login.issuer, {
      metadata: metadataOf(login),
      clientInformation: clientInformation(login.client),
      refreshToken,
      ...(resource === undefined ? {} : { resource }),
      fetchFn: mendedAnswers(fetch),
    })
    const renewed = readTokens(tokens, { scope: login.scope, nowMs: now() })
    const { expiresMs: _expiresMs, ...lasting } = login
    return { kind: 'renewed', login: { ...lasting, ...renewed } }
  } catch (error) {
    const reason = toLoginError(error, 'renewing the login').message
    const isFinal = error instanceof OAuthError && FINAL_CODES.has(error.code)
    return { kind: isFinal ? 'refused' : 'failed', reason }
  }
}

/** As much of it as a token request reads. */
function metadataOf(login: ServerLogin): AuthorizationServerMetadata {
  const methods = login.tokenAuthMethods
  return {
    issuer: login.issuer,
    authorization_endpoint: login.tokenEndpoint,
    token_endpoint: login.tokenEndpoint,
    response_types_supported: ['code'],
    ...(methods === undefined ? {} : { token_endpoint_auth_methods_supported: [...methods] }),
  }
}
