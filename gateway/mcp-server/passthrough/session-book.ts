import type { RpcId } from './judging/rpc-message.ts'
import type { Upstream } from './upstream/upstream.ts'

/** A session of one client with one server, and the same session as the server knows it. */
export interface PassedSession {
  readonly id: string
  readonly server: string
  readonly tokenId: string
  readonly upstream: Upstream
  /** The server's own id; no client ever sees it. */
  readonly upstreamId: string
  /** Calls under way, to be cancelled by the id that the client gave them. */
  readonly calls: Map<RpcId, AbortController>
}

export interface SessionOwner {
  readonly server: string
  readonly tokenId: string
}

export interface SessionBook {
  /** Ends the session that was idle longest where a bound is met; undefined where all are in use. */
  open(session: Omit<PassedSession, 'id' | 'calls'>): PassedSession | undefined
  /** Another's session is not there. */
  find(id: string, owner: SessionOwner): PassedSession | undefined
  /** While it runs, the session is in use. */
  use<T>(session: PassedSession, run: () => Promise<T>): Promise<T>
  end(session: PassedSession): Promise<void>
  endWhere(matches: (session: PassedSession) => boolean): Promise<void>
  /** Ends what nobody has used for long. */
  sweep(): Promise<void>
  count(): number
}

export interface SessionBookDeps {
  readonly newId: () => string
  readonly now: () => number
  readonly leave: (session: PassedSession) => Promise<void>
  readonly bounds: { readonly all: number; readonly perToken: number; readonly idleMs: number }
}

interface Entry {
  readonly session: PassedSession
  readonly active: number
  readonly usedMs: number
}

export function createSessionBook(deps: SessionBookDeps): SessionBook {
  /** In order of last use. */
  const entries = new Map<string, Entry>()

  function touch(id: string, change: number): void {
    const entry = entries.get(id)
    if (entry === undefined) return
    entries.delete(id)
    entries.set(id, { ...entry, active: entry.active + change, usedMs: deps.now() })
  }
  async function end(session: PassedSession): Promise<void> {
    if (!entries.delete(session.id)) return
    for (const call of session.calls.values()) call.abort(new Error('the session has ended'))
    await deps.leave(session)
  }
  async function endAll(ended: readonly Entry[]): Promise<void> {
    await Promise.all(ended.map(({ session }) => end(session)))
  }
  function makeRoom(tokenId: string): boolean {
    const own = [...entries.values()].filter(({ session }) => session.tokenId === tokenId)
    const isFull = own.length >= deps.bounds.perToken
    if (!isFull && entries.size < deps.bounds.all) return true
    const idle = (isFull ? own : [...entries.values()]).find(({ active }) => active === 0)
    if (idle === undefined) return false
    void end(idle.session)
    return true
  }

  return {
    open(parts) {
      if (!makeRoom(parts.tokenId)) return undefined
      const session: PassedSession = { ...parts, id: deps.newId(), calls: new Map() }
      entries.set(session.id, { session, active: 0, usedMs: deps.now() })
      return session
    },
    find(id, { server, tokenId }) {
      const session = entries.get(id)?.session
      return session?.server === server && session.tokenId === tokenId ? session : undefined
    },
    async use(session, run) {
      touch(session.id, 1)
      try {
        return await run()
      } finally {
        touch(session.id, -1)
      }
    },
    end,
    endWhere: (matches) => endAll([...entries.values()].filter(({ session }) => matches(session))),
    sweep() {
      const oldestMs = deps.now() - deps.bounds.idleMs
      return endAll([...entries.values()].filter(({ active, usedMs }) => active === 0 && usedMs < oldestMs))
    },
    count: () => entries.size,
  }
}
