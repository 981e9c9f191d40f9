import type { ServerCapabilities, ServerContext } from '@modelcontextprotocol/server'
import { Server } from '@modelcontextprotocol/server'
import type { Caller } from '../../../catalog/caller.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { AnswerDeps } from '../answering/call-tool.ts'
import { callTool } from '../answering/call-tool.ts'
import { listTools } from '../answering/list-tools.ts'
import { instructionsFor } from '../instructions.ts'
import { DISCOVER_TTL_MS, LIST_TTL_MS } from '../limits.ts'

/** What is served beside tools, e.g. the resources and prompts of the servers behind. */
export interface McpExtension {
  /** Advertised with ours; asked for each server that is made, so that configuration takes effect at once. */
  capabilities(): ServerCapabilities
  /** Sets its request handlers; `callerOf` says who sent the request that a handler is given. */
  install(server: Server, callerOf: (context: ServerContext) => Authenticated): void
}

export interface AgentServerDeps extends AnswerDeps {
  readonly callerOf: (context: ServerContext) => Authenticated
  readonly extensions: readonly McpExtension[]
  readonly version: string
}

/**
 * One protocol object: for one request of a stateless client, or for the life of an older client's session. It says how
 * this caller's tools are used; who asks comes with each request.
 */
export function createAgentServer(deps: AgentServerDeps, caller: Caller): Server {
  const capabilities: ServerCapabilities = { tools: { listChanged: true } }
  const server = new Server(
    { name: 'drawbridge', title: 'Drawbridge', version: deps.version },
    {
      capabilities: deps.extensions.reduce((all, extension) => ({ ...all, ...extension.capabilities() }), capabilities),
      instructions: instructionsFor(deps.modeOf(caller)),
      cacheHints: {
        'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' },
        'server/discover': { ttlMs: DISCOVER_TTL_MS, cacheScope: 'private' },
      },
    },
  )
  server.setRequestHandler('tools/list', (request, context) =>
    listTools(request.params?.cursor, deps.callerOf(context).caller, deps),
  )
  server.setRequestHandler('tools/call', (request, context) =>
    callTool(request.params, { server, context, authenticated: deps.callerOf(context) }, deps),
  )
  for (const extension of deps.extensions) extension.install(server, deps.callerOf)
  return server
}
