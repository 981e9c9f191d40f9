import { isDeepStrictEqual } from 'node:util'
import type { McpServerConfig } from '../../../catalog/sources/mcp/server-config.ts'
import type { Upstream } from './upstream/upstream.ts'

/** The ways to the configured servers. */
export interface ServerLinks {
  has(server: string): boolean
  /** For a new session: shared where the server tells sessions apart itself, else one of its own. */
  forSession(server: string): Upstream
  /** For requests that need no session, of one tenant. */
  withoutSession(server: string, tenant: string): Upstream
  /** Closes what has left the configuration or was changed in it, and names those servers. */
  refresh(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface ServerLinksDeps {
  readonly servers: () => Readonly<Record<string, McpServerConfig>>
  /** The way that all sessions of a server share; undefined for one that needs a way for each. */
  readonly openShared: (config: McpServerConfig, server: string) => Upstream | undefined
  readonly openOwn: (config: McpServerConfig, server: string) => Upstream
}

interface Link {
  readonly config: McpServerConfig
  readonly shared: Upstream | undefined
  readonly byTenant: Map<string, Upstream>
}

export function createServerLinks(deps: ServerLinksDeps): ServerLinks {
  const links = new Map<string, Link>()

  function linkTo(server: string): Link {
    const config = configOf(server)
    const known = links.get(server)
    if (known !== undefined) return known
    const made: Link = { config, shared: deps.openShared(config, server), byTenant: new Map() }
    links.set(server, made)
    return made
  }
  function configOf(server: string): McpServerConfig {
    const servers = deps.servers()
    const config = Object.hasOwn(servers, server) ? servers[server] : undefined
    if (config === undefined) throw new TypeError(`no MCP server "${server}" is configured`)
    return config
  }
  async function closeLink({ shared, byTenant }: Link): Promise<void> {
    await Promise.all([shared?.close(), ...[...byTenant.values()].map((upstream) => upstream.close())])
  }

  return {
    has: (server) => Object.hasOwn(deps.servers(), server),
    forSession(server) {
      const { config, shared } = linkTo(server)
      return shared ?? deps.openOwn(config, server)
    },
    withoutSession(server, tenant) {
      const { config, shared, byTenant } = linkTo(server)
      if (shared !== undefined) return shared
      const known = byTenant.get(tenant)
      if (known !== undefined) return known
      const made = deps.openOwn(config, server)
      byTenant.set(tenant, made)
      return made
    },
    async refresh() {
      const servers = deps.servers()
      const gone = [...links].filter(
        ([server, { config }]) => !Object.hasOwn(servers, server) || !isDeepStrictEqual(servers[server], config),
      )
      for (const [server] of gone) links.delete(server)
      await Promise.all(gone.map(([, link]) => closeLink(link)))
      return gone.map(([server]) => server)
    },
    async close() {
      const all = [...links.values()]
      links.clear()
      await Promise.all(all.map(closeLink))
    },
  }
}
