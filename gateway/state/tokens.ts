import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Scope, Store, TokenRecord } from '../store/store.ts'
import { StateError } from './errors.ts'
import { TOKEN_BYTES, TOKEN_MAX_CHARS, TOKEN_WEAK_CHARS } from './limits.ts'
import { readTokenFile, writeTokenFile } from './token-file.ts'

export interface TokensOptions {
  readonly store: Pick<Store, 'putToken' | 'findToken' | 'listTokens'>
  /** Its file `tokens` gets the plain text of what is made. */
  readonly stateDirectory: string
  /** `DRAWBRIDGE_TOKEN`: an admin token for this process; no admin token is made then. */
  readonly environmentToken?: string | undefined
  readonly nowMs: number
}

export interface Tokens {
  /** Made just now, with the plain text that nobody can read from the store again. */
  readonly made: readonly MadeToken[]
  readonly warnings: readonly string[]
  /** Who a bearer token belongs to; undefined for an unknown or revoked one. */
  authenticate(token: string): Promise<TokenRecord | undefined>
}

export interface MadeToken {
  readonly record: TokenRecord
  readonly token: string
}

const DEFAULT_TENANT = 'default'

const FIRST_TOKENS: readonly { readonly name: string; readonly scopes: readonly Scope[] }[] = [
  { name: 'chat', scopes: ['chat', 'tools'] },
  { name: 'admin', scopes: ['chat', 'tools', 'approvals', 'admin'] },
]

/**
 * The bearer tokens of the gateway. The first start makes `chat` and `admin`; a name that was ever there, even revoked,
 * is not made again.
 * @throws {StateError} `token-unusable` when the environment's token could never come in a header
 */
export async function openTokens(options: TokensOptions): Promise<Tokens> {
  const fromEnvironment = environmentRecord(options.environmentToken || undefined, options.nowMs)
  const known = new Set((await options.store.listTokens()).map(({ name }) => name))
  if (fromEnvironment) known.add('admin')
  const made = FIRST_TOKENS.filter(({ name }) => !known.has(name)).map((first) => makeToken(first, options.nowMs))
  if (made.length > 0) {
    // The plain text first: a hash without it would be a token that nobody has.
    const plain = Object.fromEntries(made.map(({ record, token }) => [record.name, token]))
    await writeTokenFile(options.stateDirectory, { ...(await readTokenFile(options.stateDirectory)), ...plain })
    for (const { record } of made) await options.store.putToken(record)
  }
  return {
    made,
    warnings: weakness(options.environmentToken),
    authenticate: (token) => authenticate(token, options.store, fromEnvironment),
  }
}

export interface NewToken {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly tenant?: string
  readonly agents?: readonly string[]
}

export function makeToken({ tenant = DEFAULT_TENANT, ...given }: NewToken, nowMs: number): MadeToken {
  const token = `db_${randomBytes(TOKEN_BYTES).toString('base64url')}`
  return { token, record: { id: randomUUID(), tenant, ...given, hash: hashToken(token), createdMs: nowMs } }
}

/** A token has 256 random bits, so that one plain hash is enough. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

async function authenticate(
  token: string,
  store: Pick<Store, 'findToken'>,
  fromEnvironment: TokenRecord | undefined,
): Promise<TokenRecord | undefined> {
  if (token.length > TOKEN_MAX_CHARS) return undefined
  const hash = hashToken(token)
  if (fromEnvironment && isSameHash(fromEnvironment.hash, hash)) return fromEnvironment
  // The look-up's time depends on the hash alone, which tells nothing of any token.
  const record = await store.findToken(hash)
  return record && record.revokedMs === undefined && isSameHash(record.hash, hash) ? record : undefined
}

function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function environmentRecord(token: string | undefined, nowMs: number): TokenRecord | undefined {
  if (token === undefined) return undefined
  if (!/^[\x21-\x7e]+$/.test(token) || token.length > TOKEN_MAX_CHARS) {
    const rule = `printable ASCII without spaces, at most ${TOKEN_MAX_CHARS} characters`
    throw new StateError('token-unusable', `DRAWBRIDGE_TOKEN cannot be a bearer token; use ${rule}`)
  }
  const scopes: readonly Scope[] = ['chat', 'tools', 'approvals', 'admin']
  const named = { id: 'environment', name: 'admin', tenant: DEFAULT_TENANT }
  return { ...named, scopes, hash: hashToken(token), createdMs: nowMs }
}

function weakness(token: string | undefined): readonly string[] {
  if (!token || token.length >= TOKEN_WEAK_CHARS) return []
  return [`DRAWBRIDGE_TOKEN has ${token.length} characters and can be guessed; use at least ${TOKEN_WEAK_CHARS}`]
}
