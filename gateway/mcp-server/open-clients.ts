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
  /** Those with something open. */
  tokens(): ReadonlySet<string>
  /** Of a token that was revoked: a stream that stays open asks no more whether it may be read. Sessions end too. */
  readonly breakOff: (tokenId: string) => void
}

export interface TokenSessions {
  endOf(tokenId: string): void
}

export function createOpenClients(sessions: readonly TokenSessions[]): OpenClients {
  const open = new Map<OpenResponse, string>()
  return {
    enter(tokenId, response) {
      // Its client left while its token was looked up: it will not say so again.
      if (response.closed) return
      open.set(response, tokenId)
      response.once('close', () => open.delete(response))
    },
    tokens: () => new Set(open.values()),
    breakOff(tokenId) {
      for (const [response, of] of open) if (of === tokenId) response.destroy()
      for (const each of sessions) each.endOf(tokenId)
    },
  }
}
