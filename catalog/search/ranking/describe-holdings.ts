import { HOLDINGS_SAMPLED_TOOLS, NOTE_MAX_AREAS, NOTE_MAX_OWNERS } from '../limits.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { SearchPlace } from './search-place.ts'

/** What a view holds, in a sentence for the model that found nothing: owners with most tools, and common words. */
export function describeHoldings(places: readonly SearchPlace[], reader: TextReader): string {
  const { counts, total } = countOwners(places)
  if (total === 0) return 'there are no tools here'
  const named = mostCommon(counts, NOTE_MAX_OWNERS).map(([owner, count]) => `${owner} (${count})`)
  const more = counts.size > NOTE_MAX_OWNERS ? ` and ${counts.size - NOTE_MAX_OWNERS} more owners` : ''
  const areas = areasOf(places, HOLDINGS_SAMPLED_TOOLS / total, reader)
  const about = areas.length === 0 ? '' : `; words in their names: ${areas.join(', ')}`
  return `here are ${total} tools of ${named.join(', ')}${more}${about}`
}

interface OwnerCounts {
  readonly counts: ReadonlyMap<string, number>
  readonly total: number
}

/** An owner's tools mostly came in together, so they are counted by the run. */
function countOwners(places: readonly SearchPlace[]): OwnerCounts {
  const counts = new Map<string, number>()
  let total = 0
  let owner = ''
  let run = 0
  const endRun = (): void => {
    if (run > 0) counts.set(owner, (counts.get(owner) ?? 0) + run)
    total += run
    run = 0
  }
  for (const { store, accepts } of places) {
    const end = store.capacity()
    for (let document = 0; document < end; document += 1) {
      const tool = store.toolAt(document)
      if (tool === undefined || !accepts(document)) continue
      if (tool.owner !== owner) {
        endRun()
        owner = tool.owner
      }
      run += 1
    }
  }
  endRun()
  return { counts, total }
}

/** Words that names have in common; of a large view a share of the names is looked at, chosen by id alone. */
function areasOf(places: readonly SearchPlace[], share: number, reader: TextReader): string[] {
  const counts = new Map<string, number>()
  for (const name of sampledNames(places, share)) {
    for (const word of new Set(reader.contentWordsOf(name))) {
      if (isArea(word, reader)) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return mostCommon(counts, NOTE_MAX_AREAS)
    .filter(([, count]) => count > 1)
    .map(([word]) => word)
}

function sampledNames(places: readonly SearchPlace[], share: number): string[] {
  const names: string[] = []
  const most = share * 2 ** 32
  for (const { store, accepts } of places) {
    const end = store.capacity()
    for (let document = 0; document < end; document += 1) {
      if (store.orderOf(document) >= most || !accepts(document)) continue
      const tool = store.toolAt(document)
      if (tool !== undefined) names.push(tool.name)
    }
  }
  return names
}

function isArea(word: string, reader: TextReader): boolean {
  return /^\p{L}{3,20}$/u.test(word) && reader.actionOf(reader.termOf(word)) === 0
}

/** The most frequent first, ties in code-unit order; sorting all of 20,000 owners for a dozen would take 10 ms. */
function mostCommon(counts: ReadonlyMap<string, number>, limit: number): readonly (readonly [string, number])[] {
  const best: (readonly [string, number])[] = []
  for (const entry of counts) {
    const last = best.at(-1)
    if (best.length === limit && last !== undefined && !precedes(entry, last)) continue
    const place = best.findIndex((other) => precedes(entry, other))
    best.splice(place < 0 ? best.length : place, 0, entry)
    if (best.length > limit) best.pop()
  }
  return best
}

function precedes([a, x]: readonly [string, number], [b, y]: readonly [string, number]): boolean {
  return x > y || (x === y && a < b)
}
