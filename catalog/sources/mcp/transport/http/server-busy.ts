import type { FetchLike } from '@modelcontextprotocol/client'
import { SdkHttpError } from '@modelcontextprotocol/client'
import { refusalWords } from '../../connection/refusal-words.ts'
import { McpConnectError } from '../../errors.ts'

/** The server takes nothing for now, and says from when on it will. */
export class ServerBusyError extends McpConnectError {
  readonly retryAfterMs: number
  /** Of 429 nothing was begun; 503 is said too by proxies that lost what they had passed on. */
  readonly hasBegunNothing: boolean
  constructor(status: number, retryAfterMs: number, words: string) {
    const what = status === 429 ? NO_MORE_REQUESTS : 'the server is not available (HTTP 503)'
    super('busy', `${what}${words}${waitWords(retryAfterMs)}`)
    this.retryAfterMs = retryAfterMs
    this.hasBegunNothing = status === 429
  }
}

export const NO_MORE_REQUESTS = 'the server takes no more requests for now (HTTP 429)'

/** Whether a server was too busy for a request, whether it says for how long or not; it is there. */
export function isBusy(error: unknown): boolean {
  return error instanceof ServerBusyError || (error instanceof SdkHttpError && error.status === 429)
}

/** Of how long the server asks to wait. */
export function waitWords(retryAfterMs: number): string {
  return `; it asks to wait for ${Math.ceil(retryAfterMs / 1_000)} s`
}

/** The same `fetch`, throwing `ServerBusyError` where the SDK's error would have lost how long to wait. */
export function tellingBusy(fetch: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, init)
    const retryAfterMs = retryAfter(response)
    if (retryAfterMs === undefined) return response
    throw new ServerBusyError(response.status, retryAfterMs, refusalWords({ data: { text: await response.text() } }))
  }
}

/** Of HTTP 429 and 503, in milliseconds (RFC 9110, 10.2.3); undefined where nothing of the kind is said. */
export function retryAfter({ status, headers }: Response): number | undefined {
  const said = status === 429 || status === 503 ? headers.get('retry-after')?.trim() : undefined
  if (said === undefined || said === '') return undefined
  const seconds = Number(said)
  // A date is meant by the server's own clock, which need not be right.
  const waitMs = Number.isNaN(seconds) ? Date.parse(said) - Date.parse(headers.get('date') ?? '') : seconds * 1_000
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}
