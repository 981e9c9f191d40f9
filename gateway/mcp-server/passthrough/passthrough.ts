import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonValue } from '../../../catalog/json.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts'
import { CHANGE_QUIET_MS } from '../limits.ts'
import { mendRequest } from '../serving/mend-request.ts'
import { sendWebResponse } from '../serving/web-exchange.ts'
import {
  PASSED_EXCHANGES_PER_TOKEN_MAX,
  PASSED_LOOK_MS,
  PASSED_SESSION_IDLE_MS,
  PASSED_SESSIONS_MAX,
  PASSED_SESSIONS_PER_TOKEN_MAX,
} from './limits.ts'
import { faultResponse } from './relaying/passing.ts'
import type { ServeDeps } from './serve-exchange.ts'
import { leaveServer, serveExchange } from './serve-exchange.ts'
import { createSessionBook } from './session-book.ts'
import { createTally } from './tally.ts'
import { createToolWatch } from './tool-watch.ts'

export interface PassthroughDeps extends Omit<ServeDeps, 'sessions' | 'watch'> {
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
  /** Tools of servers, or who may see them, may have changed: clients that were told so hear it again. */
  viewsChanged(): void
  /** Ends the sessions of a token that was revoked; a server may hold a process for each. */
  endOf(tokenId: string): void
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

/** `/mcp/servers/<name>` behind its route: one configured server as it is, under the caller's policy. */
export function createPassthrough(deps: PassthroughDeps): Passthrough {
  const bounds = deps.bounds ?? BOUNDS
  const sessions = createSessionBook({ newId: deps.newSessionId, now: deps.now, leave: leaveServer, bounds })
  const watch = createToolWatch({ viewFor: deps.viewFor, quietMs: CHANGE_QUIET_MS })
  const open = createTally()

  async function send(exchange: PassedExchange, asking: Parameters<typeof serveExchange>[0]): Promise<void> {
    const { request, reply } = exchange
    const signal = abortOnDisconnect(request, reply)
    await sendWebResponse(await serveExchange(asking, { ...deps, sessions, watch }, signal), reply)
  }
  async function refresh(): Promise<void> {
    const changed = await deps.links.refresh()
    await Promise.all([sessions.endWhere(({ server }) => changed.includes(server)), sessions.sweep()])
  }
  const looking = setInterval(() => void refresh().catch(deps.onDefect), PASSED_LOOK_MS)
  looking.unref()

  return {
    async serve(exchange) {
      const { request, reply, authenticated } = exchange
      const tokenId = authenticated.token.id
      if (open.count(tokenId) >= bounds.exchangesPerToken) {
        const message = 'too many requests and streams of this token are open; close some, or try again later'
        await sendWebResponse(faultResponse(429, { code: SERVER_ERROR, message }), reply)
        return
      }
      open.add(tokenId, 1)
      void once(reply.raw, 'close').then(() => open.add(tokenId, -1))
      const id = request.headers['mcp-session-id']
      const owner = { server: exchange.server, tokenId }
      const session = typeof id === 'string' ? sessions.find(id, owner) : undefined
      const body = mendRequest(exchange.body)
      const asking = { ...exchange, body, method: request.method, incoming: request.headers, session }
      const run = (): Promise<void> => send(exchange, asking)
      await (session === undefined ? run() : sessions.use(session, run))
    },
    refresh,
    viewsChanged: () => watch.look(),
    endOf: (tokenId) => void sessions.endWhere((session) => session.tokenId === tokenId).catch(deps.onDefect),
    async close() {
      clearInterval(looking)
      watch.close()
      await sessions.endWhere(() => true)
      await deps.links.close()
    },
  }
}
