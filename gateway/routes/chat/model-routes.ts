import type { FastifyInstance } from 'fastify'
import { answerError, HttpError } from '../../http/http-error.ts'
import { agentTargets } from './reading/agent-target.ts'
import type { ChatRouteDeps } from './chat-route-deps.ts'

/** `GET /v1/models` and `GET /v1/models/{model}`: the agents that the caller may use. */
export function registerModelRoutes(
  app: FastifyInstance,
  deps: Pick<ChatRouteDeps, 'callerOf' | 'agentsOf' | 'nowMs'>,
): void {
  const created = Math.floor(deps.nowMs() / 1000)
  const modelOf = (id: string) => ({ id, object: 'model', created, owned_by: 'drawbridge' })
  app.get('/v1/models', { errorHandler: answerError }, async (request, reply) => {
    reply.header('x-request-id', request.id)
    const targets = agentTargets(deps.agentsOf(deps.callerOf(request)))
    return { object: 'list', data: targets.map(modelOf) }
  })
  // A wildcard, since the ids hold a slash, which clients may or may not encode.
  app.get<{ Params: { '*': string } }>('/v1/models/*', { errorHandler: answerError }, async (request, reply) => {
    reply.header('x-request-id', request.id)
    const targets = agentTargets(deps.agentsOf(deps.callerOf(request)))
    const id = request.params['*']
    if (!targets.includes(id)) {
      throw new HttpError('not_found', `no model "${id.slice(0, 200)}"; there are: ${targets.join(', ')}`, {
        param: 'model',
      })
    }
    return modelOf(id)
  })
}
