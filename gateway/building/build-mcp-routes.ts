import type { LiveSettings } from '../live-settings.ts'
import type { McpEndpoint } from '../mcp-server/mcp-endpoint.ts'
import type { McpRoutesDeps } from '../mcp-server/mcp-routes.ts'
import type { OpenClients } from '../mcp-server/open-clients.ts'
import { createOpenClients } from '../mcp-server/open-clients.ts'
import type { Passthrough } from '../mcp-server/passthrough/passthrough.ts'
import type { RebindingRules } from '../mcp-server/rebinding-guard.ts'
import { serveOneServer } from './build-passthrough.ts'

export interface McpRoutesParts {
  readonly endpoint: McpEndpoint
  readonly passthrough: Passthrough
  readonly settings: LiveSettings
}

export interface McpRoutes extends Omit<McpRoutesDeps, 'authenticate'> {
  readonly clients: OpenClients
}

/** What the routes of `/mcp` and `/mcp/servers/<name>` have in common. */
export function buildMcpRoutes(parts: McpRoutesParts): McpRoutes {
  const { endpoint, passthrough, settings } = parts
  return {
    endpoint: serveOneServer(parts),
    rebinding: () => rebindingOf(settings),
    clients: createOpenClients([endpoint, passthrough]),
  }
}

function rebindingOf(settings: LiveSettings): RebindingRules {
  const { gateway, mcp } = settings.current().config
  const { allowedHosts, allowedOrigins } = mcp.endpoint
  return { host: gateway.host, allowedHosts, allowedOrigins, pageOrigins: gateway.cors.origins }
}
