import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonValue } from '../../../catalog/json.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import { abortOnDisconnect } from '../../routes/direct/abort-on-disconnect.ts'
import { sendWebResponse } from '../serving/web-exchange.ts'
import type { GateDeps } from './gate.ts'
import { createGate } from './gate.ts'
import {
  PASSED_EXCHANGES_PER_TOKEN_MAX,
  PASSED_LOOK_MS,
  PASSED_SESSION_IDLE_MS,
  PASSED_SESSIONS_MAX,
  PASSED_SESSIONS_PER_TOKEN_MAX,
} from './limits.ts'
import { passedHeaders } from './passed-headers.ts'
import type { Passing } from './passing.ts'
import { faultResponse } from './passing.ts'
import type { RelayCallDeps } from './relay-call.ts'
import { leaveServer, serveExchange } from './serve-exchange.ts'
import type { ServerLinks } from './server-links.ts'
import type { PassedSession } from './session-book.ts'
import { createSessionBook } from './session-book.ts'
import { UpstreamFault } from './upstream/upstream-fault.ts'

export interface PassthroughDeps extends GateDeps, RelayCallDeps {
  readonly links: ServerLinks
  readonly newSessionId: () => string
  readonly now: () => number
  readonly bounds?: PassthroughBounds
}

export interface PassthroughBounds {
  readonly all: number
  readonly perToken: number
  readonly idleMs: number
  readonly exchangesPerToken: number
}

export interface PassedExchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly server: string
  readonly body: JsonValue | undefined
  readonly authenticated: Authenticated
}

export interface Passthrough {
  /** Answers one request; resolves when the answer was sent or its client has gone. */
  serve(exchange: PassedExchange): Promise<void>
  /** Ends sessions of servers that were changed, and those that nobody has used for long. */
  refresh(): Promise<void>
  sessionCount(): number
  /** Safe to call twice. */
  close(): Promise<void>
}

const BOUNDS: PassthroughBounds = {
  all: PASSED_SESSIONS_MAX,
  perToken: PASSED_SESSIONS_PER_TOKEN_MAX,
  idleMs: PASSED_SESSION_IDLE_MS,
  exchangesPerToken: PASSED_EXCHANGES_PER_TOKEN_MAX,
}
const SERVER_ERROR = -32_000
const SESSION_NOT_FOUND = -32_001

/** `/mcp/servers/<name>` behind its route: one configured server as it is, under the caller's policy. */
export function createPassthrough(deps: PassthroughDeps): Passthrough {
  const bounds = deps.bounds ?? BOUNDS
  const sessions = createSessionBook({ newId: deps.newSessionId, now: deps.now, leave: leaveServer, bounds })
  const underWay = new Map<string, number>()

  async function refresh(): Promise<void> {
    const changed = await deps.links.refresh()
    await Promise.all([sessions.endWhere(({ server }) => changed.includes(server)), sessions.sweep()])
  }
  async function answer(exchange: PassedExchange, signal: AbortSignal): Promise<Response> {
    const { request, server, authenticated } = exchange
    const { caller, token } = authenticated
    const gate = createGate(server, caller, deps)
    if (!deps.links.has(server) || !gate.isOpen) {
      return faultResponse(404, { code: SERVER_ERROR, message: `there is no MCP server ${JSON.stringify(server)}` })
    }
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.find(id, { server, tokenId: token.id }) : undefined
    if (id !== undefined && session === undefined) return sessionGone()
    const own = session?.upstreamId === undefined ? {} : { 'mcp-session-id': session.upstreamId }
    const common = { caller, gate, session, headers: { ...passedHeaders(request.headers), ...own }, signal }
    const passing = (): Passing => ({
      ...common,
      upstream: session?.upstream ?? deps.links.withoutSession(server, caller.tenant),
    })
    const run = (): Promise<Response> =>
      serveExchange({ ...exchange, passing, common }, { ...deps, sessions, tokenId: token.id })
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof UpstreamFault)) throw error
      if (error.code === 'session-forgotten' && session !== undefined) await sessions.end(session)
      return error.code === 'session-forgotten' ? sessionGone() : upstreamFailed(error)
    }
  }
  async function serveBounded(exchange: PassedExchange): Promise<void> {
    const { request, reply, authenticated } = exchange
    const tokenId = authenticated.token.id
    const open = underWay.get(tokenId) ?? 0
    if (open >= bounds.exchangesPerToken) {
      const message = 'too many requests and streams of this token are open; close some, or try again later'
      await sendWebResponse(faultResponse(429, { code: SERVER_ERROR, message }), reply)
      return
    }
    underWay.set(tokenId, open + 1)
    const sent = once(reply.raw, 'close')
    void sent.then(() => leave(underWay, tokenId))
    const session = sessionOf(exchange)
    const send = async (): Promise<void> => {
      await sendWebResponse(await answer(exchange, abortOnDisconnect(request, reply)), reply)
    }
    await (session === undefined ? send() : sessions.use(session, send))
  }
  function sessionOf({ request, server, authenticated }: PassedExchange): PassedSession | undefined {
    const id = request.headers['mcp-session-id']
    return typeof id === 'string' ? sessions.find(id, { server, tokenId: authenticated.token.id }) : undefined
  }

  const looking = setInterval(() => void refresh(), PASSED_LOOK_MS)
  looking.unref()
  return {
    serve: serveBounded,
    refresh,
    sessionCount: () => sessions.count(),
    async close() {
      clearInterval(looking)
      await sessions.endWhere(() => true)
      await deps.links.close()
    },
  }
}

function leave(underWay: Map<string, number>, tokenId: string): void {
  const open = (underWay.get(tokenId) ?? 1) - 1
  if (open === 0) underWay.delete(tokenId)
  else underWay.set(tokenId, open)
}

function sessionGone(): Response {
  return faultResponse(404, { code: SESSION_NOT_FOUND, message: 'session not found: it has ended, so "initialize" a new one' })
}

function upstreamFailed({ message }: UpstreamFault): Response {
  return faultResponse(502, { code: SERVER_ERROR, message })
}
