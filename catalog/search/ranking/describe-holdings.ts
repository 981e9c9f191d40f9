import type { Tool } from '../../tool.ts'
import { NOTE_MAX_AREAS, NOTE_MAX_OWNERS } from '../limits.ts'
import type { TextReader } from '../text/text-reader.ts'

/** What a view holds, in a sentence for the model that found nothing: owners with most tools, and common nouns. */
export function describeHoldings(tools: readonly Tool[], reader: TextReader): string {
  if (tools.length === 0) return 'there are no tools here'
  const owners = mostCommon(tools.map((tool) => tool.owner))
  const areas = mostCommon(
    tools.flatMap((tool) => [...new Set(reader.contentWordsOf(tool.name))].filter((word) => isArea(word, reader))),
  ).filter(([, count]) => count > 1)
  const named = owners.slice(0, NOTE_MAX_OWNERS).map(([owner, count]) => `${owner} (${count})`)
  const more = owners.length > NOTE_MAX_OWNERS ? ` and ${owners.length - NOTE_MAX_OWNERS} more owners` : ''
  const words = areas.slice(0, NOTE_MAX_AREAS).map(([word]) => word)
  const about = words.length === 0 ? '' : `; words in their names: ${words.join(', ')}`
  return `here are ${tools.length} tools of ${named.join(', ')}${more}${about}`
}

function isArea(word: string, reader: TextReader): boolean {
  return /^\p{L}{3,20}$/u.test(word) && reader.actionOf(reader.termOf(word)) === 0
}

/** Most frequent first, ties in code-unit order. */
function mostCommon(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}
