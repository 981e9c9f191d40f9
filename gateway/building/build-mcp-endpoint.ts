import type { Logger } from 'pino'
import type { Catalog } from '../../catalog/catalog.ts'
import type { McpEndpoint } from '../mcp-server/mcp-endpoint.ts'
import { createMcpEndpoint } from '../mcp-server/mcp-endpoint.ts'
import type { Presenter } from '../presenting/presenter.ts'
import { DEFAULT_TENANT } from '../state/make-token.ts'
import type { ViewCache } from '../views/view-cache.ts'
import type { ModeInForce } from './mode-in-force.ts'
import { modeOfCaller } from './mode-of-caller.ts'

export interface McpEndpointParts {
  readonly presenter: Presenter
  readonly views: ViewCache
  readonly mode: () => ModeInForce
  readonly catalog: Pick<Catalog, 'onChange'>
  /** Aborted when the gateway stops: sessions and streams end, or its stop would wait for their clients. */
  readonly closing: AbortSignal
  readonly version: string
  readonly log: Logger
  readonly now: () => number
}

/** `/mcp` over the presentations, told of what changes in the catalog. */
export function buildMcpEndpoint(parts: McpEndpointParts): McpEndpoint {
  const endpoint = createMcpEndpoint({
    ...parts,
    viewOf: (agent) => parts.views.viewFor({ tenant: DEFAULT_TENANT, agent }),
    modeOf: (caller) => modeOfCaller(parts.mode(), parts.views.policyFor(caller)).inForce,
    extensions: [],
  })
  parts.catalog.onChange(() => endpoint.viewsChanged())
  parts.closing.addEventListener('abort', () => void endpoint.close(), { once: true })
  return endpoint
}
