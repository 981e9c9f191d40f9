import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createQueryMemory } from '../../../bridge/surface/query-memory.ts'
import type { SettledCall } from '../../../bridge/outcome.ts'
import type { HeldCall, SurfaceOptions, ToolSurface } from '../../../bridge/surface/tool-surface.ts'
import type { Caller } from '../../../catalog/caller.ts'
import { cutDescription } from '../../../catalog/description.ts'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { unavailableIn } from '../../../catalog/server-absence.ts'
import type { Tool } from '../../../catalog/tool.ts'
import type { View } from '../../../catalog/view.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import { checkFields } from '../check-fields.ts'
import { HttpError } from '../../http/http-error.ts'
import { narrowedBy } from '../tools-allow.ts'
import { TOOLS_PAGE_ROWS, TOOLS_PAGE_ROWS_MAX } from '../limits.ts'
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts'
import { callAnswer } from './call-answer.ts'
import { outcomeStatus } from './outcome-status.ts'

export interface ToolsRoutesDeps {
  readonly authenticate: Authenticate
  readonly viewFor: (caller: Caller) => View
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  /** Makes a call; one that waits for a person ends `waiting` after a while, and is made when it is decided. */
  readonly makeCall: (
    surface: ToolSurface,
    call: Pick<HeldCall, 'target' | 'args'>,
    signal: AbortSignal,
  ) => Promise<SettledCall>
  /** How a call ended that had waited. */
  readonly callEnd: (tenant: string, callId: string) => Promise<JsonObject | undefined>
}

interface ById {
  readonly id: string
}

/** `/v1/tools`: what a caller may see, find, read and call, by the same view and dispatcher as every model. */
export function registerToolsRoutes(app: FastifyInstance, deps: ToolsRoutesDeps): void {
  const surfaceOf = async (request: FastifyRequest): Promise<ToolSurface> => {
    const authenticated = await deps.authenticate(request, 'tools')
    const body = isJsonObject(request.body) ? request.body : {}
    const caller = narrowedBy(authenticated.caller, body['toolsAllow'])
    return deps.createSurface({ view: deps.viewFor(caller), caller, memory: createQueryMemory() })
  }
  app.get('/v1/tools', async (request) => listTools((await surfaceOf(request)).view, request.query))
  app.post<{ Body: JsonValue }>('/v1/tools/search', async (request) => {
    const surface = await surfaceOf(request)
    const answer = surface.search(searchForm(request.body))
    if (answer.kind === 'error') throw new HttpError('invalid_request', answer.message)
    const notices = surface.notices()
    return isJsonObject(answer.value) && notices.length > 0 ? { ...answer.value, notices } : answer.value
  })
  app.get<{ Params: ById; Querystring: Readonly<Record<string, string>> }>('/v1/tools/:id', async (request) => {
    const answer = (await surfaceOf(request)).describe(request.params.id, request.query)
    if (answer.kind === 'error')
      throw new HttpError(answer.code === 'invalid-input' ? 'invalid_request' : 'not_found', answer.message)
    return answer.value
  })
  app.post<{ Params: ById; Body: JsonValue }>('/v1/tools/:id/call', async (request, reply) => {
    const surface = await surfaceOf(request)
    if (!isJsonObject(request.body)) throw new HttpError('invalid_request', 'the body is { "args": { … } }')
    checkFields(request.body, CALL_KEYS)
    const { args = {} } = request.body
    const signal = abortOnDisconnect(request, reply)
    const target = { kind: 'text', text: request.params.id } as const
    const settled = await deps.makeCall(surface, { target, args }, signal)
    return reply.code(outcomeStatus(settled.outcome.kind)).send(callAnswer(settled))
  })
  app.get<{ Params: ById }>('/v1/calls/:id', async (request) => {
    const { caller } = await deps.authenticate(request, 'tools')
    const end = await deps.callEnd(caller.tenant, request.params.id)
    if (end !== undefined) return end
    throw new HttpError(
      'not_found',
      `there is no call ${JSON.stringify(request.params.id.slice(0, 100))} that had waited`,
    )
  })
}

/** Arguments that stand beside `args` instead of in it would be none: the call would be made without them. */
const CALL_KEYS = ['args', 'toolsAllow']

/** `toolsAllow` is about the caller, not about the search. */
function searchForm(body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return body
  const { toolsAllow: _narrowed, ...form } = body
  return form
}

function listTools(view: View, query: unknown): Readonly<Record<string, unknown>> {
  const { limit, offset } = readPage(query)
  const unavailable = unavailableIn(view)
  const tools = view.tools.slice(offset, offset + limit).map((tool) => listed(tool, unavailable(tool)))
  const next = offset + tools.length
  return {
    tools,
    total: view.tools.length,
    revision: view.revision,
    ...(next < view.tools.length && { nextOffset: next }),
  }
}

function readPage(query: unknown): { readonly limit: number; readonly offset: number } {
  const { limit = `${TOOLS_PAGE_ROWS}`, offset = '0' } = isJsonObject(query) ? query : {}
  const read = (name: string, value: JsonValue, max: number): number => {
    if (typeof value === 'string' && /^\d{1,7}$/.test(value) && Number(value) <= max) return Number(value)
    throw new HttpError('invalid_request', `${name} is a whole number up to ${max}, got ${JSON.stringify(value)}`, {
      param: name,
    })
  }
  return { limit: Math.max(1, read('limit', limit, TOOLS_PAGE_ROWS_MAX)), offset: read('offset', offset, 9_999_999) }
}

function listed(tool: Tool, unavailable: string | undefined): Readonly<Record<string, unknown>> {
  const { id, name, title, source, owner } = tool
  return {
    id,
    name,
    ...(title !== undefined && { title }),
    description: cutDescription(tool.description),
    source,
    owner,
    ...(unavailable !== undefined && { unavailable }),
  }
}
