import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { LookedAt } from '../../../catalog/sources/mcp/trust/compare-looked-at.ts'
import type { HeldTool } from '../../../catalog/sources/mcp/trust/held-tool.ts'
import type { ToolPins } from '../../../catalog/sources/mcp/trust/pins/tool-pins.ts'
import type { TrustGate } from '../../../catalog/sources/mcp/trust/trust-gate.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import { changeDiff } from '../../mcp-trust/change-diff.ts'
import { isOperator } from '../../state/tokens/is-operator.ts'
import type { TokenRecord } from '../../store/store.ts'
import { HttpError } from '../../http/http-error.ts'

export interface McpTrustRoutesDeps {
  readonly authenticate: Authenticate
  readonly trust: Pick<TrustGate, 'held' | 'accept'>
  readonly pins: Pick<ToolPins, 'read'>
  /** Servers write their descriptions themselves. */
  readonly redactShape: <T>(value: T) => T
}

/** A page of changes: each holds a diff, and a person reads them one by one. */
const CHANGES_MAX = 100

/** `/v1/mcp/changes` and `/v1/mcp/servers/{name}/accept`: tools that wait for a person's look; for operators. */
export function registerMcpTrustRoutes(app: FastifyInstance, deps: McpTrustRoutesDeps): void {
  const operator = async (request: FastifyRequest): Promise<TokenRecord> => {
    const { token } = await deps.authenticate(request, 'admin')
    if (isOperator(token)) return token
    const message = `MCP servers are for admins of tenant "default"; this is one of "${token.tenant}"`
    throw new HttpError('forbidden', message)
  }
  app.get<{ Querystring: { readonly server?: string; readonly tool?: string } }>('/v1/mcp/changes', async (request) => {
    await operator(request)
    const { server, tool } = request.query
    const held = deps.trust.held().filter((each) => (server ?? each.server) === each.server)
    const asked = held.filter((each) => (tool ?? each.tool) === each.tool)
    const changes = await Promise.all(asked.slice(0, CHANGES_MAX).map((each) => changeOf(each, deps)))
    return deps.redactShape({ changes, total: asked.length })
  })
  app.post<{ Params: { readonly name: string } }>('/v1/mcp/servers/:name/accept', async (request) => {
    const token = await operator(request)
    const { name } = request.params
    const tools = readAccepted(request.body)
    const acceptance = await deps.trust.accept(name, tools, token.id)
    const [missing] = acceptance.missing
    if (missing !== undefined && acceptance.accepted.length === 0) {
      throw new HttpError(
        'not_found',
        `no tool ${JSON.stringify(missing.slice(0, 100))} of that server waits for a look`,
      )
    }
    if (acceptance.stale.length > 0) {
      throw new HttpError('conflict', `${acceptance.stale.join(', ')} changed again meanwhile; look at it once more`)
    }
    request.log.info({ mcp: name, tools: acceptance.accepted, by: token.id }, 'accepted tools of an MCP server')
    return { server: name, accepted: acceptance.accepted }
  })
}

async function changeOf(held: HeldTool, { pins }: McpTrustRoutesDeps) {
  const { server, tool, id, hash, cause, findings, content } = held
  const pin = await pins.read(server, tool)
  const diff = changeDiff(pin?.content, content)
  return { server, tool, id, hash, cause, findings, diff, ...(pin && { pinnedMs: pin.pinnedMs }) }
}

/** `{ tools: [{ tool, hash }] }`: what changed after it was looked at has another hash, and nobody has seen it. */
function readAccepted(body: unknown): readonly LookedAt[] {
  const tools = isJsonObject(body) ? body['tools'] : undefined
  if (!Array.isArray(tools) || tools.length === 0) throw wrongBody()
  return tools.map((entry: JsonValue) => {
    if (!isJsonObject(entry)) throw wrongBody()
    const { tool, hash } = entry
    if (typeof tool !== 'string' || typeof hash !== 'string') throw wrongBody()
    return { tool, hash }
  })
}

function wrongBody(): HttpError {
  const message = 'expected { "tools": [{ "tool", "hash" }] }, each hash as GET /v1/mcp/changes showed it'
  return new HttpError('invalid_request', message)
}
