import type { Logger } from 'pino'
import type { Server } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../catalog/caller.ts'
import type { JsonValue } from '../../catalog/json.ts'
import type { Authenticated } from '../auth/authenticate.ts'
import { abortOnDisconnect, onDisconnect } from '../http/abort-on-disconnect.ts'
import type { Seal } from '../state/seal.ts'
import { callTool } from './answering/call-tool.ts'
import { createSearchMemories } from './answering/search-memories.ts'
import { createHeldCalls } from './approving/held-calls.ts'
import { CHANGE_QUIET_MS, SESSION_LOOK_MS } from './limits.ts'
import type { CallerBook, Entry } from './serving/caller-book.ts'
import { createCallerBook } from './serving/caller-book.ts'
import type { AgentServerDeps } from './serving/create-agent-server.ts'
import { createAgentServer, serverInfoOf } from './serving/create-agent-server.ts'
import type { Inbound } from './serving/is-legacy.ts'
import { isLegacy } from './serving/is-legacy.ts'
import type { LegacySessions } from './serving/legacy-sessions.ts'
import { createLegacySessions } from './serving/legacy-sessions.ts'
import { mendRequest } from './serving/mend-request.ts'
import type { ModernHandlers } from './serving/modern-handlers.ts'
import { createModernHandlers } from './serving/modern-handlers.ts'
import { createQuickCalls } from './serving/quick-calls.ts'
import { createSessionIds } from './serving/session-ids.ts'
import { createViewWatch } from './serving/view-watch.ts'
import { answerStreamOf, sendJson, sendWebResponse, webRequestOf } from './serving/web-exchange.ts'

export interface McpEndpointDeps extends Omit<
  AgentServerDeps,
  'entryOf' | 'memories' | 'held' | 'onError' | 'onDefect'
> {
  /** Anybody who asks as this agent. */
  readonly callerOf: (agent: string) => Caller
  /** Of the state directory: sessions outlive the process. */
  readonly seal: Pick<Seal, 'seal' | 'open'>
  readonly log: Logger
  readonly now: () => number
}

export interface McpEndpoint {
  /** Answers one request of either generation; resolves when the answer was sent or its client has gone. */
  serve(exchange: Exchange): Promise<void>
  /** Catalog, policy or mode may have changed: whoever is shown another list now is told, soon and once. */
  viewsChanged(): void
  /** Ends the sessions of a token that was revoked. */
  endOf(tokenId: string): void
  /** Ends sessions and streams. Safe to call twice. */
  close(): Promise<void>
}

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly body: JsonValue | undefined
  readonly authenticated: Authenticated
}

/** `/mcp` behind its route: clients of 2026-07-28 request by request, older ones in sessions, over one kind of server. */
export function createMcpEndpoint(deps: McpEndpointDeps): McpEndpoint {
  const book = createCallerBook()
  const onError = (error: unknown): void => deps.log.debug({ err: error }, 'mcp request refused')
  const onDefect = (error: unknown, request: string): void =>
    deps.log.error({ err: error, request }, 'request failed by a defect')
  const serverDeps = {
    ...deps,
    entryOf: book.entryOf,
    memories: createSearchMemories(),
    held: createHeldCalls(deps.now),
    onError,
    onDefect,
  }
  const createServer = ({ caller }: Authenticated): Server => createAgentServer(serverDeps, caller)
  const modern = createModernHandlers({ createServer: (info) => createServer(book.read(info).authenticated), onError })
  const quickCalls = createQuickCalls({
    callTool: (params, asking) => callTool(params, asking, serverDeps),
    serverInfo: serverInfoOf(deps.version),
  })
  const ids = createSessionIds(deps.seal)
  const sessions = createLegacySessions({ createServer, onError, ids, now: deps.now })
  const watch = createViewWatch({
    viewOf: (agent) => deps.viewFor(deps.callerOf(agent)),
    modeOf: (agent) => deps.modeOf(deps.callerOf(agent)),
    quietMs: CHANGE_QUIET_MS,
    onChanged(agent) {
      modern.of(agent).notify.toolsChanged()
      sessions.toolsChanged(agent)
    },
  })
  const sweeping = setInterval(() => sessions.sweep(), SESSION_LOOK_MS)
  sweeping.unref()
  return {
    async serve({ request, reply, body: written, authenticated }) {
      const body = mendRequest(written)
      watch.add(authenticated.caller.agent)
      const inbound = { method: request.method, headers: request.headers, body }
      const quick = await quickCalls.serve(inbound, authenticated, (leave) => onDisconnect(request, reply, leave))
      if (quick.kind === 'answer') {
        sendJson(quick.json, reply)
        return
      }
      await serveBySdk({ request, reply, authenticated, inbound, call: quick.call }, { book, sessions, modern })
    },
    viewsChanged: () => watch.look(),
    endOf: (tokenId) => sessions.endOf(tokenId),
    async close() {
      clearInterval(sweeping)
      quickCalls.close()
      watch.close()
      await Promise.all([modern.close(), sessions.close()])
    },
  }
}

interface SdkExchange extends Omit<Exchange, 'body'> {
  readonly inbound: Inbound
  readonly call: Entry['call']
}

interface SdkWays {
  readonly book: CallerBook
  readonly sessions: LegacySessions
  readonly modern: ModernHandlers
}

async function serveBySdk(exchange: SdkExchange, { book, sessions, modern }: SdkWays): Promise<void> {
  const { request, reply, authenticated, inbound, call } = exchange
  const entry = { authenticated, requestId: request.id }
  const sent = closed(reply)
  const enter = () => ({
    authInfo: book.enter({ ...entry, gone: abortOnDisconnect(request, reply) }),
    stream: answerStreamOf(reply),
  })
  if (sessions.take({ inbound, authenticated, sent, enter })) return sent
  const authInfo = book.enter({ ...entry, ...(call && { call }) })
  const web = webRequestOf(request, abortOnDisconnect(request, reply))
  const { body } = inbound
  const answer = isLegacy(inbound)
    ? await sessions.serve({ request: web, body, authInfo, authenticated, sent })
    : await modern.of(authenticated.caller.agent).fetch(web, { authInfo, parsedBody: body })
  await sendWebResponse(answer, reply)
}

async function closed({ raw }: FastifyReply): Promise<void> {
  if (!raw.closed) await new Promise<void>((resolve) => raw.once('close', resolve))
}
