import { stemmer } from 'stemmer'
import { STEM_CACHE_MAX_WORDS } from '../limits.ts'
import { BASE_FORMS } from './word-forms.ts'

/** The term that a word is indexed and asked under. */
export type TermOf = (word: string) => string

const ENGLISH_WORD = /^[a-z]+$/

export function createTermOf(): TermOf {
  const known = new Map<string, string>()
  return (word) => {
    const cached = known.get(word)
    if (cached !== undefined) return cached
    if (known.size >= STEM_CACHE_MAX_WORDS) known.clear()
    const base = BASE_FORMS.get(word) ?? word
    const term = ENGLISH_WORD.test(base) ? stemmer(base) : base
    known.set(word, term)
    return term
  }
}
