import type { RpcId } from './judging/rpc-message.ts'
import type { Tally } from './tally.ts'
import { createTally } from './tally.ts'
import type { Upstream } from './upstream/upstream.ts'
import { UpstreamFault } from './upstream/upstream-fault.ts'

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
  /** Other requests under way: what waits for one ends when its client cancels it, since a server does not answer it then. */
  readonly requests: Map<RpcId, AbortController>
  /** Streams of GET that are open. */
  readonly streams: Set<AbortController>
}

export interface SessionOwner {
  readonly server: string
  readonly tokenId: string
}

export interface SessionBook {
  /**
   * Keeps room for a session that is being opened, since a server may start a process for it: the one that was idle
   * longest is ended where a bound is met; undefined where all are in use. What is returned is called when the session
   * stands or came to nothing.
   */
  reserve(tokenId: string): (() => void) | undefined
  /** In the room that was reserved for it. */
  open(session: Omit<PassedSession, 'id' | 'calls' | 'requests' | 'streams'>): PassedSession
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
  const opening = createTally()

  function touch(id: string, change: number): void {
    const entry = entries.get(id)
    if (entry === undefined) return
    entries.delete(id)
    entries.set(id, { ...entry, active: entry.active + change, usedMs: deps.now() })
  }
  async function end(session: PassedSession): Promise<void> {
    if (!entries.delete(session.id)) return
    breakOff(session)
    await deps.leave(session)
  }
  async function endAll(ended: readonly Entry[]): Promise<void> {
    await Promise.all(ended.map(({ session }) => end(session)))
  }
  function makeRoom(tokenId: string): boolean {
    const room = findRoom([...entries.values()], tokenId, { opening, bounds: deps.bounds })
    if (typeof room === 'boolean') return room
    void end(room.session)
    return true
  }

  return {
    reserve(tokenId) {
      if (!makeRoom(tokenId)) return undefined
      opening.add(tokenId, 1)
      return () => opening.add(tokenId, -1)
    },
    open(parts) {
      const underWay = { calls: new Map(), requests: new Map(), streams: new Set<AbortController>() }
      const session: PassedSession = { ...parts, ...underWay, id: deps.newId() }
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

/** A call ends as any that is cancelled, with its receipt; who waits for something else is told that the session is over. */
function breakOff({ calls, requests }: PassedSession): void {
  const words = 'the session has ended'
  for (const call of calls.values()) call.abort(new Error(words))
  for (const request of requests.values()) request.abort(new UpstreamFault('session-forgotten', words))
}

/** To a server an id is whose answer it is: of two requests with the same one, one would get that of the other. */
export function isIdInUse({ calls, requests }: PassedSession, id: RpcId): boolean {
  return calls.has(id) || requests.has(id)
}

/** Whether there is room, or the session whose end would make some. */
function findRoom(
  entries: readonly Entry[],
  tokenId: string,
  { opening, bounds }: { readonly opening: Tally; readonly bounds: SessionBookDeps['bounds'] },
): boolean | Entry {
  const own = entries.filter(({ session }) => session.tokenId === tokenId)
  const isFull = own.length + opening.count(tokenId) >= bounds.perToken
  if (!isFull && entries.length + opening.total() < bounds.all) return true
  return (isFull ? own : entries).find(({ active }) => active === 0) ?? false
}
