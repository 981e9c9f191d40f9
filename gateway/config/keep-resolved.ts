import type { ReadConfig } from './read-config.ts'

type Read = Extract<ReadConfig, { kind: 'read' }>

/**
 * A configuration that was read once more and says the same, where a secret cannot be had by now: what is connected with the
 * one of before stays so. A vault that is locked is no reason to end all servers because one of them has been refused.
 */
export function keepResolved<T extends Read>(current: T, again: T): T {
  const before = current.config.mcp
  const { faults = {}, ...mcp } = again.config.mcp
  const isKept = (server: string): boolean =>
    faults[server] !== undefined && before.faults?.[server] === undefined && before.servers[server] !== undefined
  const kept = Object.entries(before.servers).filter(([server]) => isKept(server))
  if (kept.length === 0) return again
  const left = Object.entries(faults).filter(([server]) => !isKept(server))
  const servers = { ...mcp.servers, ...Object.fromEntries(kept) }
  return {
    ...again,
    config: { ...again.config, mcp: { ...mcp, servers, ...(left.length > 0 && { faults: Object.fromEntries(left) }) } },
    secrets: [...new Set([...again.secrets, ...current.secrets])].toSorted((a, b) => b.length - a.length),
    unresolved: again.unresolved.filter(({ path: [, , server] }) => typeof server !== 'string' || !isKept(server)),
  }
}
