import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../server-config.ts'
import { isStdioServer } from '../server-config.ts'
import { createAuthorizedFetch } from './authorized-fetch.ts'
import { createLoginFetch } from './login-fetch.ts'
import type { LoginKeeper } from './login-keeper.ts'
import { createLoginKeeper } from './login-keeper.ts'
import { renewLogin } from './renew-login.ts'
import type { LoginVault } from './server-login.ts'

export interface ServerAuthorization {
  readonly keeper: LoginKeeper
  /** The same `fetch`, with the login's token on each request to the server. */
  readonly authorize: (fetch: FetchLike) => FetchLike
}

export interface ServerAuthorizationDeps {
  readonly server: string
  readonly config: McpServerConfig
  readonly vault: LoginVault | undefined
  readonly forbiddenAddresses: readonly string[]
  readonly warn: (message: string) => void
  readonly now: () => number
}

/** Undefined where nobody can log in: at a process, with a fixed `authorization` header, or at an address that is none. */
export function createServerAuthorization(deps: ServerAuthorizationDeps): ServerAuthorization | undefined {
  const { config, vault, server, forbiddenAddresses, warn, now } = deps
  if (vault === undefined || isStdioServer(config) || hasFixedAuthorization(config.headers)) return undefined
  const origin = URL.parse(config.url)?.origin
  if (origin === undefined) return undefined
  const keeper = createLoginKeeper({
    server,
    url: config.url,
    ...(config.headers && { headers: config.headers }),
    vault,
    renew: async (login) => {
      // One for each renewal: they are hours apart, and no connection stays open meanwhile.
      const http = createLoginFetch({ config, forbiddenAddresses })
      try {
        return await renewLogin(login, { fetch: http.fetch, now })
      } finally {
        http.close()
      }
    },
    warn,
    now,
  })
  return { keeper, authorize: (fetch) => createAuthorizedFetch(fetch, { server, origin, keeper }) }
}

function hasFixedAuthorization(headers: Readonly<Record<string, string>> = {}): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
