import type { FastifyInstance } from 'fastify'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { DiskArtifacts } from '../../artifacts/disk-artifacts.ts'
import { ARTIFACT_PART_BYTES, ARTIFACT_PART_MAX_BYTES } from '../../../bridge/limits.ts'
import type { Store } from '../../store/store.ts'
import { HttpError } from '../../http/http-error.ts'

export interface SessionRoutesDeps {
  readonly authenticate: Authenticate
  readonly store: Pick<Store, 'getSession' | 'listMessages' | 'listEvents'>
  readonly artifacts: Pick<DiskArtifacts, 'read' | 'open'>
}

interface ById {
  readonly id: string
}

/** What was kept for a tenant: sessions, their logs, artifacts. Another tenant's are not found. */
export function registerSessionRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  app.get<{ Params: ById }>('/v1/sessions/:id', async (request) => {
    const { caller } = await deps.authenticate(request, 'chat')
    const session = await deps.store.getSession(caller.tenant, request.params.id)
    if (session === undefined) throw notFound('session', request.params.id)
    const { id, agent, createdMs, updatedMs } = session
    return { id, agent, createdMs, updatedMs, messages: await deps.store.listMessages(caller.tenant, id) }
  })
  app.get<{ Params: ById }>('/v1/sessions/:id/log', async (request, reply) => {
    const { caller } = await deps.authenticate(request, 'chat')
    const events = await deps.store.listEvents(caller.tenant, request.params.id)
    if (events.length === 0) throw notFound('session log', request.params.id)
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    return reply.type('application/x-ndjson; charset=utf-8').send(lines)
  })
  app.get<{ Params: ById; Querystring: Readonly<Record<string, string>> }>('/v1/artifacts/:id', async (request) => {
    const { caller } = await deps.authenticate(request, 'tools')
    const { offset, bytes } = request.query
    const range = {
      offset: readNumber('offset', offset, { fallback: 0, max: Number.MAX_SAFE_INTEGER }),
      maxBytes: readNumber('bytes', bytes, { fallback: ARTIFACT_PART_BYTES, max: ARTIFACT_PART_MAX_BYTES }),
    }
    const part = await deps.artifacts.read(caller, request.params.id, range)
    if (part === undefined) throw notFound('artifact', request.params.id)
    return part
  })
  app.get<{ Params: ById }>('/v1/artifacts/:id/content', async (request, reply) => {
    const { caller } = await deps.authenticate(request, 'tools')
    const artifact = await deps.artifacts.open(caller, request.params.id)
    if (artifact === undefined) throw notFound('artifact', request.params.id)
    // A server chose the type: a browser must neither guess another nor run what it is.
    return reply
      .type(artifact.mimeType)
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', 'attachment')
      .send(artifact.bytes)
  })
}

function readNumber(
  name: string,
  value: string | undefined,
  { fallback, max }: { readonly fallback: number; readonly max: number },
): number {
  if (value === undefined) return fallback
  if (/^\d{1,16}$/.test(value) && Number(value) <= max) return Number(value)
  throw new HttpError('invalid_request', `${name} is a whole number up to ${max}, got ${JSON.stringify(value)}`, {
    param: name,
  })
}

function notFound(what: string, id: string): HttpError {
  return new HttpError('not_found', `there is no ${what} ${JSON.stringify(id.slice(0, 100))}`)
}
