import type { FetchLike } from '@modelcontextprotocol/client'
import { LOGIN_BODY_MAX_BYTES, LOGIN_STEP_MS } from '../limits.ts'
import type { HttpServerConfig } from '../server-config.ts'
import { createAddressGuard } from '../transport/http/address-guard.ts'
import type { GuardedFetch } from '../transport/http/guarded-fetch.ts'
import { createGuardedFetch } from '../transport/http/guarded-fetch.ts'

export interface LoginFetchOptions {
  readonly config: Pick<HttpServerConfig, 'url' | 'allowPrivateAddresses'>
  readonly forbiddenAddresses: readonly string[]
  /** Ends every request. */
  readonly signal?: AbortSignal
  /** One request, its body included; 15 s by default. */
  readonly stepMs?: number
}

/**
 * For what is asked of an authorization server. The server it is for names its address, so that it gets no further than
 * that server would: the same address rules, small bodies, and an end to each wait.
 */
export function createLoginFetch(options: LoginFetchOptions): GuardedFetch {
  const { config, forbiddenAddresses, signal, stepMs = LOGIN_STEP_MS } = options
  const http = createGuardedFetch({
    guard: createAddressGuard({
      configuredHost: new URL(config.url).hostname,
      allowPrivateAddresses: config.allowPrivateAddresses ?? false,
      forbidden: forbiddenAddresses,
    }),
    maxBodyBytes: LOGIN_BODY_MAX_BYTES,
    onOversize: () => {
      // Event streams alone; an answer of this kind fails as it is read.
    },
  })
  const fetch: FetchLike = (input, init = {}) => {
    const ends = [AbortSignal.timeout(stepMs), signal, init.signal].filter((end) => end !== undefined && end !== null)
    return http.fetch(input, { ...init, signal: AbortSignal.any(ends) })
  }
  return { fetch, close: () => http.close() }
}
