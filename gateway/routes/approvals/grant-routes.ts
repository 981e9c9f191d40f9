import type { FastifyInstance } from 'fastify'
import { VOIDED_REASON } from '../../approvals/find-grant.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import type { Grant } from '../../store/approval-store.ts'
import type { Store, TokenRecord } from '../../store/store.ts'
import { noSuch } from '../no-such.ts'

export interface GrantRoutesDeps {
  readonly authenticate: Authenticate
  readonly store: Pick<Store, 'approvals'>
  /** Of the tool as it is registered now; undefined where it is not there. */
  readonly schemaHashOf: (toolId: string) => string | undefined
  readonly now: () => number
}

interface ById {
  readonly id: string
}

/** `/v1/grants`: what was always allowed, and taking it back. */
export function registerGrantRoutes(app: FastifyInstance, deps: GrantRoutesDeps): void {
  app.get('/v1/grants', async (request) => {
    const { token } = await deps.authenticate(request, 'approvals')
    const grants = await deps.store.approvals.listGrants(token.tenant)
    return { grants: grants.filter((grant) => isSeen(grant, token)).map((grant) => shown(grant, deps)) }
  })
  app.get<{ Params: ById }>('/v1/grants/:id', async (request) => {
    const { token } = await deps.authenticate(request, 'approvals')
    return shown(await find(request.params.id, token, deps), deps)
  })
  app.delete<{ Params: ById }>('/v1/grants/:id', async (request) => {
    const { token } = await deps.authenticate(request, 'approvals')
    const { id } = await find(request.params.id, token, deps)
    const end = { kind: 'revoked', atMs: deps.now(), by: token.id } as const
    const ended = await deps.store.approvals.endGrant(token.tenant, id, end)
    if (ended === undefined) throw noSuch('grant', id)
    request.log.info({ grant: id, tenant: token.tenant, by: token.id }, 'grant revoked')
    return shown(ended, deps)
  })
}

async function find(id: string, token: TokenRecord, { store }: GrantRoutesDeps): Promise<Grant> {
  const grant = await store.approvals.getGrant(token.tenant, id)
  if (grant === undefined || !isSeen(grant, token)) throw noSuch('grant', id)
  return grant
}

function isSeen(grant: Grant, { agents }: TokenRecord): boolean {
  return agents === undefined || agents.includes(grant.agent)
}

type GrantState = 'active' | 'expired' | 'revoked' | 'voided'

function shown(grant: Grant, deps: GrantRoutesDeps): Readonly<Record<string, unknown>> {
  const state = stateOf(grant, deps)
  const reason = state === 'voided' && grant.ended === undefined ? { voidedReason: VOIDED_REASON } : {}
  return { ...grant, state, ...reason }
}

/** A grant whose tool has another schema now covers nothing, even before a call has found that out. */
function stateOf({ ended, untilMs, toolId, schemaHash }: Grant, deps: GrantRoutesDeps): GrantState {
  if (ended !== undefined) return ended.kind
  if (untilMs !== undefined && untilMs <= deps.now()) return 'expired'
  const current = deps.schemaHashOf(toolId)
  return current === undefined || current === schemaHash ? 'active' : 'voided'
}
