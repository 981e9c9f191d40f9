import {
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client'
import { findCause, McpConnectError } from '../errors.ts'
import { LOGIN_TEXT_MAX_LENGTH } from '../limits.ts'

/** Why a login did not come about. */
export type LoginErrorCode =
  /** The server asks nobody to log in. */
  | 'not-wanted'
  | 'unreachable'
  /** What came from the authorization server breaks the rules that keep tokens safe, or is no answer at all. */
  | 'bad-server'
  /** It knows no client of ours and registers none. */
  | 'no-client'
  /** The authorization server or the person said no. */
  | 'refused'

export class LoginError extends Error {
  override readonly name = 'LoginError'
  readonly code: LoginErrorCode
  constructor(code: LoginErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * The error in our own words. The SDK's quote whole bodies, which hold codes and tokens, and are written by strangers:
 * of those only an error code of the protocol is passed on.
 */
export function toLoginError(error: unknown, doing: string): LoginError {
  if (error instanceof LoginError) return error
  const connect = findCause(error, (cause): cause is McpConnectError => cause instanceof McpConnectError)
  if (connect !== undefined) return new LoginError('unreachable', `${doing}: ${connect.message}`)
  if (error instanceof OAuthError) return new LoginError('refused', `${doing}: ${refusalText(error.code)}`)
  if (error instanceof RegistrationRejectedError) {
    const refusal = errorCodeIn(error.body)
    const what = refusal ?? `the authorization server answered with HTTP status ${error.status}`
    return new LoginError('refused', `${doing}: ${what}`)
  }
  if (error instanceof IssuerMismatchError) {
    return new LoginError('bad-server', `${doing}: the answer names another authorization server than was asked`)
  }
  if (error instanceof InsecureTokenEndpointError) {
    return new LoginError('bad-server', `${doing}: the token endpoint is not https`)
  }
  if (isTimeout(error)) return new LoginError('unreachable', `${doing}: no answer came in time`)
  if (isSystemError(error)) return new LoginError('unreachable', `${doing}: the connection broke (${error.code})`)
  return new LoginError('bad-server', `${doing}: the answer is not what the specification demands`)
}

/** Of a body as RFC 7591 has it. */
function errorCodeIn(body: unknown): string | undefined {
  const [, code] = typeof body === 'string' ? (/"error"\s*:\s*"([a-z0-9_.-]+)"/.exec(body) ?? []) : []
  return code === undefined ? undefined : refusalText(code)
}

/** `invalid_grant` and its like; other text of a stranger is not shown. */
export function refusalText(code: string): string {
  const isCode = /^[a-z][a-z0-9_.-]{0,60}$/.test(code)
  return isCode ? `the authorization server refused (${code})` : 'the authorization server refused'
}

/** Text of a stranger that is shown: one line of printable characters. */
export function shownText(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, LOGIN_TEXT_MAX_LENGTH)
    .trim()
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
}

function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)
}
