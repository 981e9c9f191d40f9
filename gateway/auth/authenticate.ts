import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../catalog/caller.ts'
import { HttpError } from '../http/http-error.ts'
import type { AcceptedTokens } from '../state/tokens/tokens.ts'
import type { Scope, TokenRecord } from '../store/store.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import { CALLER_NAME_MAX_LENGTH } from './limits.ts'

/** Who sent a request, once its token was checked. */
export interface Authenticated {
  readonly token: TokenRecord
  readonly caller: Caller
}

export interface AuthenticateDeps {
  readonly findToken: (token: string, accepts: AcceptedTokens) => Promise<TokenRecord | undefined>
  readonly failures: FailedAttempts
  /** Agents that are configured; `default` always is. */
  readonly agents: () => readonly string[]
}

/** Checks the bearer token of a request and says who calls. Rejects with `HttpError` 401, 403, 400 or 429. */
export type Authenticate = (request: FastifyRequest, scope: Scope) => Promise<Authenticated>

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const callerOf = createCallers()
  return async (request, scope) => {
    const presented = bearerOf(request)
    if (presented === undefined) {
      throw new HttpError(
        'missing_token',
        'a bearer token is needed: send "Authorization: Bearer <token>"; "drawbridge tokens show" prints one',
      )
    }
    const token = await findToken(presented, request.ip, deps)
    if (!hasScope(token, scope)) {
      throw new HttpError(
        'forbidden',
        `this token has no scope "${scope}"; it has ${token.scopes.join(', ') || 'none'}`,
      )
    }
    const agent = named(request, 'x-drawbridge-agent') ?? ownAgent(token)
    checkAgent(agent, token, deps.agents())
    return { token, caller: callerOf(request, token, agent) }
  }
}

/**
 * While an address has sent too many wrong tokens, only what nobody can guess is looked up for it: a neighbour's good
 * token still passes, and a guess at a short token learns nothing.
 */
async function findToken(presented: string, address: string, deps: AuthenticateDeps): Promise<TokenRecord> {
  const waitMs = deps.failures.waitMs(address)
  const token = await deps.findToken(presented, waitMs === 0 ? 'all' : 'unguessable')
  if (token !== undefined) return token
  if (waitMs === 0) {
    deps.failures.note(address)
    throw new HttpError('invalid_token', 'the bearer token is not known or was revoked')
  }
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  throw new HttpError(
    'rate_limited',
    `too many wrong tokens came from this address; try again in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  )
}

/** Who asks as nobody in particular is `default`, or the first agent of a token that may not be that one. */
function ownAgent({ agents }: TokenRecord): string {
  return agents === undefined || agents.includes('default') ? 'default' : (agents[0] ?? 'default')
}

/** Refuses an agent that is not configured, or that the token may not use; both in the same words. */
export function checkAgent(agent: string, token: TokenRecord, agents: readonly string[]): void {
  const usable = agents.filter((name) => token.agents === undefined || token.agents.includes(name))
  if (usable.includes(agent)) return
  const message = `there is no agent ${JSON.stringify(agent)}; there are ${usable.join(', ') || 'none for this token'}`
  throw new HttpError('unknown_agent', message)
}

function hasScope(token: TokenRecord, scope: Scope): boolean {
  return token.scopes.includes(scope) || token.scopes.includes('admin')
}

/**
 * Who asks as nobody in particular is the same object for as long as its token's record is: what is known of a caller, the
 * policy above all, is kept by it.
 */
function createCallers(): typeof callerOf {
  const plain = new WeakMap<TokenRecord, Map<string, Caller>>()
  return (request, token, agent) => {
    if (CALLER_HEADERS.some((header) => request.headers[header] !== undefined)) return callerOf(request, token, agent)
    const byAgent = plain.get(token) ?? new Map<string, Caller>()
    const caller = byAgent.get(agent) ?? callerOf(request, token, agent)
    byAgent.set(agent, caller)
    plain.set(token, byAgent)
    return caller
  }
}

const CALLER_HEADERS = [
  'x-drawbridge-session',
  'x-drawbridge-channel',
  'x-drawbridge-sender',
  'x-drawbridge-sender-name',
  'x-drawbridge-parent-agent',
] as const

function callerOf(request: FastifyRequest, token: TokenRecord, agent: string): Caller {
  const session = named(request, 'x-drawbridge-session')
  const channel = named(request, 'x-drawbridge-channel')
  const sender = named(request, 'x-drawbridge-sender')
  const senderName = named(request, 'x-drawbridge-sender-name')
  const parentAgent = named(request, 'x-drawbridge-parent-agent')
  checkChannel(channel, token)
  return {
    tenant: token.tenant,
    agent,
    token: token.id,
    ...(session !== undefined && { session }),
    ...(channel !== undefined && { channel }),
    ...(sender !== undefined && { sender }),
    ...(senderName !== undefined && { senderName }),
    ...(parentAgent !== undefined && { parentAgent }),
    ...(channel !== undefined && token.channels !== undefined && vouched(token)),
  }
}

/** Who decides in a channel decides for no agent that its token could not even ask as. */
function vouched({ agents }: TokenRecord): Pick<Caller, 'isVouched' | 'boundTo'> {
  return { isVouched: true, ...(agents && { boundTo: agents }) }
}

/** The token of a channel speaks for no other, so that one adapter cannot pass its users off as another's. */
function checkChannel(channel: string | undefined, { channels }: TokenRecord): void {
  if (channel === undefined || channels === undefined || channels.includes(channel)) return
  const message = `this token speaks for ${channels.join(', ')}, not for channel ${JSON.stringify(channel)}`
  throw new HttpError('forbidden', message, { param: 'x-drawbridge-channel' })
}

/**
 * RFC 7235: the scheme in any case, spaces (and, as some proxies join lines, tabs) before the token. What comes after the
 * token is not cut off: a text with a space in it is no token.
 */
function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^bearer[ \t]+([^ \t]+)$/i.exec(headers.authorization ?? '')?.[1]
}

function named(request: FastifyRequest, header: string): string | undefined {
  const value = request.headers[header]
  if (typeof value !== 'string' || value === '') return undefined
  if (value.length <= CALLER_NAME_MAX_LENGTH) return value
  throw new HttpError(
    'invalid_request',
    `header ${header} has ${value.length} characters, more than ${CALLER_NAME_MAX_LENGTH}`,
  )
}
