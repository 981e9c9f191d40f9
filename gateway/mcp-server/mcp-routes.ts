import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { JsonValue } from '../../catalog/json.ts'
import type { Authenticate, Authenticated } from '../auth/authenticate.ts'
import { bearerChallenge } from '../http/bearer-challenge.ts'
import type { HttpErrorCode } from '../http/http-error.ts'
import { HttpError, httpErrorOf, withLimit } from '../http/http-error.ts'
import { letBodyArrive } from '../http/let-body-arrive.ts'
import { originHeaders, preflightHeaders } from '../http/origin-headers.ts'
import type { McpEndpoint } from './mcp-endpoint.ts'
import { MCP_BODY_MAX_BYTES } from './limits.ts'
import type { OpenClients } from './open-clients.ts'
import type { RebindingRules } from './rebinding-guard.ts'
import { createRebindingGuard } from './rebinding-guard.ts'

export interface McpRoutesDeps {
  readonly authenticate: Authenticate
  readonly endpoint: Pick<McpEndpoint, 'serve'>
  readonly rebinding: () => RebindingRules
  readonly clients: Pick<OpenClients, 'enter'>
}

/** `/mcp` for clients of the Model Context Protocol; errors are those of JSON-RPC, with ours in `data`. */
export function registerMcpRoutes(app: FastifyInstance, deps: McpRoutesDeps): void {
  void app.register(async (scope) => {
    const authenticatedOf = guardMcpScope(scope, deps)
    scope.route<{ Body: JsonValue | undefined }>({
      method: ['GET', 'POST', 'DELETE'],
      // A stream without its body is none.
      exposeHeadRoute: false,
      url: '/mcp',
      bodyLimit: MCP_BODY_MAX_BYTES,
      handler: async (request, reply) => {
        await deps.endpoint.serve({ request, reply, body: request.body, authenticated: authenticatedOf(request) })
      },
    })
    answerOtherMethods(scope, '/mcp')
  })
}

/** A browser's question beforehand, and methods that the protocol has not. */
export function answerOtherMethods(scope: FastifyInstance, url: string): void {
  scope.options(url, async ({ headers }, reply) => reply.code(204).headers(preflightHeaders(headers)).send())
  scope.route({
    method: ['PUT', 'PATCH', 'HEAD'],
    url,
    handler: async (_request, reply) => {
      reply.header('allow', 'GET, POST, DELETE')
      throw new HttpError('method_not_allowed', 'only GET, POST and DELETE are answered here')
    },
  })
}

/**
 * Who may ask at all, before a body is read, and errors as clients of the protocol read them. The function says who sent
 * a request of this scope.
 */
export function guardMcpScope(
  scope: FastifyInstance,
  deps: Pick<McpRoutesDeps, 'authenticate' | 'rebinding' | 'clients'>,
): (request: FastifyRequest) => Authenticated {
  const byRequest = new WeakMap<FastifyRequest, Authenticated>()
  const refuseRebinding = createRebindingGuard()
  const boundTo = createBoundTo(scope)
  scope.setErrorHandler(answerMcpError)
  scope.addHook('onRequest', async (request, reply) => {
    refuseRebinding(request.headers, { ...deps.rebinding(), ...boundTo() })
    // From here on the origin is one that may ask.
    reply.headers(originHeaders(request.headers.origin))
    if (request.method === 'OPTIONS') return
    try {
      const authenticated = await deps.authenticate(request, 'tools')
      byRequest.set(request, authenticated)
      deps.clients.enter(authenticated.token.id, reply.raw)
    } catch (error) {
      const challenge = error instanceof HttpError ? bearerChallenge(error, 'tools') : undefined
      if (challenge !== undefined) reply.header('www-authenticate', challenge)
      throw error
    }
  })
  return (request) => {
    const authenticated = byRequest.get(request)
    if (authenticated === undefined) throw new TypeError('an MCP route ran without authentication')
    return authenticated
  }
}

/** A server listens once in its life. */
function createBoundTo({ server }: FastifyInstance): () => Pick<RebindingRules, 'boundTo'> {
  let known: Pick<RebindingRules, 'boundTo'> | undefined
  return () => {
    if (known !== undefined) return known
    const bound = server.address()
    if (bound === null || typeof bound === 'string') return {}
    known = { boundTo: bound.address }
    return known
  }
}

function answerMcpError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = withLimit(httpErrorOf(error, request.id), request)
  if (known.code === 'internal_error') request.log.error({ err: error }, 'request failed by a defect')
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds))
  if (known.code === 'body_too_large') letBodyArrive(request, reply)
  const { message, type } = known.body.error
  const data = { type, code: known.code, requestId: request.id }
  reply
    .code(known.status)
    .header('x-request-id', request.id)
    .send({ jsonrpc: '2.0', id: null, error: { code: RPC_CODES[known.code] ?? REFUSED, message, data } })
}

/** Of the range that JSON-RPC leaves to servers. */
const REFUSED = -32_000
const RPC_CODES: Readonly<Partial<Record<HttpErrorCode, number>>> = {
  invalid_json: ProtocolErrorCode.ParseError,
  invalid_request: ProtocolErrorCode.InvalidRequest,
  internal_error: ProtocolErrorCode.InternalError,
}
