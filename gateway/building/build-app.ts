import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { LogController, fastify } from 'fastify'
import type { Logger } from 'pino'
import type { Caller } from '../../catalog/caller.ts'
import type { Authenticate, Authenticated } from '../auth/authenticate.ts'
import type { McpRoutesDeps } from '../mcp-server/mcp-routes.ts'
import { registerMcpRoutes } from '../mcp-server/mcp-routes.ts'
import { registerPassthroughRoutes } from '../mcp-server/passthrough/passthrough-routes.ts'
import type { Passthrough } from '../mcp-server/passthrough/passthrough.ts'
import type { ApprovalRoutesDeps } from '../routes/approvals/approval-routes.ts'
import { registerApprovalRoutes } from '../routes/approvals/approval-routes.ts'
import type { GrantRoutesDeps } from '../routes/approvals/grant-routes.ts'
import { registerGrantRoutes } from '../routes/approvals/grant-routes.ts'
import { answerBrokenRequest } from '../routes/broken-request.ts'
import type { ChatRouteDeps } from '../routes/chat/chat-route-deps.ts'
import { registerChatRoutes } from '../routes/chat/chat-routes.ts'
import type { RunsRoutesDeps } from '../routes/direct/runs-routes.ts'
import { registerRunsRoutes } from '../routes/direct/runs-routes.ts'
import type { SessionRoutesDeps } from '../routes/direct/session-routes.ts'
import { registerSessionRoutes } from '../routes/direct/session-routes.ts'
import type { ToolsRoutesDeps } from '../routes/direct/tools-routes.ts'
import { registerToolsRoutes } from '../routes/direct/tools-routes.ts'
import type { HealthDeps } from '../routes/health/health-routes.ts'
import { registerHealthRoutes } from '../routes/health/health-routes.ts'
import { answerError } from '../http/http-error.ts'
import { answerNoOAuth, isOAuth } from '../routes/no-oauth.ts'
import { noRoute } from '../routes/no-route.ts'
import type { CatalogRoutesDeps } from '../routes/operator/catalog-routes.ts'
import { registerCatalogRoutes } from '../routes/operator/catalog-routes.ts'
import type { ExplainRoutesDeps } from '../routes/operator/explain-routes.ts'
import { registerExplainRoutes } from '../routes/operator/explain-routes.ts'
import type { McpServerRoutesDeps } from '../routes/operator/mcp-server-routes.ts'
import { registerMcpServerRoutes } from '../routes/operator/mcp-server-routes.ts'
import type { McpTrustRoutesDeps } from '../routes/operator/mcp-trust-routes.ts'
import { registerMcpTrustRoutes } from '../routes/operator/mcp-trust-routes.ts'
import type { ReceiptRoutesDeps } from '../routes/operator/receipt-routes.ts'
import { registerReceiptRoutes } from '../routes/operator/receipt-routes.ts'
import type { TokenRoutesDeps } from '../routes/operator/token-routes.ts'
import { registerTokenRoutes } from '../routes/operator/token-routes.ts'
import { registerPageOrigins } from '../routes/page-origins.ts'
import { addJsonParser } from '../routes/read-json-body.ts'
import { requireSingleHeaders } from '../routes/single-headers.ts'
import type { WorkUnderWay } from '../stopping/work-under-way.ts'
import { followTraces } from '../telemetry/follow-traces.ts'
import { BODY_MAX_BYTES, PATH_PART_MAX_LENGTH, REQUEST_ARRIVAL_MS } from './limits.ts'

