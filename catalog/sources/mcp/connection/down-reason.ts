import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { findCause, McpConnectError } from '../errors.ts'

export interface DownReason {
  /** For an operator to act on. */
  readonly reason: string
  readonly needs?: 'login'
}

/** Why no connection came about. May quote the server: mask it. */
export function downReason(error: unknown): DownReason {
  const connect = findCause(error, (cause): cause is McpConnectError => cause instanceof McpConnectError)
  if (connect === undefined) return { reason: reasonOf(error) }
  const isLogin = connect.code === 'needs-login' || connect.code === 'insufficient-scope'
  return { reason: connect.message, ...(isLogin && { needs: 'login' }) }
}

function reasonOf(error: unknown): string {
  const http = findCause(error, (cause): cause is SdkHttpError => cause instanceof SdkHttpError)
  if (http !== undefined) return httpReason(http.status)
  const isTimeout =
    (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) ||
    (error instanceof DOMException && error.name === 'TimeoutError')
  if (isTimeout) return 'the server did not answer in time'
  return error instanceof Error ? error.message : String(error)
}

/** What a status says to whoever configured the server. */
export function httpReason(status: number): string {
  if (status === 401) return 'the server requires authorization (HTTP 401); check the headers in its configuration'
  if (status === 403) return 'the server denied access (HTTP 403); check the headers in its configuration'
  return `the server answered with HTTP status ${status}`
}
