import { anOpenGate } from './an-open-gate.ts'
import type { PassedSession } from '../passthrough/session-book.ts'
import type { Passing } from '../passthrough/relaying/passing.ts'
import type { Upstream } from '../passthrough/upstream/upstream.ts'

/** A session that is passed through to the server "files", with no call and no stream yet. */
export function aPassedSession(upstream: Upstream): PassedSession {
  return {
    id: 's',
    server: 'files',
    tokenId: 'tok_1',
    upstream,
    upstreamId: 'theirs',
    calls: new Map(),
    requests: new Map(),
    streams: new Set(),
  }
}

/** Of a caller whom the server's gate lets see all, whose client stays and whose tools stay as they are. */
export function aPassing(given: Pick<Passing, 'upstream' | 'session'> & Partial<Passing>): Passing {
  const caller = given.caller ?? { tenant: 't', agent: 'default' }
  const { signal } = new AbortController()
  return { caller, gate: anOpenGate(caller), headers: {}, whenToolsChange: () => () => {}, signal, ...given }
}
