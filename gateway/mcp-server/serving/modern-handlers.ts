import type { AuthInfo, McpHttpHandler, Server } from '@modelcontextprotocol/server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { KEEP_ALIVE_MS, MCP_BODY_MAX_BYTES, SUBSCRIPTIONS_MAX } from '../limits.ts'

export interface ModernHandlers {
  /** Of one agent: its `subscriptions/listen` streams hear of its own view alone. */
  of(agent: string): McpHttpHandler
  /** Agents that have been served since the start. */
  agents(): readonly string[]
  close(): Promise<void>
}

export interface ModernHandlersDeps {
  readonly createServer: (info: AuthInfo | undefined) => Server
  readonly onError: (error: Error) => void
}

/** Stateless serving of revision 2026-07-28: a protocol object for each request. */
export function createModernHandlers(deps: ModernHandlersDeps): ModernHandlers {
  // Agents are named by the configuration, so that there are never many.
  const byAgent = new Map<string, McpHttpHandler>()
  return {
    of(agent) {
      const known = byAgent.get(agent)
      if (known !== undefined) return known
      const made = createMcpHandler(({ authInfo }) => deps.createServer(authInfo), {
        legacy: 'reject',
        onerror: deps.onError,
        maxSubscriptions: SUBSCRIPTIONS_MAX,
        keepAliveMs: KEEP_ALIVE_MS,
        maxRequestBodySize: MCP_BODY_MAX_BYTES,
      })
      byAgent.set(agent, made)
      return made
    },
    agents: () => [...byAgent.keys()],
    async close() {
      await Promise.all([...byAgent.values()].map((handler) => handler.close()))
    },
  }
}
