import type { Scope, Store } from '../../store/store.ts'
import type { MadeToken } from './make-token.ts'
import { DEFAULT_TENANT, makeToken } from './make-token.ts'

/** What a new token is asked to be; everything comes from outside. */
export interface TokenRequest {
  readonly name: string
  readonly tenant: string
  readonly scopes: readonly string[]
  /** Absent: all agents. */
  readonly agents?: readonly string[]
  /** Absent: it speaks for no channel. */
  readonly channels?: readonly string[]
}

export type IssuedToken =
  | { readonly kind: 'issued'; readonly made: MadeToken }
  | { readonly kind: 'invalid' | 'name-taken'; readonly field: string; readonly message: string }

const TOKEN_SCOPES: readonly Scope[] = ['chat', 'tools', 'approvals', 'admin']

/** What a request that leaves it open means. */
export const TOKEN_DEFAULTS = { tenant: DEFAULT_TENANT, scopes: ['chat', 'tools'] } as const

/** Stands in logs, listings and command lines. */
const NAME_FORM = /^[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,63}$/

/** As `channel:<channel>:<sender>` can name it. */
const CHANNEL_FORM = /^[^\s:,]{1,64}$/

/** Makes a token and keeps its hash; its plain text is in the answer and nowhere else. */
export async function issueToken(
  request: TokenRequest,
  deps: { readonly store: Pick<Store, 'putToken' | 'listTokens'>; readonly nowMs: number },
): Promise<IssuedToken> {
  const { name, tenant, agents, channels } = request
  const invalid = (field: string, message: string): IssuedToken => ({ kind: 'invalid', field, message })
  for (const [field, text] of [
    ['name', name],
    ['tenant', tenant],
  ] as const) {
    if (!NAME_FORM.test(text)) {
      const rule = 'use up to 64 letters, digits and _ . : @ -, beginning with a letter, a digit or _'
      return invalid(field, `${field} ${JSON.stringify(text.slice(0, 80))} cannot be used; ${rule}`)
    }
  }
  const fault = scopesFault(request.scopes)
  if (fault !== undefined) return invalid('scopes', fault)
  const scopes = TOKEN_SCOPES.filter((scope) => request.scopes.includes(scope))
  if (agents?.length === 0) return invalid('agents', 'a token needs an agent; leave agents out for all')
  const channel = channels?.find((each) => !CHANNEL_FORM.test(each))
  if (channel !== undefined || channels?.length === 0) {
    const rule = 'a channel has up to 64 characters without spaces, ":" and ","'
    return invalid(
      'channels',
      channel === undefined ? `channels is empty; ${rule}` : `${JSON.stringify(channel.slice(0, 80))}: ${rule}`,
    )
  }
  const isTaken = (await deps.store.listTokens()).some(
    (token) => token.name === name && token.tenant === tenant && token.revokedMs === undefined,
  )
  if (isTaken) {
    const message = `tenant "${tenant}" has a token "${name}" already; revoke that one first, or choose another name`
    return { kind: 'name-taken', field: 'name', message }
  }
  const limits = { ...(agents && { agents }), ...(channels && { channels }) }
  const made = makeToken({ name, tenant, scopes, ...limits }, deps.nowMs)
  await deps.store.putToken(made.record)
  return { kind: 'issued', made }
}

/** Why a token cannot have these scopes, with those that there are. */
export function scopesFault(given: readonly string[]): string | undefined {
  const unknown = given.find((each) => !TOKEN_SCOPES.some((scope) => scope === each))
  if (unknown === undefined && given.length > 0) return undefined
  const what = unknown === undefined ? 'a token needs a scope' : `there is no scope ${JSON.stringify(unknown)}`
  return `${what}; there are ${TOKEN_SCOPES.join(', ')}`
}
