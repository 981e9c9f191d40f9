import type { TokenRecord } from '../../store/store.ts'
import { DEFAULT_TENANT } from './make-token.ts'

/**
 * An admin of the tenant `default`, to whom the gateway belongs: rules over the tokens and reads the receipts of all
 * tenants. An admin of another tenant rules over that one alone, and the others are not there for it.
 */
export function isOperator({ tenant, scopes }: Pick<TokenRecord, 'tenant' | 'scopes'>): boolean {
  return tenant === DEFAULT_TENANT && scopes.includes('admin')
}
