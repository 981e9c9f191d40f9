import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { Answer } from '../answering/call-context.ts'
import type { NoteRelay } from './note-relay.ts'

/** A request that was let in. */
export interface Entry {
  readonly authenticated: Authenticated
  /** By which the log tells of it. */
  readonly requestId: string
  /** Aborted when its client goes away; absent where the SDK has a request that says so. */
  readonly gone?: AbortSignal
  /** Of a plain call that came past the SDK and needs it after all. */
  readonly call?: {
    /** The SDK has let it in. */
    readonly onLetIn: () => void
    /** It was made already. */
    readonly made?: Promise<Answer>
    /** What it tells of meanwhile. */
    readonly notes?: NoteRelay
  }
}

/** Who sent a request, carried through the SDK on the object that it passes on as it is. */
export interface CallerBook {
  readonly enter: (entry: Entry) => AuthInfo
  /** @throws {TypeError} for what `enter` did not give */
  readonly read: (info: AuthInfo | undefined) => Entry
  /** @throws {TypeError} for a request that did not come through `enter` */
  readonly entryOf: (context: ServerContext) => Entry
}

export function createCallerBook(): CallerBook {
  const entries = new WeakMap<AuthInfo, Entry>()
  const read = (info: AuthInfo | undefined): Entry => {
    const entry = info === undefined ? undefined : entries.get(info)
    if (entry === undefined) throw new TypeError('an MCP request was served without authentication')
    return entry
  }
  return {
    enter(entry) {
      const { id, scopes } = entry.authenticated.token
      // The token itself stays outside: nothing behind here needs it.
      const info: AuthInfo = { token: '', clientId: id, scopes: [...scopes] }
      entries.set(info, entry)
      return info
    },
    read,
    entryOf: (context) => read(context.http?.authInfo),
  }
}
