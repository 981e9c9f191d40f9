import type { Store, TokenRecord } from '../../store/store.ts'
import { isOperator } from './is-operator.ts'
import { hashToken } from './make-token.ts'
import { readTokenFile, writeTokenFile } from './token-file.ts'

export interface RevokeDeps {
  readonly store: Pick<Store, 'putToken' | 'listTokens'>
  readonly stateDirectory: string
  readonly nowMs: number
  /** Whether `DRAWBRIDGE_TOKEN` lets an operator in, whatever the store says. */
  readonly hasEnvironmentToken: boolean
}

export type RevokedToken =
  | { readonly kind: 'revoked'; readonly record: TokenRecord }
  | { readonly kind: 'absent' }
  /** Without it nobody could make the next one while the gateway runs. */
  | { readonly kind: 'last-admin'; readonly message: string }

/** Ends a token at once; revoking it again is harmless. `tenant` is the only one whose tokens are there; absent: all. */
export async function revokeToken(
  { id, tenant }: { readonly id: string; readonly tenant?: string },
  deps: RevokeDeps,
): Promise<RevokedToken> {
  const tokens = await deps.store.listTokens()
  const found = tokens.find((token) => token.id === id && (tenant === undefined || token.tenant === tenant))
  if (found === undefined) return { kind: 'absent' }
  if (found.revokedMs !== undefined) return { kind: 'revoked', record: found }
  const isNeeded = !deps.hasEnvironmentToken && isOperator(found)
  if (isNeeded && !tokens.some((token) => token.id !== id && token.revokedMs === undefined && isOperator(token))) {
    const message = `token "${found.name}" is the last admin token; create another one first`
    return { kind: 'last-admin', message }
  }
  const record: TokenRecord = { ...found, revokedMs: deps.nowMs }
  await deps.store.putToken(record)
  await forgetPlain(record, deps.stateDirectory)
  return { kind: 'revoked', record }
}

/** The commands would go on sending it. */
async function forgetPlain({ hash }: TokenRecord, stateDirectory: string): Promise<void> {
  const plain = Object.entries(await readTokenFile(stateDirectory))
  const kept = plain.filter(([, token]) => hashToken(token) !== hash)
  if (kept.length < plain.length) await writeTokenFile(stateDirectory, Object.fromEntries(kept))
}
