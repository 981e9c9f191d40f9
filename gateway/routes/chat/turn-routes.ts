import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../http/http-error.ts'
import type { ChatRouteDeps } from './chat-route-deps.ts'

export type TurnRouteDeps = Pick<ChatRouteDeps, 'callerOf' | 'turnEnd' | 'cancelTurn'>

interface ById {
  readonly id: string
}

/** `GET /v1/turns/{id}`: how a turn stands that had been parked; `POST …/cancel` ends one that is. */
export function registerTurnRoutes(app: FastifyInstance, deps: TurnRouteDeps): void {
  const find = async (tenant: string, id: string) => {
    const end = await deps.turnEnd(tenant, id)
    if (end !== undefined) return end
    throw new HttpError('not_found', `there is no turn ${JSON.stringify(id.slice(0, 100))} that had been parked`)
  }
  app.get<{ Params: ById }>('/v1/turns/:id', async (request) => find(deps.callerOf(request).tenant, request.params.id))
  app.post<{ Params: ById }>('/v1/turns/:id/cancel', async (request) => {
    const { tenant } = deps.callerOf(request)
    // One that has ended already is answered as it ended.
    await deps.cancelTurn(tenant, request.params.id)
    return find(tenant, request.params.id)
  })
}
