import type { Segment } from './segment-signs.ts'

/** Begins the name of a feature that is a word, and no sign. */
export const WORD_MARK = '"'
/** A word is known by so many first letters: its endings say little. */
const STEM_LENGTH = 6
/** Numbers, paths, names and addresses are signs by their shape, not words. */
const WORD = /^[a-z][a-z']*$/

/** The words of a segment and each two that stand side by side, by their stems. */
export function segmentWords({ sentence, from, to }: Segment): readonly string[] {
  const stems = sentence.tokens
    .slice(from, to)
    .map(({ word }) => (WORD.test(word) ? word.slice(0, STEM_LENGTH) : NO_WORD))
  const pairs = stems.map((stem, at) => `${stem}_${stems[at + 1] ?? END}`)
  return [...new Set([...stems, ...pairs])]
    .filter((name) => !name.startsWith(NO_WORD))
    .map((name) => `${WORD_MARK}${name}`)
}

const NO_WORD = '#'
const END = '$'
