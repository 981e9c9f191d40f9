import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../catalog/caller.ts'
import { HttpError } from '../routes/http-error.ts'
import type { Scope, TokenRecord } from '../store/store.ts'

/** Who sent a request, once its token was checked. */
export interface Authenticated {
  readonly token: TokenRecord
  readonly caller: Caller
}

export interface AuthenticateDeps {
  readonly findToken: (token: string) => Promise<TokenRecord | undefined>
  /** Agents that are configured; `default` always is. */
  readonly agents: () => readonly string[]
}

/** Checks the bearer token of a request and says who calls. Rejects with `HttpError` 401, 403 or 400. */
export type Authenticate = (request: FastifyRequest, scope: Scope) => Promise<Authenticated>

/** Longest header that names a session, channel, sender or agent. */
const NAME_MAX_LENGTH = 256

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  return async (request, scope) => {
    const presented = bearerOf(request)
    if (presented === undefined) {
      throw new HttpError('missing_token', 'a bearer token is needed: send "Authorization: Bearer <token>"')
    }
    const token = await deps.findToken(presented)
    if (token === undefined) throw new HttpError('invalid_token', 'the bearer token is not known or was revoked')
    if (!hasScope(token, scope)) {
      throw new HttpError(
        'forbidden',
        `this token has no scope "${scope}"; it has ${token.scopes.join(', ') || 'none'}`,
      )
    }
    const agent = named(request, 'x-drawbridge-agent') ?? 'default'
    checkAgent(agent, token, deps.agents())
    return { token, caller: callerOf(request, token, agent) }
  }
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

function callerOf(request: FastifyRequest, token: TokenRecord, agent: string): Caller {
  const session = named(request, 'x-drawbridge-session')
  const channel = named(request, 'x-drawbridge-channel')
  const sender = named(request, 'x-drawbridge-sender')
  return {
    tenant: token.tenant,
    agent,
    ...(session !== undefined && { session }),
    ...(channel !== undefined && { channel }),
    ...(sender !== undefined && { sender }),
  }
}

function bearerOf(request: FastifyRequest): string | undefined {
  const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ', 2)
  return scheme.toLowerCase() === 'bearer' && value !== '' ? value : undefined
}

function named(request: FastifyRequest, header: string): string | undefined {
  const value = request.headers[header]
  if (typeof value !== 'string' || value === '') return undefined
  if (value.length <= NAME_MAX_LENGTH) return value
  throw new HttpError(
    'invalid_request',
    `header ${header} has ${value.length} characters, more than ${NAME_MAX_LENGTH}`,
  )
}