export interface AppDeps {
  readonly log: Logger
  /** A request is under way until its answer is sent or its client has gone. */
  readonly track: WorkUnderWay['track']
  readonly authenticate: Authenticate
  readonly agents: () => readonly string[]
  /** Of web pages that may use `/v1`. */
  readonly pageOrigins: () => readonly string[]
  readonly chat: Omit<ChatRouteDeps, 'callerOf' | 'agentsOf'>
  readonly runs: Omit<RunsRoutesDeps, 'authenticate' | 'agents'>
  readonly tools: Omit<ToolsRoutesDeps, 'authenticate'>
  readonly sessions: Omit<SessionRoutesDeps, 'authenticate'>
  readonly approvals: Omit<ApprovalRoutesDeps & GrantRoutesDeps, 'authenticate'>
  readonly mcp: Omit<McpRoutesDeps, 'authenticate'>
  readonly passthrough: Passthrough
  readonly health: Omit<HealthDeps, 'authenticate'>
  readonly operator: Omit<
    TokenRoutesDeps &
      ReceiptRoutesDeps &
      CatalogRoutesDeps &
      ExplainRoutesDeps &
      McpServerRoutesDeps &
      McpTrustRoutesDeps,
    'authenticate'
  >
}

export function buildApp(deps: AppDeps): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = deps.log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    // Ours, never the client's: ids stand in logs and answers.
    genReqId: () => `req_${randomUUID()}`,
    requestIdHeader: false,
    bodyLimit: BODY_MAX_BYTES,
    // Fastify waits for ever by default.
    requestTimeout: REQUEST_ARRIVAL_MS,
    // Clients join a base address and a path with one slash too many, or end an address with one.
    routerOptions: { maxParamLength: PATH_PART_MAX_LENGTH, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    forceCloseConnections: true,
    // A path that cannot be decoded meets no route, and so no error handler.
    frameworkErrors: answerError,
    clientErrorHandler: answerBrokenRequest,
  })
  addJsonParser(app)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => {
    if (isOAuth(request)) return answerNoOAuth(reply)
    answerError(
      noRoute(request, (route) => app.hasRoute(route)),
      request,
      reply,
    )
  })
  followRequests(app, deps.track)
  followTraces(app)
  requireSingleHeaders(app)
  const { authenticate, agents } = deps
  registerPageOrigins(app, { origins: deps.pageOrigins })
  registerHealthRoutes(app, { ...deps.health, authenticate })
  registerToolsRoutes(app, { ...deps.tools, authenticate })
  registerRunsRoutes(app, { ...deps.runs, authenticate, agents })
  registerSessionRoutes(app, { ...deps.sessions, authenticate })
  registerApprovalRoutes(app, { ...deps.approvals, authenticate })
  registerGrantRoutes(app, { ...deps.approvals, authenticate })
  const operator = { ...deps.operator, authenticate }
  registerTokenRoutes(app, operator)
  registerReceiptRoutes(app, operator)
  registerCatalogRoutes(app, operator)
  registerExplainRoutes(app, operator)
  registerMcpServerRoutes(app, operator)
  registerMcpTrustRoutes(app, operator)
  registerMcpRoutes(app, { ...deps.mcp, authenticate })
  registerPassthroughRoutes(app, { ...deps.mcp, authenticate, passthrough: deps.passthrough })
  void app.register(async (chat) => registerChat(chat, deps))
  return app
}

/** From its head until its answer is sent: by its id, and in the log. */
function followRequests(app: FastifyInstance, track: AppDeps['track']): void {
  app.addHook('onRequest', (request, reply, done) => {
    void track(new Promise<void>((resolve) => reply.raw.once('close', resolve)))
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
    done()
  })
}

/** The chat routes ask who calls by a look-up: a hook before them has checked the token. */
function registerChat(app: FastifyInstance, deps: AppDeps): void {
  const byRequest = new WeakMap<FastifyRequest, Authenticated>()
  const byCaller = new WeakMap<Caller, Authenticated>()
  app.addHook('onRequest', async (request) => {
    const authenticated = await deps.authenticate(request, 'chat')
    byRequest.set(request, authenticated)
    byCaller.set(authenticated.caller, authenticated)
  })
  registerChatRoutes(app, {
    ...deps.chat,
    callerOf(request) {
      const authenticated = byRequest.get(request)
      if (authenticated === undefined) throw new TypeError('a chat route ran without authentication')
      return authenticated.caller
    },
    agentsOf(caller) {
      const allowed = byCaller.get(caller)?.token.agents
      return deps.agents().filter((agent) => allowed === undefined || allowed.includes(agent))
    },
  })
}
