import type { OpenClients } from '../mcp-server/open-clients.ts'
import { ENVIRONMENT_TOKEN_ID } from '../state/tokens/tokens.ts'
import type { Store } from '../store/store.ts'

export interface RevocationDeps {
  readonly store: Pick<Store, 'getToken'>
  readonly clients: Pick<OpenClients, 'tokens' | 'breakOff'>
}

/**
 * Breaks off what is open with tokens that were revoked past this gateway: by another one, or a command, on the same store.
 * A revocation through this gateway does so at once.
 */
export async function endRevoked({ store, clients }: RevocationDeps): Promise<void> {
  for (const id of clients.tokens()) {
    // The operator's own, which no store knows.
    if (id === ENVIRONMENT_TOKEN_ID) continue
    const token = await store.getToken(id)
    if (token === undefined || token.revokedMs !== undefined) clients.breakOff(id)
  }
}
