import { HOLDINGS_SAMPLED_TOOLS, NOTE_MAX_AREAS, NOTE_MAX_OWNERS } from '../limits.ts'
import type { Tool } from '../../tool.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { SearchPlace } from './search-place.ts'

/** What a view holds, in a sentence for the model that found nothing: owners with most tools, and common words. */
export type DescribeHoldings = (places: readonly SearchPlace[]) => string

export function createDescribeHoldings(reader: TextReader): DescribeHoldings {
  const areasOf = createAreasOf(reader)
  return (places) => {
    const { names, counts, total, ownerCount } = countOwners(places)
    if (total === 0) return 'there are no tools here'
    const named = mostCommon(names, counts, NOTE_MAX_OWNERS).map(([owner, count]) => `${owner} (${count})`)
    const more = ownerCount > NOTE_MAX_OWNERS ? ` and ${ownerCount - NOTE_MAX_OWNERS} more owners` : ''
    const areas = commonAreas(sampledTools(places, HOLDINGS_SAMPLED_TOOLS / total), areasOf)
    const about = areas.length === 0 ? '' : `; words in their names: ${areas.join(', ')}`
    const count = total === 1 ? 'is 1 tool' : `are ${total} tools`
    return `here ${count} of ${named.join(', ')}${more}${about}`
  }
}

interface OwnerCounts {
  /** Name of the owner at a place of `counts`; asked only for those that may be named. */
  readonly names: (place: number) => string
  readonly counts: Uint32Array
  readonly total: number
  readonly ownerCount: number
}

/** By number in typed arrays: by name, fifty thousand tools of as many owners would take milliseconds. */
function countOwners(places: readonly SearchPlace[]): OwnerCounts {
  const starts: number[] = []
  let room = 0
  for (const { store } of places) {
    starts.push(room)
    room += store.owners.capacity()
  }
  const counts = new Uint32Array(room)
  let total = 0
  places.forEach((place, index) => {
    total += countIn(place, counts.subarray(starts[index]))
  })
  const nameAt = (slot: number): string => {
    const index = starts.findLastIndex((start) => start <= slot)
    return places[index]?.store.owners.nameAt(slot - (starts[index] ?? 0)) ?? ''
  }
  // A client may bring tools under an owner that is here already: they are one.
  const [main] = places
  for (let slot = starts[1] ?? room; slot < room; slot += 1) {
    const known = main?.store.owners.numberOf(nameAt(slot))
    if (known === undefined) continue
    counts[known] = (counts[known] ?? 0) + (counts[slot] ?? 0)
    counts[slot] = 0
  }
  return { names: nameAt, counts, total, ownerCount: withTools(counts) }
}

function withTools(counts: Uint32Array): number {
  let owners = 0
  for (let place = 0; place < counts.length; place += 1) if ((counts[place] ?? 0) > 0) owners += 1
  return owners
}

function countIn({ store, accepts }: SearchPlace, counts: Uint32Array): number {
  const end = store.capacity()
  let total = 0
  for (let document = 0; document < end; document += 1) {
    const owner = store.ownerAt(document)
    if (owner < 0 || !accepts(document)) continue
    counts[owner] = (counts[owner] ?? 0) + 1
    total += 1
  }
  return total
}

/** Of a large view a share of the tools is looked at, chosen by id alone, so by and large the same in every view. */
function sampledTools(places: readonly SearchPlace[], share: number): readonly Tool[] {
  const tools: Tool[] = []
  const most = share * 2 ** 32
  for (const { store, accepts } of places) {
    const end = store.capacity()
    for (let document = 0; document < end; document += 1) {
      if (store.orderOf(document) >= most || !accepts(document)) continue
      const tool = store.toolAt(document)
      if (tool !== undefined) tools.push(tool)
    }
  }
  return tools
}

type AreasOf = (tool: Tool) => ReadonlySet<string>

/** Words of a tool's name that say what it is about; kept as long as the tool is, since splitting names is what costs. */
function createAreasOf(reader: TextReader): AreasOf {
  const known = new WeakMap<Tool, ReadonlySet<string>>()
  return (tool) => {
    const found = known.get(tool)
    if (found !== undefined) return found
    const areas = new Set(reader.contentWordsOf(tool.name).filter((word) => isArea(word, reader)))
    known.set(tool, areas)
    return areas
  }
}

function isArea(word: string, reader: TextReader): boolean {
  return /^\p{L}{3,20}$/u.test(word) && reader.actionOf(reader.termOf(word)) === 0
}

/** Words that names have in common. */
function commonAreas(tools: readonly Tool[], areasOf: AreasOf): string[] {
  const found = new Map<string, number>()
  for (const tool of tools) for (const area of areasOf(tool)) found.set(area, (found.get(area) ?? 0) + 1)
  const words = [...found.keys()]
  return mostCommon((place) => words[place] ?? '', Uint32Array.from(found.values()), NOTE_MAX_AREAS)
    .filter(([, count]) => count > 1)
    .map(([word]) => word)
}

/** The most frequent first, ties in code-unit order; sorting all of 20,000 owners for a dozen would take 10 ms. */
function mostCommon(
  nameAt: (place: number) => string,
  counts: Uint32Array,
  limit: number,
): readonly (readonly [string, number])[] {
  const best: (readonly [string, number])[] = []
  let least = 1
  for (let place = 0; place < counts.length; place += 1) {
    const count = counts[place] ?? 0
    if (count < least) continue
    const entry = [nameAt(place), count] as const
    const before = best.findIndex((other) => precedes(entry, other))
    best.splice(before < 0 ? best.length : before, 0, entry)
    if (best.length > limit) best.pop()
    if (best.length === limit) least = best.at(-1)?.[1] ?? least
  }
  return best
}

function precedes([a, x]: readonly [string, number], [b, y]: readonly [string, number]): boolean {
  return x > y || (x === y && a < b)
}
