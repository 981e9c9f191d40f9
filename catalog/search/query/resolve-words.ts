import { RESOLVE_MAX_QUERY_WORDS, RESOLVE_MAX_WORDS } from '../limits.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { QueryStep, QueryWord } from './read-query.ts'
import type { WordResolver } from './word-resolver.ts'

export interface ResolveDeps {
  readonly resolver: WordResolver
  readonly reader: TextReader
  /** Whether a tool of the caller's view holds the term. */
  readonly isHeld: (term: string) => boolean
}

/** Gives the words of a short query that no tool of the view holds the words that they may have meant. */
export function resolveWords(steps: readonly QueryStep[], deps: ResolveDeps): readonly QueryStep[] {
  const count = steps.reduce((sum, step) => sum + step.words.length, 0)
  if (count > RESOLVE_MAX_QUERY_WORDS) return steps
  let budget = RESOLVE_MAX_WORDS
  const resolve = (word: QueryWord): readonly QueryWord[] => {
    if (budget === 0 || deps.isHeld(word.term)) return [word]
    budget -= 1
    const found = deps.resolver.resolve(word.word, (other) => deps.isHeld(deps.reader.termOf(other)))
    if (found.kind === 'none') return [word]
    if (found.kind === 'instead') return [{ ...word, alternatives: found.alternatives }]
    return found.parts.map((part) => ({ word: part, term: deps.reader.termOf(part), weight: word.weight }))
  }
  return steps.map((step) => ({ words: step.words.flatMap(resolve) }))
}
