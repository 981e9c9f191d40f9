import { createTextReader } from '../../../catalog/search/text/text-reader.ts'
import type { Dataset } from './dataset.ts'

const QUERIES = 300
const WORDS_MOST = 4
/** Shorter halves make words that are hard to tell from any other. */
const WORD_MIN_CHARACTERS = 4
/** Odd numbers far apart, so that neighbours in the list of words do not meet. */
const STRIDE = 7_919
/** As no language writes them: neither like a word nor made of known parts. */
const NONSENSE = ['zzqy blorft qwxk', 'flarbnax', 'snorvig plumtrex']

/**
 * Queries made only of words that no tool holds: beginnings of the data set's own words with the ends of others, so that
 * the resolver has as much to look through as with a slip, and often finds nothing.
 */
export function unknownQueries(data: Dataset): readonly string[] {
  const reader = createTextReader()
  const held = new Set(
    data.tools.flatMap(({ tool }) => reader.wordsOf(`${tool.owner} ${tool.name} ${tool.description}`)),
  )
  const words = [...held].filter((word) => /^[a-z]+$/.test(word) && word.length >= WORD_MIN_CHARACTERS).toSorted()
  const unknown = words
    .map((word, place) => crossed(word, words[(place * STRIDE + STRIDE) % words.length] ?? ''))
    .filter((word) => !held.has(word))
  const made = Array.from({ length: QUERIES }, (_, place) =>
    Array.from(
      { length: 1 + (place % WORDS_MOST) },
      (_word, part) => unknown[((place * WORDS_MOST + part) * STRIDE) % unknown.length],
    ),
  )
  return [...NONSENSE, ...made.map((parts) => parts.join(' '))]
}

function crossed(first: string, second: string): string {
  return first.slice(0, Math.ceil(first.length / 2)) + second.slice(Math.floor(second.length / 2))
}
