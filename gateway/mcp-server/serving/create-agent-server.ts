import type {
  Implementation,
  JSONRPCRequest,
  Result,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server'
import { isInputRequiredResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Caller } from '../../../catalog/caller.ts'
import type { AnswerDeps } from '../answering/call-tool.ts'
import type { CallContext } from '../answering/call-context.ts'
import { callTool } from '../answering/call-tool.ts'
import { fitRevision } from '../answering/fit-revision.ts'
import { listTools } from '../answering/list-tools.ts'
import { instructionsFor } from '../instructions.ts'
import { DISCOVER_TTL_MS, QUESTION_MS, QUESTION_ROUNDS_MAX } from '../limits.ts'
import { AgentProtocol } from './agent-protocol.ts'
import type { Entry } from './caller-book.ts'
import type { DefectDeps } from './guard-defects.ts'
import { guardDefects } from './guard-defects.ts'

/** What is served beside tools, e.g. the resources and prompts of the servers behind. */
export interface McpExtension {
  /** Advertised with ours; asked for each server that is made, so that configuration takes effect at once. */
  capabilities(): ServerCapabilities
  /** Sets its request handlers; `entryOf` says who sent the request that a handler is given. */
  install(server: Server, entryOf: (context: ServerContext) => Entry): void
}

export interface AgentServerDeps extends AnswerDeps, DefectDeps {
  readonly extensions: readonly McpExtension[]
  readonly version: string
}

/**
 * One protocol object: for one request of a stateless client, or for the life of an older client's session. It says how
 * this caller's tools are used; who asks comes with each request.
 */
export function createAgentServer(deps: AgentServerDeps, caller: Caller): Server {
  const capabilities: ServerCapabilities = { tools: { listChanged: true } }
  const server = new AgentProtocol(serverInfoOf(deps.version), {
    capabilities: deps.extensions.reduce((all, extension) => ({ ...all, ...extension.capabilities() }), capabilities),
    instructions: instructionsFor(deps.modeOf(caller)),
    // People answer: as long as an approval may last.
    inputRequired: { maxRounds: QUESTION_ROUNDS_MAX, roundTimeoutMs: QUESTION_MS },
    cacheHints: {
      'server/discover': { ttlMs: DISCOVER_TTL_MS, cacheScope: 'private' },
    },
  })
  server.setRequestHandler('tools/list', (request, context) =>
    guardDefects(context, deps, ({ authenticated }) => {
      const asked = { cursor: request.params?.cursor, isStateless: context.mcpReq.envelope !== undefined }
      return listTools(asked, authenticated.caller, deps)
    }),
  )
  server.setRequestHandler('tools/call', (request, context) =>
    guardDefects(context, deps, async ({ authenticated, call, gone }) => {
      call?.onLetIn()
      const { mcpReq } = context
      const within: CallContext = gone === undefined ? context : { mcpReq, http: { req: { signal: gone } } }
      if (call?.made === undefined) {
        const asking = { server, context: within, authenticated }
        return fitRevision(await callTool(request.params, asking, deps), server.getNegotiatedProtocolVersion())
      }
      call.notes?.follow((note) => mcpReq.notify(note))
      const made = await call.made
      return isInputRequiredResult(made) ? made : server.projectCallToolResult(made, undefined)
    }),
  )
  for (const extension of deps.extensions) extension.install(server, deps.entryOf)
  server.fallbackRequestHandler = answerUnoffered
  return server
}

/**
 * Many clients of older revisions ask for all lists, whatever is offered, and some give a server up over one that it does not
 * have; to whoever has none it is empty.
 */
async function answerUnoffered({ method }: JSONRPCRequest, { mcpReq }: ServerContext): Promise<Result> {
  const list = mcpReq.envelope === undefined && Object.hasOwn(LISTS, method) ? LISTS[method] : undefined
  if (list === undefined) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
  return { [list]: [] }
}

const LISTS: Readonly<Record<string, string>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
}

export function serverInfoOf(version: string): Implementation {
  return { name: 'drawbridge', title: 'Drawbridge', version }
}
