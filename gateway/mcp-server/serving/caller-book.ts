import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import type { Authenticated } from '../../auth/authenticate.ts'

/** Who sent a request, carried through the SDK on the object that it passes on as it is. */
export interface CallerBook {
  readonly enter: (authenticated: Authenticated) => AuthInfo
  /** @throws {TypeError} for what `enter` did not give */
  readonly read: (info: AuthInfo | undefined) => Authenticated
  /** @throws {TypeError} for a request that did not come through `enter` */
  readonly callerOf: (context: ServerContext) => Authenticated
}

export function createCallerBook(): CallerBook {
  const entries = new WeakMap<AuthInfo, Authenticated>()
  const read = (info: AuthInfo | undefined): Authenticated => {
    const authenticated = info === undefined ? undefined : entries.get(info)
    if (authenticated === undefined) throw new TypeError('an MCP request was served without authentication')
    return authenticated
  }
  return {
    enter(authenticated) {
      const { id, scopes } = authenticated.token
      // The token itself stays outside: nothing behind here needs it.
      const info: AuthInfo = { token: '', clientId: id, scopes: [...scopes] }
      entries.set(info, authenticated)
      return info
    },
    read,
    callerOf: (context) => read(context.http?.authInfo),
  }
}
