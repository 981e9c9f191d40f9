import { SEGMENT_MAX_CHARACTERS } from '../limits.ts'

/** Splits text into lower-case words: at case changes, digits, punctuation; diacritics folded; CJK by dictionary. */
export type SplitWords = (text: string) => string[]

const ASCII_ONLY = /^\p{ASCII}*$/u
const ASCII_RUN = /[A-Za-z0-9]+/g
const ANY_RUN = /[\p{L}\p{N}\p{M}]+/gu
/** `HTTPServer` → HTTP, Server; `mp3` is left to `splitRun`. */
const CASE_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g
const ANY_CASE_PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+|\p{L}+/gu
const LATIN_MARKS = /[\u0300-\u036f]+/g
/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const APOSTROPHE_ENDING = /['’](?:s|t|re|ve|ll|d|m)\b/gi
/** Letters with digits in them up to this length are one word: mp3, s3, h264, oauth2. */
const MIXED_MAX_CHARACTERS = 6

export function createSplitWords(): SplitWords {
  // Made once: a segmenter loads its dictionary, which takes milliseconds.
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
  return (text) => {
    const words: string[] = []
    if (ASCII_ONLY.test(text)) {
      const plain = text.includes("'") ? text.replace(APOSTROPHE_ENDING, ' ') : text
      for (const run of plain.match(ASCII_RUN) ?? []) splitRun(run, CASE_PART, words)
      return words
    }
    for (const run of fold(text).match(ANY_RUN) ?? []) {
      if (UNSPACED.test(run)) segmentRun(run, segmenter, words)
      else splitRun(run, ANY_CASE_PART, words)
    }
    return words
  }
}

/** Full-width forms become plain, `é` becomes `e`; marks of other scripts carry meaning and stay. */
function fold(text: string): string {
  const plain = text.replace(APOSTROPHE_ENDING, ' ').normalize('NFKC')
  return plain.normalize('NFD').replace(LATIN_MARKS, '').normalize('NFC')
}

function splitRun(run: string, casePart: RegExp, words: string[]): void {
  const lower = run.toLowerCase()
  const parts = run.match(casePart) ?? []
  if (parts.length <= 1) {
    words.push(lower)
    return
  }
  const isMixed = run.length <= MIXED_MAX_CHARACTERS && /\d/.test(run)
  if (isMixed) {
    words.push(lower)
    return
  }
  for (const part of parts) words.push(part.toLowerCase())
  // `YouTube` is also `youtube`, `GitHub` is also `github`.
  if (parts.length === 2 && !/\d/.test(run)) words.push(lower)
}

/** Words by dictionary, and pairs of characters, since the dictionary may cut query and description differently. */
function segmentRun(run: string, segmenter: Intl.Segmenter, words: string[]): void {
  const bounded = run.slice(0, SEGMENT_MAX_CHARACTERS)
  for (const { segment, isWordLike } of segmenter.segment(bounded)) {
    if (isWordLike === true) words.push(segment.toLowerCase())
  }
  const characters = Array.from(bounded)
  for (let index = 0; index + 1 < characters.length; index += 1) {
    words.push(`${characters[index] ?? ''}${characters[index + 1] ?? ''}`)
  }
}
