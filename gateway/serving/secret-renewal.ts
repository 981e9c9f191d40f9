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

interface Pace {
  readonly waitMs: number
  readonly nextMs: number
}

/**
 * Tokens that a command prints end after an hour, a file is written anew, a vault is opened later. What is refused, or could not
 * be had, is asked for once more: soon, and ever more rarely while it helps nothing, since a command may ask a person. Each
 * server has a pace of its own: one that is refused for ever keeps no other waiting. It holds until the server was there for as
 * long as it waits, or one that lets us in and refuses us at once would have the command run all the time.
 */
export function createSecretRenewal(deps: SecretRenewalDeps): { look(): void } {
  let paces: ReadonlyMap<string, Pace> = new Map()
  return {
    look() {
      const fetchedFor = new Set(deps.fetchedFor())
      if (fetchedFor.size === 0) return
      const nowMs = deps.now()
      let isDue = false
      const looked = deps.servers().flatMap(({ server, state }) => {
        const pace = paces.get(server)
        if (!fetchedFor.has(server)) return []
        if (!isRefused(state)) return pace === undefined || isOver(pace, state, nowMs) ? [] : [[server, pace] as const]
        if (pace !== undefined && nowMs < pace.nextMs) return [[server, pace] as const]
        // Of one that was refused only now its own next attempts are waited for.
        isDue ||= pace !== undefined
        return [[server, following(pace, nowMs)] as const]
      })
      paces = new Map(looked)
      if (isDue) deps.fetchAgain()
    },
  }
}

function isRefused(state: SourceState): boolean {
  return state.kind === 'down' && state.needs !== undefined
}

function isOver({ waitMs }: Pace, state: SourceState, nowMs: number): boolean {
  return state.kind === 'ready' && nowMs - state.sinceMs >= waitMs
}

function following(pace: Pace | undefined, nowMs: number): Pace {
  const waitMs = pace === undefined ? SECRET_RENEWAL_FIRST_MS : Math.min(pace.waitMs * 4, SECRET_RENEWAL_MAX_MS)
  return { waitMs, nextMs: nowMs + waitMs }
}
