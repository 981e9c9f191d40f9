import type { TokenRecord } from '../../store/store.ts'

/** What is shown of a token: everything but its hash. */
export type TokenView = Omit<TokenRecord, 'hash'>

export function tokenView({ hash: _hash, ...shown }: TokenRecord): TokenView {
  return shown
}
