import { KNOWN_TOKENS_COUNT } from '../limits.ts'
import type { Store, TokenRecord } from '../store.ts'
import { encodeRow } from './encode-row.ts'
import type { SqliteSteps } from './sqlite-steps.ts'
import type { Statements } from './statements.ts'

export interface SqliteTokensDeps {
  readonly statements: Pick<Statements, 'putToken' | 'findToken' | 'getToken' | 'listTokens'>
  readonly steps: SqliteSteps
  /** Whether others write to the file too, or have: then nothing is known without asking it. */
  readonly isShared: () => boolean
}

type Row = Readonly<Record<string, unknown>>

/**
 * Tokens in the store's SQLite file. Each request asks for its token twice: once when it comes, and once before its call is
 * made. One that was read is the same object until any is written, and with it whatever is kept by its caller.
 */
export function createSqliteTokens({
  statements,
  steps,
  isShared,
}: SqliteTokensDeps): Pick<Store, 'putToken' | 'findToken' | 'getToken' | 'listTokens'> {
  const [byHash, byId] = [new Map<string, TokenRecord>(), new Map<string, TokenRecord>()]
  const forget = (): void => {
    byHash.clear()
    byId.clear()
  }
  const known = (by: ReadonlyMap<string, TokenRecord>, key: string): TokenRecord | undefined =>
    isShared() ? undefined : by.get(key)
  const read = (row: Row | undefined): TokenRecord | undefined => {
    if (row === undefined) return undefined
    const token = decode(row)
    if (isShared()) return token
    if (byId.size >= KNOWN_TOKENS_COUNT) forget()
    byHash.set(token.hash, token)
    byId.set(token.id, token)
    return token
  }
  return {
    putToken: (token) =>
      steps.run(() => {
        statements.putToken.run(token.hash, token.id, token.createdMs, encodeRow(token))
        forget()
      }),
    findToken: (hash) => steps.run(() => known(byHash, hash) ?? read(statements.findToken.get(hash))),
    getToken: (id) => steps.run(() => known(byId, id) ?? read(statements.getToken.get(id))),
    listTokens: () => steps.run(() => statements.listTokens.all().map(decode)),
  }
}

function decode(row: Row): TokenRecord {
  return JSON.parse(String(row['body']))
}
