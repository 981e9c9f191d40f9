import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Dispatch } from '../../bridge/dispatcher.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { McpServerStatus } from '../../catalog/sources/mcp/connection/server-status.ts'
import type { McpSource } from '../../catalog/sources/mcp/mcp-source.ts'
import { isStdioServer } from '../../catalog/sources/mcp/server-config.ts'
import type { TrustGate } from '../../catalog/sources/mcp/trust/trust-gate.ts'
import type { LiveSettings } from '../live-settings.ts'
import type { McpEndpoint } from '../mcp-server/mcp-endpoint.ts'
import type { FirstLook } from '../mcp-server/offering/first-look.ts'
import { PASSED_PROCESS_IDLE_MS } from '../mcp-server/passthrough/limits.ts'
import type { Passthrough } from '../mcp-server/passthrough/passthrough.ts'
import { createPassthrough } from '../mcp-server/passthrough/passthrough.ts'
import { createServerLinks } from '../mcp-server/passthrough/server-links.ts'
import { createHttpUpstream } from '../mcp-server/passthrough/upstream/http-upstream.ts'
import { createPipeUpstream } from '../mcp-server/passthrough/upstream/pipe-upstream.ts'
import { pipeOpener } from '../mcp-server/passthrough/upstream/pipe.ts'
import type { ViewCache } from '../views/view-cache.ts'

export interface PassthroughParts {
  readonly catalog: Pick<Catalog, 'onChange'>
  readonly mcp: Pick<McpSource, 'wayTo' | 'status'>
  readonly trust: Pick<TrustGate, 'offers'>
  readonly firstLook: FirstLook
  readonly dispatch: Dispatch
  readonly views: ViewCache
  readonly closing: AbortSignal
  readonly log: Logger
  readonly now: () => number
}

/** `/mcp/servers/<name>` over the servers of this moment. */
export function buildPassthrough(parts: PassthroughParts): Passthrough {
  const { catalog, mcp, trust, firstLook, dispatch, views, closing, log, now } = parts
  const onDefect = (error: unknown): void => log.error({ err: error }, 'passing a server through failed by a defect')
  const statusOf = (server: string): McpServerStatus | undefined =>
    mcp.status().find((status) => status.server === server)
  const links = createServerLinks({
    wayTo: (server) => mcp.wayTo(server),
    openShared: (way, server) =>
      isStdioServer(way.config) || statusOf(server)?.transport === 'sse'
        ? undefined
        : createHttpUpstream(way.config, way),
    openOwn: (way, { server, use }) =>
      createPipeUpstream({
        open: pipeOpener(way),
        use,
        knownVersion: () => statusOf(server)?.protocolVersion,
        idleMs: use === 'session' ? 0 : PASSED_PROCESS_IDLE_MS,
      }),
  })
  const passthrough = createPassthrough({
    links,
    dispatch,
    viewFor: (caller) => views.viewFor(caller),
    decide: (tool, caller, input) => views.decide(tool, caller, input),
    offers: trust.offers,
    firstLook,
    newId: () => `call_${randomUUID()}`,
    newSessionId: () => `pass_${randomUUID()}`,
    onDefect,
    closing,
    now,
  })
  catalog.onChange(() => passthrough.viewsChanged())
  // Sessions and streams end with the gateway, or its stop would wait for their clients.
  closing.addEventListener('abort', () => void passthrough.close().catch(onDefect), { once: true })
  return passthrough
}

export interface OneServerParts {
  readonly endpoint: Pick<McpEndpoint, 'serve'>
  readonly passthrough: Pick<Passthrough, 'serve'>
  readonly settings: LiveSettings
}

/** `/mcp` is one server alone where the configuration names one, from the next request on. */
export function serveOneServer({ endpoint, passthrough, settings }: OneServerParts): Pick<McpEndpoint, 'serve'> {
  return {
    serve(exchange) {
      const { server } = settings.current().config.mcp.endpoint
      return server === undefined ? endpoint.serve(exchange) : passthrough.serve({ ...exchange, server })
    },
  }
}
