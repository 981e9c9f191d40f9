/** A response that is being given. */
export interface OpenResponse {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
  destroy(): unknown
}

/** What the clients of each token have open: requests, and streams that stay open for hours. */
export interface OpenClients {
  /** Until its response was sent, or its client has gone. */
  enter(tokenId: string, response: OpenResponse): void
  /** Of a token that was revoked: a stream that stays open asks no more whether it may be read. Sessions end too. */
  readonly breakOff: (tokenId: string) => void
}

export interface TokenSessions {
  endOf(tokenId: string): void
}

export function createOpenClients(sessions: readonly TokenSessions[]): OpenClients {
  const byToken = new Map<string, Set<OpenResponse>>()
  return {
    enter(tokenId, response) {
      // Its client left while its token was looked up: it will not say so again.
      if (response.closed) return
      const open = byToken.get(tokenId) ?? new Set()
      byToken.set(tokenId, open.add(response))
      response.once('close', () => {
        open.delete(response)
        if (open.size === 0 && byToken.get(tokenId) === open) byToken.delete(tokenId)
      })
    },
    breakOff(tokenId) {
      for (const response of byToken.get(tokenId) ?? []) response.destroy()
      for (const each of sessions) each.endOf(tokenId)
    },
  }
}
