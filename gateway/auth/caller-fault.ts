import type { Caller } from '../../catalog/caller.ts'
import type { Store, TokenRecord } from '../store/store.ts'

/** Why a caller may do nothing any more; undefined while it may. */
export type CallerFault = (caller: Caller) => Promise<string | undefined>

export interface CallerFaultDeps {
  readonly store: Pick<Store, 'getToken'>
  /** The token of the environment; undefined where none is set. */
  readonly environment: TokenRecord | undefined
  /** Agents that are configured. */
  readonly agents: () => readonly string[]
}

/**
 * Asked anew for each call and each step of a model: what a token began must not go on when it was revoked meanwhile,
 * however long it has waited, nor as an agent that nobody configures any more.
 */
export function createCallerFault({ store, environment, agents }: CallerFaultDeps): CallerFault {
  const own = environment === undefined ? undefined : tokenKey(environment)
  const isGood = async (key: string, { tenant, agent }: Caller): Promise<boolean> => {
    if (key.startsWith(ENVIRONMENT)) return key === own
    const token = await store.getToken(key)
    if (token === undefined || token.revokedMs !== undefined || token.tenant !== tenant) return false
    return token.agents?.includes(agent) !== false
  }
  return async (caller) => {
    const { agent, token } = caller
    if (!agents().includes(agent)) return `agent ${JSON.stringify(agent)} is not configured any more`
    // Kept by an older Drawbridge, or asked for by the gateway itself: nobody knows by which token.
    if (token === undefined || (await isGood(token, caller))) return undefined
    return 'the token that it was asked for with has been revoked'
  }
}

const ENVIRONMENT = 'environment'

/** What a caller says of its token. The environment's has one id for ever, and may be another after a restart. */
export function tokenKey({ id, hash }: Pick<TokenRecord, 'id' | 'hash'>): string {
  return id === ENVIRONMENT ? `${ENVIRONMENT}:${hash.slice(0, 16)}` : id
}
