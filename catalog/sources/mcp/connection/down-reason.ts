import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../json.ts'
import { findCause, McpConnectError } from '../errors.ts'
import { connectWords } from '../transport/http/connect-words.ts'
import { NO_MORE_REQUESTS, ServerBusyError } from '../transport/http/server-busy.ts'
import { refusalWords } from './refusal-words.ts'
import { schemaWords } from './schema-words.ts'

export interface DownReason {
  /** For an operator to act on. */
  readonly reason: string
  readonly needs?: 'login' | 'credentials'
  /** The server has said that before it takes nothing. */
  readonly retryAfterMs?: number
}

/** Why no connection came about. May quote the server: mask it. */
export function downReason(error: unknown): DownReason {
  const connect = findCause(error, (cause): cause is McpConnectError => cause instanceof McpConnectError)
  if (connect === undefined) return { reason: reasonOf(error), ...(isRefusedKey(error) && { needs: 'credentials' }) }
  const isLogin = connect.code === 'needs-login' || connect.code === 'insufficient-scope'
  const { retryAfterMs } = connect instanceof ServerBusyError ? connect : {}
  return {
    reason: connect.message,
    ...(isLogin && { needs: 'login' }),
    ...(connect.code === 'misconfigured' && { needs: 'credentials' }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function isRefusedKey(error: unknown): boolean {
  return findCause(error, (cause): cause is SdkHttpError => cause instanceof SdkHttpError)?.status === 401
}

function reasonOf(error: unknown): string {
  const http = findCause(error, (cause): cause is SdkHttpError => cause instanceof SdkHttpError)
  if (http !== undefined) return httpReason(http)
  const other = findCause(error, isOtherContent)
  if (other !== undefined) return otherContentReason(other)
  if (isTimeout(error)) return 'the server did not answer in time'
  const broken = findCause(error, isBrokenConnection)
  if (broken !== undefined) return `the connection broke before an answer came${connectWords(broken.code)}`
  return schemaWords(error instanceof Error ? error.message : String(error))
}

/** Of the system, or of the client that holds the connection. */
function isBrokenConnection(cause: unknown): cause is Error & { readonly code: string } {
  return cause instanceof Error && 'code' in cause && /^(?:E[A-Z0-9]+|UND_ERR_\w+)$/.test(String(cause.code))
}

export function isTimeout(error: unknown): boolean {
  if (error instanceof SdkError) return error.code === SdkErrorCode.RequestTimeout
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** What a status says to whoever configured the server; may quote the server: mask it. */
export function httpReason(error: SdkHttpError): string {
  const { status } = error
  const words = refusalWords(error)
  if (status === 401)
    return `the server requires authorization (HTTP 401); check the headers in its configuration${words}`
  if (status === 403) return `the server denied access (HTTP 403); check the headers in its configuration${words}`
  if (status === 429) return `${NO_MORE_REQUESTS}${words}`
  return `the server answered with HTTP status ${status}${words}`
}

function isOtherContent(cause: unknown): cause is SdkError {
  return cause instanceof SdkError && cause.code === SdkErrorCode.ClientHttpUnexpectedContent
}

function otherContentReason(error: SdkError): string {
  return `${otherContentWords(error)}; check that its url is that of an MCP endpoint`
}

export function otherContentWords({ data }: SdkError): string {
  const type: unknown = isJsonObject(data) ? data['contentType'] : undefined
  const what = typeof type === 'string' && type !== '' ? type : 'an empty body, or one without a type'
  return `the server answered with ${what}, which is no message of MCP`
}
