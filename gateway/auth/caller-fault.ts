import type { Caller } from '../../catalog/caller.ts'
import { ENVIRONMENT_TOKEN_ID } from '../state/tokens/tokens.ts'
import type { Store } from '../store/store.ts'

/** Why a caller may do nothing any more; undefined while it may. */
export type CallerFault = (caller: Caller) => Promise<string | undefined>

export interface CallerFaultDeps {
  readonly store: Pick<Store, 'getToken'>
  /** Agents that are configured. */
  readonly agents: () => readonly string[]
}

/**
 * Asked anew for each call and each step of a model: what a token began must not go on when it was revoked meanwhile,
 * however long it has waited, nor as an agent that nobody configures any more.
 */
export function createCallerFault({ store, agents }: CallerFaultDeps): CallerFault {
  const isGood = async (id: string, { tenant, agent }: Caller): Promise<boolean> => {
    // The operator's own, which nobody revokes: another text at the next start is still the operator.
    if (id === ENVIRONMENT_TOKEN_ID) return true
    const token = await store.getToken(id)
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
