import { timingSafeEqual } from 'node:crypto'
import type { Scope, Store, TokenRecord } from '../../store/store.ts'
import { StateError } from '../errors.ts'
import { TOKEN_MAX_CHARS, TOKEN_WEAK_CHARS } from '../limits.ts'
import type { MadeToken } from './make-token.ts'
import { DEFAULT_TENANT, hashToken, makeToken } from './make-token.ts'
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
  authenticate(token: string, accepts?: AcceptedTokens): Promise<TokenRecord | undefined>
  /** The token of the environment; undefined where none is set. */
  readonly environment: TokenRecord | undefined
}

/** `unguessable`: a short token that the operator chose is as good as unknown. */
export type AcceptedTokens = 'all' | 'unguessable'

/** Of `DRAWBRIDGE_TOKEN`, whatever its text. */
export const ENVIRONMENT_TOKEN_ID = 'environment'

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
  const own = (await options.store.listTokens()).filter(({ tenant }) => tenant === DEFAULT_TENANT)
  const known = new Set(own.map(({ name }) => name))
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
    environment: fromEnvironment,
    authenticate: (token, accepts = 'all') => {
      const isLeftOut = accepts === 'unguessable' && isWeak(options.environmentToken)
      return authenticate(token, options.store, isLeftOut ? undefined : fromEnvironment)
    },
  }
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
  const named = { id: ENVIRONMENT_TOKEN_ID, name: 'admin', tenant: DEFAULT_TENANT }
  return { ...named, scopes, hash: hashToken(token), createdMs: nowMs }
}

function weakness(token: string | undefined): readonly string[] {
  if (token === undefined || !isWeak(token)) return []
  return [`DRAWBRIDGE_TOKEN has ${token.length} characters and can be guessed; use at least ${TOKEN_WEAK_CHARS}`]
}

function isWeak(token: string | undefined): boolean {
  return token !== undefined && token !== '' && token.length < TOKEN_WEAK_CHARS
}
