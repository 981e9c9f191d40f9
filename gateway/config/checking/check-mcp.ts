import type { Finding } from '../../schema/find-problems.ts'
import { nearestName } from '../../schema/nearest-name.ts'
import type { Config } from '../schema/config-schema.ts'

/** A server that `/mcp` is must be there, or `/mcp` would be nothing. */
export function checkMcp({ mcp }: Config): readonly Finding[] {
  const { server } = mcp.endpoint
  const names = Object.keys(mcp.servers)
  if (server === undefined || names.includes(server)) return []
  const nearest = nearestName(server, names)
  const known = names.length === 0 ? 'none is configured' : `configured servers: ${names.join(', ')}`
  const way = nearest === undefined ? known : `did you mean "${nearest}"?`
  return [{ path: ['mcp', 'endpoint', 'server'], message: `"${server}" names no server of mcp.servers; ${way}` }]
}
