import type { FastifyInstance } from 'fastify'
import type { McpSource } from '../../../catalog/sources/mcp/mcp-source.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import { isOperator } from '../../state/tokens/is-operator.ts'
import { HttpError } from '../../http/http-error.ts'

export interface McpServerRoutesDeps {
  readonly authenticate: Authenticate
  readonly mcp: Pick<McpSource, 'status' | 'reconnect'>
  /** Servers write their failures themselves. */
  readonly redactShape: <T>(value: T) => T
}

/** `/v1/mcp/servers`: how each MCP server stands, and connecting one anew; for operators. */
export function registerMcpServerRoutes(app: FastifyInstance, deps: McpServerRoutesDeps): void {
  const operatorOnly = async (...[request]: Parameters<Authenticate>): Promise<void> => {
    const { token } = await deps.authenticate(request, 'admin')
    if (isOperator(token)) return
    const message = `MCP servers are for admins of tenant "default"; this is one of "${token.tenant}"`
    throw new HttpError('forbidden', message)
  }
  app.get('/v1/mcp/servers', async (request) => {
    await operatorOnly(request, 'admin')
    return { servers: deps.redactShape(deps.mcp.status()) }
  })
  app.post<{ Params: { readonly name: string } }>('/v1/mcp/servers/:name/reconnect', async (request) => {
    await operatorOnly(request, 'admin')
    const { name } = request.params
    if (!deps.mcp.reconnect(name)) {
      throw new HttpError('not_found', `there is no MCP server ${JSON.stringify(name.slice(0, 100))}`)
    }
    request.log.info({ mcp: name }, 'connecting anew')
    return { server: name }
  })
}
