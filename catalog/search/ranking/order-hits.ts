import { FIRST_PAGE_COPIES, FIRST_PAGE_HITS } from '../limits.ts'
import type { PlannedWord } from '../query/plan-query.ts'
import type { SearchWeights } from '../weights.ts'
import { NAME_FIT } from './name-fit.ts'
import { ownerKey } from './owner-key.ts'
import type { Found } from './search-place.ts'
import { varyPage } from './vary-page.ts'

/**
 * Best first: what the query names, then by score, ties by id; then the first page is varied, and no stranger may fill
 * it alone.
 */
export function orderHits(
  found: readonly Found[],
  words: readonly PlannedWord[],
  weights: SearchWeights,
): readonly Found[] {
  const ordered = found.toSorted(
    (a, b) =>
      b.nameFit - a.nameFit ||
      // What was not looked at closely stands last, so that a page is the same however deep one asks.
      Number(a.evidence === undefined) - Number(b.evidence === undefined) ||
      b.score - a.score ||
      compareIds(a.tool.id, b.tool.id),
  )
  return capOwners(varyPage(ordered, words, weights), weights)
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** What stands on the first page so far. */
interface Placed {
  readonly owners: Map<string, number>
  readonly copies: Map<string, number>
}

/**
 * An MCP server or client that describes twenty tools as whatever is asked for gets only so many places of the first
 * page, and so do ten servers with one tool between them, as long as others have nearly as good a hit. What the query
 * names is never moved.
 */
function capOwners(ordered: readonly Found[], weights: SearchWeights): readonly Found[] {
  const page: Found[] = []
  const waiting = [...ordered]
  const placed: Placed = { owners: new Map(), copies: new Map() }
  while (page.length < FIRST_PAGE_HITS && waiting.length > 0) {
    const best = waiting[0]
    if (best === undefined) break
    const place = isFull(best, placed, weights) ? nextWithRoom(waiting, best, { placed, weights }) : 0
    const [chosen = best] = waiting.splice(place, 1)
    page.push(chosen)
    countIn(placed.owners, ownerKey(chosen.tool))
    countIn(placed.copies, copyKey(chosen))
  }
  return [...page, ...waiting]
}

function countIn(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The same tool, whoever has it: a server that is connected ten times, or ten that were made alike. */
function copyKey({ tool }: Found): string {
  return `${tool.name}\n${tool.description}`
}

function isFull(found: Found, { owners, copies }: Placed, weights: SearchWeights): boolean {
  if (found.nameFit !== NAME_FIT.none) return false
  if ((copies.get(copyKey(found)) ?? 0) >= FIRST_PAGE_COPIES) return true
  if (found.tool.source === 'plugin') return false
  let placed = 0
  for (const count of owners.values()) placed += count
  const room = Math.max(2, Math.ceil((placed + 1) * weights.ownerShare))
  return (owners.get(ownerKey(found.tool)) ?? 0) >= room
}

/** Place of the best waiting hit with room, if it is nearly as good as the one that has to wait. */
function nextWithRoom(
  waiting: readonly Found[],
  best: Found,
  { placed, weights }: { readonly placed: Placed; readonly weights: SearchWeights },
): number {
  const place = waiting.findIndex((other) => !isFull(other, placed, weights))
  const other = waiting[place]
  return other !== undefined && other.score >= best.score * weights.ownerShareRatio ? place : 0
}
