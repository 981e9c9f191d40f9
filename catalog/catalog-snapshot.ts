import type { CatalogEntry } from './catalog-entry.ts'
import type { Tool } from './tool.ts'

/** All tools at one revision; never changes once made. */
export interface CatalogSnapshot {
  /** Content-based: the same tools give the same revision on every machine and in every order of loading. */
  readonly revision: string
  /** In order of id. */
  readonly tools: readonly Tool[]
  readonly byId: ReadonlyMap<string, Tool>
  readonly byName: ReadonlyMap<string, readonly Tool[]>
}

interface OwnerTools {
  readonly tools: ReadonlyMap<string, CatalogEntry>
}

/** A sum of hashes does not depend on the order of loading and changes by one addition when one tool does. */
export function takeSnapshot(owners: Iterable<OwnerTools>, contentSum: bigint): CatalogSnapshot {
  const tools = [...owners].flatMap((owner) => [...owner.tools.values()].map((entry) => entry.tool))
  tools.sort((a, b) => compareText(a.id, b.id))
  return {
    revision: BigInt.asUintN(128, contentSum).toString(16).padStart(32, '0'),
    tools,
    byId: new Map(tools.map((tool) => [tool.id, tool])),
    byName: Map.groupBy(tools, (tool) => tool.name),
  }
}

/** Code-unit order: the same on every machine, unlike a locale's. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
