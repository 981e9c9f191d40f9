import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { Scope, TokenRecord } from '../../store/store.ts'
import { TOKEN_BYTES } from '../limits.ts'

export interface MadeToken {
  readonly record: TokenRecord
  readonly token: string
}

export interface NewToken {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly tenant?: string
  readonly agents?: readonly string[]
  readonly channels?: readonly string[]
}

/** The tenant of whoever runs the gateway. */
export const DEFAULT_TENANT = 'default'

export function makeToken({ tenant = DEFAULT_TENANT, ...given }: NewToken, nowMs: number): MadeToken {
  const token = `db_${randomBytes(TOKEN_BYTES).toString('base64url')}`
  return { token, record: { id: `tok_${randomUUID()}`, tenant, ...given, hash: hashToken(token), createdMs: nowMs } }
}

/** A token has 256 random bits, so that one plain hash is enough. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
