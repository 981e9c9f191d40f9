import type { FetchLike } from '@modelcontextprotocol/client'
import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'

/** The same `fetch`, throwing what the SDK's newer transport throws for a refused message: its older one loses the status. */
export function tellingRefusals(fetch: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { ok, status, statusText } = response
    // What is moved is its transport's to follow.
    if (ok || status < 400 || init?.method !== 'POST') return response
    const text = await response.text()
    throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status}`, { status, statusText, text })
  }
}
