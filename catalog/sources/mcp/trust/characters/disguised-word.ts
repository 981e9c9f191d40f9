import { asciiLookAlike } from '../../../../schema/confusables.ts'
import { nameParts } from '../lexicon/subject.ts'
import type { OddPlace } from './hidden-characters.ts'

const WORD = /[\p{L}\p{M}]+/gu
/** Letters that are drawn as ASCII ones: mathematical, enclosed, full width. */
const DRAWN = /[\u{1d400}-\u{1d7cb}\u{1f130}-\u{1f169}\u{24b6}-\u{24e9}\uff21-\uff5a]{5,}/u
/** Whoever speaks of such letters shows them. */
const SPOKEN_OF =
  /\b(?:homoglyphs?|confusables?|look-?alikes?|mixed[- ]scripts?)\b|\b(?:Cyrillic|Greek) (?:letters?|characters?)\b/i
/** Shorter words are formulas: a Greek letter beside a Latin one. */
const WORD_MIN_LENGTH = 4

/** A word that is read as a Latin one and is spelled with letters of another script, so that no search for it finds it. */
export function findDisguisedWord(text: string): OddPlace | undefined {
  if (/^\p{ASCII}*$/u.test(text) || SPOKEN_OF.test(text)) return undefined
  const drawn = DRAWN.exec(text)
  if (drawn !== null && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)) {
    return placeOf(drawn[0], drawn.index, 'is written in letters that are drawn like common ones')
  }
  const isAmongLatin = latinAround(text)
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const letters = Array.from(word)
    // Cyrillic is in no formula.
    if (letters.length < WORD_MIN_LENGTH && !/\p{Script=Cyrillic}/u.test(word)) continue
    const ascii = letters.filter((letter) => /[A-Za-z]/.test(letter)).length
    const alike = letters.filter(
      (letter) => !/\p{Script=Latin}/u.test(letter) && asciiLookAlike(letter) !== undefined,
    ).length
    if (alike > 0 && ascii > 0) return placeOf(word, index, 'mixes letters of two scripts that look alike')
    if (alike === letters.length && alike >= WORD_MIN_LENGTH && isAmongLatin(index, index + word.length)) {
      return placeOf(word, index, 'is a word of another script that looks like a Latin one')
    }
  }
  return undefined
}

/** A name that is written with other forms of common letters, and is read as if it were not. */
export function findDisguisedName(name: string): OddPlace | undefined {
  const read = name.normalize('NFKC')
  if (!/^\p{ASCII}+$/u.test(read)) return undefined
  if (read !== name) return placeOf(name, 0, `is read as "${read}" and is not spelled so`)
  const word = nameParts(name).flatMap((part) => wordWithDigits(part) ?? [])[0]
  return word === undefined ? undefined : placeOf(name, 0, `is read as if it had "${word}" and is not spelled so`)
}

/** Words that names of tools are made of, and that a digit within does not make another word of: `file1` is no `files`. */
const NAMED = new Set(
  'file files email mail gmail read write list delete create search issue issues tool tools login password pull push clone calendar slack github google paypal wallet transfer update upload download execute secret invoice message messages query repository calculator payment bitcoin token tokens shell terminal outlook'.split(
    ' ',
  ),
)
const DRAWN_AS: readonly (readonly [RegExp, string])[] = [
  [/1/g, 'l'],
  [/1/g, 'i'],
]

/** The word that a part of a name is taken for, with its digits for letters: `fi1e`, `passw0rd`. */
function wordWithDigits(part: string): string | undefined {
  if (!/^[a-z]+[013][a-z013]*$/.test(part)) return undefined
  const letters = part.replace(/0/g, 'o').replace(/3/g, 'e')
  return DRAWN_AS.map(([digit, letter]) => letters.replace(digit, letter)).find((word) => NAMED.has(word))
}

function placeOf(word: string, start: number, reason: string): OddPlace {
  return { start, end: start + word.length, reason }
}

const OTHER_PAIR = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]{2}/u
/** Each of them, also where they overlap. */
const OTHER_PAIRS = new RegExp(`(?=(${OTHER_PAIR.source}))`, 'gu')

/**
 * Whether what stands around a word without Latin letters is Latin text: in Russian some words look Latin, and mean
 * nothing by it. The text is looked through once, however many of its words are asked for.
 */
function latinAround(text: string): (start: number, end: number) => boolean {
  let pairs: Pairs | undefined
  return (start, end) => {
    pairs ??= /[A-Za-z]{3}/.test(text) ? pairsOf(text) : 'no Latin'
    if (pairs === 'no Latin' || pairs.firstEnd <= start || pairs.lastStart >= end) return false
    return !OTHER_PAIR.test(text.slice(Math.max(0, start - 2), start) + text.slice(end, end + 2))
  }
}

type Pairs = 'no Latin' | { readonly firstEnd: number; readonly lastStart: number }

function pairsOf(text: string): Pairs {
  let firstEnd = Infinity
  let lastStart = -1
  for (const { 1: pair = '', index } of text.matchAll(OTHER_PAIRS)) {
    firstEnd = Math.min(firstEnd, index + pair.length)
    lastStart = index
  }
  return { firstEnd, lastStart }
}
