import type { ServerWay } from '../../../catalog/sources/mcp/server-way.ts'
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
  /** The same object for as long as its configuration is the same. */
  readonly wayTo: (server: string) => ServerWay | undefined
  /** The way that all sessions of a server share; undefined for one that needs a way for each. */
  readonly openShared: (way: ServerWay, server: string) => Upstream | undefined
  readonly openOwn: (way: ServerWay, of: { readonly server: string; readonly use: 'session' | 'requests' }) => Upstream
}

interface Link {
  readonly way: ServerWay
  readonly shared: Upstream | undefined
  readonly byTenant: Map<string, Upstream>
}

export function createServerLinks(deps: ServerLinksDeps): ServerLinks {
  const links = new Map<string, Link>()
  /** Replaced before anybody looked for changes. */
  const outdated: { readonly server: string; readonly link: Link }[] = []

  function linkTo(server: string): Link {
    const way = deps.wayTo(server)
    if (way === undefined) throw new TypeError(`no MCP server "${server}" is configured`)
    const known = links.get(server)
    if (known?.way === way) return known
    const made: Link = { way, shared: deps.openShared(way, server), byTenant: new Map() }
    links.set(server, made)
    if (known !== undefined) outdated.push({ server, link: known })
    return made
  }
  async function closeLink({ shared, byTenant }: Link): Promise<void> {
    await Promise.all([shared?.close(), ...[...byTenant.values()].map((upstream) => upstream.close())])
  }

  return {
    has: (server) => deps.wayTo(server) !== undefined,
    forSession(server) {
      const { way, shared } = linkTo(server)
      return shared ?? deps.openOwn(way, { server, use: 'session' })
    },
    withoutSession(server, tenant) {
      const { way, shared, byTenant } = linkTo(server)
      if (shared !== undefined) return shared
      const known = byTenant.get(tenant)
      if (known !== undefined) return known
      const made = deps.openOwn(way, { server, use: 'requests' })
      byTenant.set(tenant, made)
      return made
    },
    async refresh() {
      const changed = [...links].filter(([server, { way }]) => deps.wayTo(server) !== way)
      for (const [server] of changed) links.delete(server)
      const gone = [...changed.map(([server, link]) => ({ server, link })), ...outdated.splice(0)]
      await Promise.all(gone.map(({ link }) => closeLink(link)))
      return gone.map(({ server }) => server)
    },
    async close() {
      const all = [...links.values(), ...outdated.splice(0).map(({ link }) => link)]
      links.clear()
      await Promise.all(all.map(closeLink))
    },
  }
}
