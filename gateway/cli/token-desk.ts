import type { JsonObject } from '../../catalog/json.ts'
import type { TokenRequest } from '../state/tokens/issue-token.ts'
import { issueToken } from '../state/tokens/issue-token.ts'
import { revokeToken } from '../state/tokens/revoke-token.ts'
import { isStateLockHeld } from '../state/state-lock.ts'
import { stateDirectoryPath } from '../state/state-directory-path.ts'
import { tokenView } from '../state/tokens/token-view.ts'
import { openTokens } from '../state/tokens/tokens.ts'
import type { TokenRecord } from '../store/store.ts'
import type { CliDeps } from './cli-deps.ts'
import { CliFailure } from './cli-failure.ts'
import { failureOf, objectsOf } from './commands/failed-answer.ts'
import { createGatewayClient } from './gateway-client.ts'
import type { StoppedStore, StoreFlags } from './stopped-store.ts'
import { withStoppedStore } from './stopped-store.ts'

/** Tokens as the routes show them, whoever keeps them at the moment. */
export interface TokenDesk {
  list(): Promise<readonly JsonObject[]>
  /** The token's plain text is in `token`. */
  create(request: TokenRequest): Promise<JsonObject>
  revoke(id: string): Promise<JsonObject>
}

/** Over the running gateway; where none runs, on its store. */
export async function openTokenDesk(flags: StoreFlags, deps: CliDeps): Promise<TokenDesk> {
  const folder = stateDirectoryPath(flags.stateDir, deps.env)
  return (await isStateLockHeld(folder)) ? deskOfGateway(flags, deps) : deskOfStore(flags, deps)
}

function deskOfGateway(flags: StoreFlags, deps: CliDeps): TokenDesk {
  const client = createGatewayClient(flags.stateDir, deps, 'admin')
  const ask = async (...[request]: Parameters<typeof client.request>): Promise<JsonObject> => {
    const answer = await client.request(request)
    if (answer.status >= 300) throw failureOf(answer)
    return answer.body
  }
  return {
    list: async () => objectsOf((await ask({ method: 'GET', path: '/v1/tokens' }))['tokens']),
    create: ({ name, tenant, scopes, agents, channels }) => {
      const body = { name, tenant, scopes, ...(agents && { agents }), ...(channels && { channels }) }
      return ask({ method: 'POST', path: '/v1/tokens', body })
    },
    revoke: (id) => ask({ method: 'POST', path: `/v1/tokens/${encodeURIComponent(id)}/revoke` }),
  }
}

function deskOfStore(flags: StoreFlags, deps: CliDeps): TokenDesk {
  const withStore = <Value>(whenAbsent: 'made' | 'needed', work: (stopped: StoppedStore) => Promise<Value>) =>
    withStoppedStore({ flags, deps, whenAbsent }, work)
  return {
    list: () => withStore('needed', async ({ store }) => (await store.listTokens()).map(shown)),
    create: (request) =>
      withStore('made', async ({ store, stateDirectory }) => {
        const nowMs = deps.now()
        // As a start does: otherwise a token of this name would keep the first start from making its own.
        await openTokens({ store, stateDirectory, nowMs, environmentToken: deps.env['DRAWBRIDGE_TOKEN'] })
        const issued = await issueToken(request, { store, nowMs })
        if (issued.kind !== 'issued') throw new CliFailure(1, issued.message)
        return { ...shown(issued.made.record), token: issued.made.token }
      }),
    revoke: (id) =>
      withStore('needed', async (stopped) => {
        const revoked = await revokeToken({ id }, { ...stopped, nowMs: deps.now(), hasEnvironmentToken: false })
        if (revoked.kind === 'absent') throw new CliFailure(1, `there is no token "${id}"`)
        if (revoked.kind === 'last-admin') throw new CliFailure(1, revoked.message)
        return shown(revoked.record)
      }),
  }
}

function shown(record: TokenRecord): JsonObject {
  const view: JsonObject = JSON.parse(JSON.stringify(tokenView(record)))
  return view
}
