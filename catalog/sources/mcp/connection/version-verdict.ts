/** How a server was last reached when it turned out to be of the older kind; a modern one answers its probe at once. */
export interface VersionVerdict {
  readonly transport: 'stdio' | 'http' | 'sse'
  /** Unix milliseconds after which the server is asked again: an upgraded one still answers the old handshake. */
  readonly untilMs: number
}

/** Remembers verdicts by the name of the server, so that no reconnect (or restart, where it is durable) probes again. */
export interface VersionVerdicts {
  read(server: string): VersionVerdict | undefined
  write(server: string, verdict: VersionVerdict | undefined): void
}

export function createVersionVerdicts(): VersionVerdicts {
  const verdicts = new Map<string, VersionVerdict>()
  return {
    read: (server) => verdicts.get(server),
    write(server, verdict) {
      if (verdict === undefined) verdicts.delete(server)
      else verdicts.set(server, verdict)
    },
  }
}
