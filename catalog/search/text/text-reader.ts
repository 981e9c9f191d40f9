import type { ActionOf } from './actions.ts'
import { createActionOf, createIsGenericVerb } from './actions.ts'
import type { Lexicon } from './lexicon.ts'
import { createLexicon } from './lexicon.ts'
import { createSplitWords } from './split-words.ts'
import { STOP_WORDS } from './stop-words.ts'
import { createTermOf } from './term-of.ts'

/** How text becomes terms; the same for tools and for queries. */
export interface TextReader {
  wordsOf(text: string): string[]
  /** Without the joined form that `getWeather` has beside its parts: such words are found by the name as a whole. */
  plainWordsOf(text: string): string[]
  termOf(word: string): string
  /** Without stop words. */
  contentWordsOf(text: string): string[]
  termsOf(text: string): string[]
  allTermsOf(text: string): string[]
  readonly synonymsOf: Lexicon
  readonly actionOf: ActionOf
  isGenericVerb(term: string): boolean
}

export function createTextReader(): TextReader {
  const wordsOf = createSplitWords()
  const termOf = createTermOf()
  const contentWordsOf = (text: string): string[] => wordsOf(text).filter((word) => !STOP_WORDS.has(word))
  return {
    wordsOf,
    plainWordsOf: (text) => withoutJoined(wordsOf(text)),
    termOf,
    contentWordsOf,
    termsOf: (text) => contentWordsOf(text).map(termOf),
    allTermsOf: (text) => wordsOf(text).map(termOf),
    synonymsOf: createLexicon(termOf),
    actionOf: createActionOf(termOf),
    isGenericVerb: createIsGenericVerb(termOf),
  }
}

function withoutJoined(words: readonly string[]): string[] {
  return words.filter((word, place) => place < 2 || word !== `${words[place - 2] ?? ''}${words[place - 1] ?? ''}`)
}
