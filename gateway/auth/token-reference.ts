import { ENVIRONMENT_TOKEN_ID } from '../state/tokens.ts'
import type { Seal } from '../state/seal.ts'
import type { TokenRecord } from '../store/store.ts'

/** What is kept of the token with what it asked for. */
export type TokenReference = (token: TokenRecord) => string

/**
 * A token's id; of the environment's, which has one id whatever its text, a mark of the text too, so that another text
 * is another token. The mark is made with the key of the state directory: a short text cannot be guessed from the store.
 */
export function createTokenReference(seal: Pick<Seal, 'mark'>): TokenReference {
  return ({ id, hash }) => (id === ENVIRONMENT_TOKEN_ID ? `${id}:${seal.mark(hash, 'environment-token')}` : id)
}
