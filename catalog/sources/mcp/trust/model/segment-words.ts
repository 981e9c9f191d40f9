import type { Segment } from './segment-signs.ts'

/** Begins the name of a feature that is no sign. */
export const WORD_MARK = '"'
/** A word is known by so many first letters: its endings say little. */
const STEM_LENGTH = 6
/** Letters of one part of a word, its beginning and end among them: a new word has parts of known ones. */
const PART_LENGTH = 5
/** Words from one to the next of a pair. */
const PAIR_REACH = 3
/** Words from one to a sign beside it. */
const SIGN_REACH = 2
/** Numbers, paths, names and addresses are signs by their shape, not words. */
const WORD = /^[a-z][a-z']*$/

/** The words of a segment by their stems, their parts, each two that stand near, and each with the signs beside it. */
export function segmentWords(
  { sentence, from, to }: Segment,
  signsOfWords: readonly (readonly string[])[],
): readonly string[] {
  const words = sentence.tokens.slice(from, to).map(({ word }) => (WORD.test(word) ? word : undefined))
  const stems = words.map((word) => word?.slice(0, STEM_LENGTH) ?? NO_WORD)
  const found = new Set<string>()
  for (const [at, stem] of stems.entries()) {
    if (stem !== NO_WORD) found.add(`"${stem}`).add(`"${stem}_${stems[at + 1] ?? END}`)
    const word = words[at]
    if (word !== undefined) addParts(word, found)
    for (let next = at + 1; next <= at + PAIR_REACH && next < stems.length; next += 1) {
      if (next > at + 1) found.add(`"${stem}~${stems[next]}`)
      if (next > at + SIGN_REACH) continue
      for (const sign of signsOfWords[at] ?? []) found.add(`"${sign}>${stems[next]}`)
      for (const sign of signsOfWords[next] ?? []) found.add(`"${stem}<${sign}`)
    }
  }
  return [...found]
}

const NO_WORD = '#'
const END = '$'

function addParts(word: string, found: Set<string>): void {
  const bounded = `${word}$`
  for (let at = 0; at + PART_LENGTH <= bounded.length; at += 1)
    found.add(`"%${at === 0 ? '^' : ''}${bounded.slice(at, at + PART_LENGTH)}`)
}
