import type { FastifyInstance } from 'fastify'
import type { ProgramHostStatus } from '../../../bridge/isolate/program-host.ts'
import type { Mode } from '../../../bridge/presentation/presentation.ts'
import type { QuarantinedTool } from '../../../catalog/catalog.ts'
import type { SourceStatus } from '../../../catalog/source.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import { isOperator } from '../../state/tokens/is-operator.ts'

export interface HealthDeps {
  readonly authenticate: Authenticate
  /** Throws when the store cannot be read and written. */
  readonly checkStore: () => Promise<void>
  readonly mode: () => { readonly configured: Mode; readonly inForce: Mode; readonly reason?: string }
  readonly sandbox: () => ProgramHostStatus | undefined
  readonly sources: () => readonly SourceStatus[]
  readonly quarantined: () => readonly QuarantinedTool[]
  readonly redactShape: <T>(value: T) => T
  readonly version: string
}

/**
 * `/healthz`: the process answers. `/readyz`: it can serve, and in what state each part is; a server that is down or a
 * fallback from `code` to `tools` is told there and does not make it unready. Both are open and name no tool or server;
 * with an operator's token `/readyz` lists them.
 */
export function registerHealthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/healthz', async () => ({ status: 'ok', version: deps.version }))
  app.get('/readyz', async (request, reply) => {
    const asked = request.headers.authorization === undefined ? undefined : await deps.authenticate(request, 'admin')
    const store = await deps.checkStore().then(
      () => ({ ok: true }) as const,
      () => ({ ok: false, message: 'the store cannot be read and written; the log has the reason' }) as const,
    )
    const body = {
      status: store.ok ? 'ready' : 'unready',
      mode: deps.mode(),
      sandbox: deps.sandbox() ?? null,
      store,
      sources: countStates(deps.sources()),
      // Servers are of no tenant, and write their failures themselves.
      ...(asked !== undefined &&
        isOperator(asked.token) &&
        deps.redactShape({
          sourceDetails: deps.sources(),
          quarantined: deps.quarantined().map(({ id, reason }) => ({ id, reason })),
        })),
    }
    return reply.code(store.ok ? 200 : 503).send(body)
  })
}

function countStates(sources: readonly SourceStatus[]): Readonly<Record<SourceStatus['state']['kind'], number>> {
  const counts = { connecting: 0, ready: 0, down: 0 }
  for (const { state } of sources) counts[state.kind] += 1
  return counts
}
