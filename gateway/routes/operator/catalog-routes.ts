import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../../catalog/catalog.ts'
import type { TrustGate } from '../../../catalog/sources/mcp/trust/trust-gate.ts'
import type { PluginHost } from '../../../plugins/host.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import { isOperator } from '../../state/tokens/is-operator.ts'
import { HttpError } from '../../http/http-error.ts'

export interface CatalogRoutesDeps {
  readonly authenticate: Authenticate
  readonly catalog: Pick<Catalog, 'snapshot' | 'statuses' | 'quarantined'>
  readonly plugins: Pick<PluginHost, 'problems'>
  readonly trust: Pick<TrustGate, 'findings'>
  /** Servers and plugins write their failures themselves. */
  readonly redactShape: <T>(value: T) => T
}

/** `/v1/catalog`: every tool of the process, whatever policy says of it; for operators, and what checks their lists. */
export function registerCatalogRoutes(app: FastifyInstance, deps: CatalogRoutesDeps): void {
  app.get('/v1/catalog', async (request) => {
    const { token } = await deps.authenticate(request, 'admin')
    if (!isOperator(token)) {
      throw new HttpError(
        'forbidden',
        `the catalog is for admins of tenant "default"; this is one of "${token.tenant}"`,
      )
    }
    const { revision, tools } = deps.catalog.snapshot()
    return {
      revision,
      tools: tools.map(({ id, name }) => ({ id, name })),
      ...deps.redactShape({
        quarantined: deps.catalog
          .quarantined()
          .map(({ id, reason, awaits }) => ({ id, reason, ...(awaits && { awaits }) })),
        findings: deps.trust.findings(),
        sources: deps.catalog.statuses(),
        pluginProblems: deps.plugins.problems(),
      }),
    }
  })
}
