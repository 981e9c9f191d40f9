import type { FastifyInstance } from 'fastify'
import type { JsonValue } from '../../../catalog/json.ts'
import { MCP_BODY_MAX_BYTES } from '../limits.ts'
import type { McpRoutesDeps } from '../mcp-routes.ts'
import { answerOtherMethods, guardMcpScope } from '../mcp-routes.ts'
import type { Passthrough } from './passthrough.ts'

export interface PassthroughRoutesDeps extends Pick<McpRoutesDeps, 'authenticate' | 'rebinding' | 'clients'> {
  readonly passthrough: Pick<Passthrough, 'serve'>
}

/** `/mcp/servers/<name>`: the same tokens, guards and errors as `/mcp`. */
export function registerPassthroughRoutes(app: FastifyInstance, deps: PassthroughRoutesDeps): void {
  const url = '/mcp/servers/:server'
  void app.register(async (scope) => {
    const authenticatedOf = guardMcpScope(scope, deps)
    scope.route<{ Params: { readonly server: string }; Body: JsonValue | undefined }>({
      method: ['GET', 'POST', 'DELETE'],
      exposeHeadRoute: false,
      url,
      bodyLimit: MCP_BODY_MAX_BYTES,
      handler: async (request, reply) => {
        const { server } = request.params
        const authenticated = authenticatedOf(request)
        await deps.passthrough.serve({ request, reply, server, body: request.body, authenticated })
      },
    })
    answerOtherMethods(scope, url)
  })
}
