import type { SourceState } from '../../catalog/source.ts'
import { SECRET_RENEWAL_FIRST_MS, SECRET_RENEWAL_MAX_MS } from './limits.ts'

export interface SecretRenewalDeps {
  readonly servers: () => readonly { readonly server: string; readonly state: SourceState }[]
  /** Servers with a secret that a file or a command gives. */
  readonly fetchedFor: () => readonly string[]
  /** Has all of them fetched once more; a server whose secret is another one then is connected with it. */
  readonly fetchAgain: () => void
  readonly now: () => number
}

/**
 * Tokens that a command prints end after an hour, a file is written anew, a vault is opened later. What is refused, or could not
 * be had, is asked for once more: soon, and ever more rarely while it helps nothing, since a command may ask a person.
 */
export function createSecretRenewal(deps: SecretRenewalDeps): { look(): void } {
  let waitMs = 0
  let nextMs = 0
  return {
    look() {
      const fetchedFor = deps.fetchedFor()
      if (fetchedFor.length === 0) return
      const isRefused = deps
        .servers()
        .some(({ server, state }) => state.kind === 'down' && state.needs !== undefined && fetchedFor.includes(server))
      if (!isRefused) {
        waitMs = 0
        return
      }
      const isFirst = waitMs === 0
      if (!isFirst && deps.now() < nextMs) return
      waitMs = isFirst ? SECRET_RENEWAL_FIRST_MS : Math.min(waitMs * 4, SECRET_RENEWAL_MAX_MS)
      nextMs = deps.now() + waitMs
      if (!isFirst) deps.fetchAgain()
    },
  }
}
