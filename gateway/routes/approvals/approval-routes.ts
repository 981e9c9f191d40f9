import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Approval, ApprovalState } from '../../../bridge/approval.ts'
import type { JsonValue } from '../../../catalog/json.ts'
import type { GatewayDesk } from '../../approvals/approval-desk.ts'
import type { Decided, Decider } from '../../approvals/decision.ts'
import { DECISIONS_MAX } from '../../approvals/limits.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { TokenRecord } from '../../store/store.ts'
import type { Store } from '../../store/store.ts'
import { HttpError } from '../../http/http-error.ts'
import { noSuch } from '../no-such.ts'
import { APPROVALS_PAGE_ROWS, APPROVALS_PAGE_ROWS_MAX } from '../limits.ts'
import type { ReadDecisionDeps } from './read-decision.ts'
import { readDecision, readDecisions } from './read-decision.ts'

export interface ApprovalRoutesDeps extends ReadDecisionDeps {
  readonly authenticate: Authenticate
  readonly store: Pick<Store, 'approvals'>
  readonly desk: Pick<GatewayDesk, 'decide'>
}

interface ById {
  readonly id: string
}

/**
 * `/v1/approvals`: what waits for a person, and the person's answer. Only a token with the scope `approvals` sees or
 * decides anything here; one that is bound to agents, what those asked for alone.
 */
export function registerApprovalRoutes(app: FastifyInstance, deps: ApprovalRoutesDeps): void {
  app.get<{ Querystring: Query }>('/v1/approvals', async (request) => {
    const { token } = await deps.authenticate(request, 'approvals')
    const query = readQuery(request.query)
    const approvals = await deps.store.approvals.list(token.tenant, {
      ...query,
      ...(token.agents && { agents: token.agents }),
    })
    const last = approvals.at(-1)
    return { approvals, ...(last !== undefined && approvals.length === query.limit && { nextBefore: last.id }) }
  })
  app.get<{ Params: ById }>('/v1/approvals/:id', async (request) => {
    const { token } = await deps.authenticate(request, 'approvals')
    const { id } = request.params
    const row = await deps.store.approvals.get(token.tenant, id)
    if (row === undefined || token.agents?.includes(row.approval.agent) === false) throw noSuch('approval', id)
    return row.approval
  })
  app.post<{ Params: ById; Body: JsonValue }>('/v1/approvals/:id/decision', async (request, reply) => {
    const { token } = await deps.authenticate(request, 'approvals')
    const decision = readDecision({ id: request.params.id, body: request.body }, deps)
    const [decided] = await deps.desk.decide([decision], deciderOf(token))
    if (decided === undefined) throw noSuch('approval', decision.id)
    return answer(decided, { request, reply })
  })
  app.post<{ Body: JsonValue }>('/v1/approvals/decisions', async (request) => {
    const { token } = await deps.authenticate(request, 'approvals')
    const decisions = await readDecisions(request.body, {
      ...deps,
      pendingOfRun: async (runId) => {
        const query = { runId, state: 'pending', limit: DECISIONS_MAX } as const
        const pending = await deps.store.approvals.list(token.tenant, {
          ...query,
          ...(token.agents && { agents: token.agents }),
        })
        return pending.map(({ id }) => id)
      },
    })
    const results = decisions.length === 0 ? [] : await deps.desk.decide(decisions, deciderOf(token))
    return { results: results.map(resultOf) }
  })
}

type Query = Readonly<Record<string, unknown>>

const STATES: readonly ApprovalState[] = ['pending', 'allowed-once', 'allowed-always', 'denied', 'expired', 'cancelled']

/** A parameter without a value is as one that is not there. */
function readQuery(query: Query) {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
  const { state, run, before, limit = `${APPROVALS_PAGE_ROWS}` } = given
  const known = STATES.find((each) => each === state)
  if (state !== undefined && known === undefined) {
    throw invalid('state', `state is one of ${STATES.join(', ')}, got ${JSON.stringify(state)}`)
  }
  if (run !== undefined && typeof run !== 'string') throw invalid('run', 'run is the id of one run')
  if (before !== undefined && typeof before !== 'string') throw invalid('before', 'before is the id of one approval')
  if (typeof limit !== 'string' || !/^\d{1,6}$/.test(limit) || Number(limit) > APPROVALS_PAGE_ROWS_MAX) {
    throw invalid('limit', `limit is a whole number up to ${APPROVALS_PAGE_ROWS_MAX}, got ${JSON.stringify(limit)}`)
  }
  return {
    limit: Number(limit),
    ...(known && { state: known }),
    ...(run !== undefined && { runId: run }),
    ...(before !== undefined && { before }),
  }
}

function deciderOf(token: TokenRecord): Decider {
  return { tenant: token.tenant, by: token.id, ...(token.agents && { agents: token.agents }) }
}

function answer(
  decided: Decided,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Approval | FastifyReply {
  switch (decided.kind) {
    case 'decided':
    case 'repeated':
      return decided.approval
    case 'absent':
      throw noSuch('approval', decided.id)
    case 'not-allowed':
      throw invalid('decision', notOffered(decided.approval))
    case 'bad-answer':
      throw invalid('answer', decided.message)
    case 'conflict': {
      // With what was decided: whoever lost the race need not ask again.
      const error = new HttpError('conflict', ended(decided.approval))
      reply.header('x-request-id', request.id)
      return reply.code(error.status).send({ ...error.body, approval: decided.approval })
    }
  }
}

/** One of several: what its own route would have said. */
function resultOf(decided: Decided): Readonly<Record<string, unknown>> {
  switch (decided.kind) {
    case 'decided':
    case 'repeated':
      return { id: decided.approval.id, result: 'decided', approval: decided.approval }
    case 'absent':
      return { id: decided.id, result: 'not_found', message: noSuch('approval', decided.id).message }
    case 'bad-answer':
      return { id: decided.approval.id, result: 'invalid_request', message: decided.message }
    case 'not-allowed':
      return { id: decided.approval.id, result: 'invalid_request', message: notOffered(decided.approval) }
    case 'conflict': {
      const { approval } = decided
      return { id: approval.id, result: 'conflict', message: ended(approval), approval }
    }
  }
}

function ended({ id, state, decidedBy, reason }: Approval): string {
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`
  return `approval ${JSON.stringify(id)} is ${state}${by}${reason === undefined ? '' : `: ${reason}`}`
}

function notOffered({ id, allowedDecisions }: Approval): string {
  return `approval ${JSON.stringify(id)} can be decided as ${allowedDecisions.join(', ')}`
}

function invalid(param: string, message: string): HttpError {
  return new HttpError('invalid_request', message, { param })
}
