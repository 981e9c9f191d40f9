import { squash } from './index/name-table.ts'
import { SUGGEST_CANDIDATES, SUGGEST_MAX_CHARACTERS } from './limits.ts'
import type { SearchIndex } from './search-index.ts'

/** Share of letter pairs that a name must have in common with what was asked; below it nobody meant that name. */
const LIKENESS_FLOOR = 0.4

/** Ids that a mistyped id or name may have meant, likest first; none rather than a guess out of the blue. */
export function createSuggestIds(search: SearchIndex['search']): SearchIndex['suggest'] {
  return (selector, { limit, accept }) => {
    const asked = selector.slice(0, SUGGEST_MAX_CHARACTERS)
    const parts = asked.split(':')
    const name = parts.at(-1) ?? ''
    // The owner helps to find the tool, the source is part of every id and does not.
    const query = parts.slice(parts.length > 2 ? 1 : 0).join(' ')
    const { hits } = search(query, { limit: SUGGEST_CANDIDATES, accept })
    const byName = search(name, { limit: SUGGEST_CANDIDATES, accept }).hits
    return likestIds(
      asked,
      [...hits, ...byName].map((hit) => hit.id),
    ).slice(0, limit)
  }
}

/** Those of the ids that somebody may have meant by a selector, likest first. */
export function likestIds(selector: string, ids: readonly string[]): readonly string[] {
  const asked = selector.slice(0, SUGGEST_MAX_CHARACTERS)
  const name = nameOf(asked)
  return [...new Set(ids)]
    .map((id) => ({ id, likeness: Math.max(likeness(name, nameOf(id)), likeness(asked, id)) }))
    .filter((candidate) => candidate.likeness >= LIKENESS_FLOOR)
    .toSorted((a, b) => b.likeness - a.likeness || (a.id < b.id ? -1 : 1))
    .map((candidate) => candidate.id)
}

function nameOf(id: string): string {
  return id.split(':').at(-1) ?? ''
}

/** Dice's coefficient over pairs of letters, the ends marked: 1 for equal texts, 0 for nothing in common. */
function likeness(a: string, b: string): number {
  const left = pairsOf(a)
  const right = pairsOf(b)
  let common = 0
  for (const pair of left) if (right.has(pair)) common += 1
  return (2 * common) / (left.size + right.size)
}

function pairsOf(text: string): ReadonlySet<string> {
  const marked = `^${squash(text)}$`
  return new Set(Array.from({ length: marked.length - 1 }, (_, place) => marked.slice(place, place + 2)))
}
