import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unknownTool } from '../../../bridge/refusals.ts'
import type { Caller } from '../../../catalog/caller.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { Explainer } from '../../explaining/explainer.ts'
import { isOperator } from '../../state/tokens/is-operator.ts'
import { HttpError } from '../../http/http-error.ts'

export interface ExplainRoutesDeps {
  readonly authenticate: Authenticate
  readonly explainer: Explainer
  /** Provider and model of an agent's turns. */
  readonly modelOf: (agent: string) => { readonly provider: string; readonly model: string }
  /** Servers write their failures themselves. */
  readonly redactShape: <T>(value: T) => T
}

/**
 * `GET /v1/tools/{id}/explain` and `GET /v1/explain`: how tools stand for the caller that the headers and
 * `?provider=&model=` describe; with `?vouched=true`, as the token of the channel would bring it. For anybody but an operator there is nothing here, as there is no tool that is denied.
 */
export function registerExplainRoutes(app: FastifyInstance, deps: ExplainRoutesDeps): void {
  app.get<{ Params: { readonly id: string } }>('/v1/tools/:id/explain', async (request) => {
    const { id } = request.params
    const { token, caller } = await deps.authenticate(request, 'tools')
    const { message } = notFound(id)
    if (!isOperator(token)) throw new HttpError('not_found', message)
    const asked = describedCaller(request, caller, deps)
    return deps.redactShape({ caller: shownCaller(asked), ...deps.explainer.explain(id, asked) })
  })
  app.get('/v1/explain', async (request) => {
    const { token, caller } = await deps.authenticate(request, 'tools')
    if (!isOperator(token)) throw new HttpError('not_found', 'there is no GET /v1/explain')
    const asked = describedCaller(request, caller, deps)
    return deps.redactShape({ caller: shownCaller(asked), ...deps.explainer.explainAll(asked) })
  })
}

function notFound(id: string): { readonly message: string } {
  const outcome = unknownTool(id.slice(0, 256), [])
  return { message: outcome.kind === 'ok' ? '' : outcome.message }
}

const QUERY_KEYS = ['provider', 'model', 'vouched']

/** With `?provider=openai&model=gpt-5.4`, else those of the agent: what a turn of it would have. */
function describedCaller(request: FastifyRequest, caller: Caller, deps: ExplainRoutesDeps): Caller {
  const query = isJsonObject(request.query) ? request.query : {}
  const unknown = Object.keys(query).find((key) => !QUERY_KEYS.includes(key))
  if (unknown !== undefined) {
    const message = `there is no parameter ${JSON.stringify(unknown.slice(0, 100))}; there are ${QUERY_KEYS.join(', ')}, and headers such as x-drawbridge-agent say who asks`
    throw new HttpError('invalid_request', message, { param: unknown.slice(0, 100) })
  }
  const { provider, model, vouched } = query
  return vouched === 'true'
    ? { ...withModel(caller, { provider, model }, deps), isVouched: true }
    : withModel(caller, { provider, model }, deps)
}

function withModel(
  caller: Caller,
  { provider, model }: Readonly<Record<'provider' | 'model', unknown>>,
  { modelOf }: ExplainRoutesDeps,
): Caller {
  if (typeof provider === 'string' && provider !== '') {
    return { ...caller, provider, ...(typeof model === 'string' && model !== '' && { model }) }
  }
  const own = modelOf(caller.agent)
  return { ...caller, provider: own.provider, model: own.model }
}

function shownCaller({ tenant: _tenant, ...caller }: Caller): Omit<Caller, 'tenant'> {
  return caller
}
