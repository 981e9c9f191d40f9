import type { Server } from '@modelcontextprotocol/server'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Authenticated } from '../../auth/authenticate.ts'
import { KEEP_ALIVE_MS, MCP_BODY_MAX_BYTES } from '../limits.ts'
import type { ChangeTeller } from './change-teller.ts'
import { createChangeTeller } from './change-teller.ts'
import type { RequestsUnderWay } from './requests-under-way.ts'
import { createRequestsUnderWay } from './requests-under-way.ts'
import type { SessionPosts } from './session-posts.ts'
import { createSessionPosts } from './session-posts.ts'

/** One client of a revision before 2026-07-28, from `initialize` on. */
export interface Session {
  readonly id: string
  readonly tokenId: string
  readonly agent: string
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly posts: SessionPosts
  readonly requests: RequestsUnderWay
  readonly teller: ChangeTeller
  /** Manners of calls that the SDK has answered by a stream. */
  readonly known: Set<string>
  /** Requests and streams that are open now. */
  active: number
  usedMs: number
}

export interface SessionParts {
  readonly id: string
  readonly authenticated: Authenticated
  /** Whether the client says so; one that does not gets each answer as one text, and nothing before it. */
  readonly readsStreams: boolean
  readonly onEnded: () => void
}

export interface CreateSessionDeps {
  readonly createServer: (authenticated: Authenticated) => Server
  readonly onError: (error: Error) => void
  readonly now: () => number
}

export async function createSession(
  { id, authenticated, readsStreams, onEnded }: SessionParts,
  { createServer, onError, now }: CreateSessionDeps,
): Promise<Session> {
  const { token, caller } = authenticated
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    enableJsonResponse: !readsStreams,
    keepAliveMs: KEEP_ALIVE_MS,
    maxRequestBodySize: MCP_BODY_MAX_BYTES,
  })
  const server = createServer(authenticated)
  const posts = createSessionPosts(transport)
  const requests = createRequestsUnderWay({ transport, posts, readsStreams, onError })
  const teller = createChangeTeller(() => void server.sendToolListChanged().catch(onError))
  // The SDK takes these as fields, one listener each.
  const onclose = (): void => {
    onEnded()
    posts.close()
  }
  Object.assign(server, { onerror: onError, onclose })
  // Nor can it be asked anything before it, whatever it says that it could answer: it would be waited for in vain.
  if (!readsStreams) Object.assign(server, { getClientCapabilities: () => undefined })
  await server.connect(transport)
  const within = { server, transport, posts, requests, teller }
  return { id, tokenId: token.id, agent: caller.agent, ...within, known: new Set(), active: 0, usedMs: now() }
}
