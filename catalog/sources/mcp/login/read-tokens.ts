import type { OAuthTokens } from '@modelcontextprotocol/client'
import { TOKEN_MAX_LENGTH } from '../limits.ts'
import { LoginError, shownText } from './login-error.ts'
import type { LoginClient, ServerLogin } from './server-login.ts'

type ReadTokens = Pick<ServerLogin, 'scope' | 'accessToken' | 'refreshToken' | 'expiresMs' | 'obtainedMs'>

/** Longer than any token lives; a number beyond it is a fault, not a promise. */
const LIFETIME_MAX_S = 10 * 365 * 24 * 60 * 60

/**
 * The tokens of an answer, fit to be sent on.
 * @throws {LoginError} when they are none that a header can carry
 */
export function readTokens(
  tokens: OAuthTokens,
  { scope, nowMs }: { readonly scope: string | undefined; readonly nowMs: number },
): ReadTokens {
  const { access_token, refresh_token, expires_in, token_type } = tokens
  if (token_type.toLowerCase() !== 'bearer') {
    throw new LoginError('bad-server', `the token is of type "${shownText(token_type)}"; only bearer tokens are used`)
  }
  const isUsable = [access_token, refresh_token ?? access_token].every(isToken)
  if (!isUsable) throw new LoginError('bad-server', 'the token holds characters that no header can carry')
  const granted = tokens.scope ?? scope
  const hasLifetime = expires_in !== undefined && Number.isFinite(expires_in) && expires_in >= 0
  return {
    accessToken: access_token,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(granted === undefined ? {} : { scope: shownText(granted) }),
    ...(hasLifetime ? { expiresMs: nowMs + Math.min(expires_in, LIFETIME_MAX_S) * 1_000 } : {}),
    obtainedMs: nowMs,
  }
}

/** In the SDK's words. */
export function clientInformation({ clientId, clientSecret, authMethod }: LoginClient) {
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(authMethod === undefined ? {} : { token_endpoint_auth_method: authMethod }),
  }
}

function isToken(text: string): boolean {
  return text.length <= TOKEN_MAX_LENGTH && /^[\x21-\x7e]+$/.test(text)
}
