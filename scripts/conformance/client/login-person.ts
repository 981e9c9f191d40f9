import { beginLogin } from '../../../catalog/sources/mcp/login/begin-login.ts'
import type { LoginVault, ServerLogin } from '../../../catalog/sources/mcp/login/server-login.ts'
import type { HttpServerConfig } from '../../../catalog/sources/mcp/server-config.ts'

/** Somebody at a browser who agrees to everything. */
export interface LoginPerson {
  readonly vault: LoginVault
  /** Does what the reason says; a scope that it names is asked for. */
  logIn(reason: string): Promise<void>
  close(): void
}

const REDIRECT_URL = 'http://127.0.0.1:3118/callback'
const LOGIN_BUDGET_MS = 60_000

export function createLoginPerson(config: HttpServerConfig): LoginPerson {
  const logins = new Map<string, ServerLogin>()
  const over = new AbortController()
  return {
    vault: {
      read: async (server) => logins.get(server),
      write: async (server, login) => void logins.set(server, login),
      remove: async (server) => logins.delete(server),
    },
    async logIn(reason) {
      const scope = /--scope "([^"]+)"/.exec(reason)?.[1]
      const request = { server: 'suite', config, redirectUrl: REDIRECT_URL, ...(scope !== undefined && { scope }) }
      const signal = AbortSignal.any([over.signal, AbortSignal.timeout(LOGIN_BUDGET_MS)])
      const pending = await beginLogin(request, { forbiddenAddresses: [], now: Date.now }, signal)
      try {
        const query = await agree(pending.url, signal)
        if (!pending.isAnswer(query)) throw new Error('the browser came back with the answer to another login')
        logins.set('suite', await pending.finish(query))
      } finally {
        pending.close()
      }
    },
    close: () => over.abort(new Error('the client ends')),
  }
}

/** The suite's authorization server asks nobody: it sends the browser back at once. */
async function agree(url: string, signal: AbortSignal): Promise<URLSearchParams> {
  const response = await fetch(url, { redirect: 'manual', signal })
  await response.body?.cancel()
  const location = response.headers.get('location')
  if (location === null) throw new Error(`the authorization server answered ${response.status} and no redirect`)
  return new URL(location, url).searchParams
}
