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

/** A server whose tools stay as they are. */
export const NO_CHANGES: Passing['whenToolsChange'] = () => () => {}
