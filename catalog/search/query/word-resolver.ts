import { Index } from 'flexsearch'
import { editDistance } from '../../edit-distance.ts'
import {
  RESOLVE_MAX_ALTERNATIVES,
  RESOLVE_MAX_CHARACTERS,
  RESOLVE_MAX_PROPOSALS,
  RESOLVE_MIN_CHARACTERS,
  RESOLVE_MIN_TRIPLES,
  RESOLVE_TRIPLE_MAX_SHARE,
} from '../limits.ts'
import { slipsAllowed } from './slips-allowed.ts'

/** A word of the catalog that an unknown word may have meant. */
export interface Alternative {
  readonly word: string
  /** 0 to 1: how sure. */
  readonly weight: number
}

export type Resolved =
  | { readonly kind: 'instead'; readonly alternatives: readonly Alternative[] }
  | { readonly kind: 'split'; readonly parts: readonly string[] }
  | { readonly kind: 'none' }

/** Finds words of the catalog for words that it does not hold: mistyped, cut short, run together. */
export interface WordResolver {
  add(word: string): void
  size(): number
  /** `isHeld` says whether a tool of the view holds the word: words of other views are never proposed. */
  resolve(word: string, isHeld: (word: string) => boolean): Resolved
}

/**
 * FlexSearch over the words of the catalog, not over its tools: it finds the words that share most letter triples,
 * which its own `tolerant` tokenizer does too, but at a tenth of the memory and for more than one slip.
 */
export function createWordResolver(): WordResolver {
  const holders = new Map<string, number>()
  const words: string[] = []
  const letters: number[] = []
  const known = new Set<string>()
  let isAsked = false
  const encode = (word: string): string[] => (isAsked ? tellingTriples(word, holders, words.length) : triplesOf(word))
  const index = new Index({ encode, tokenize: 'strict', resolution: 1, cache: false })
  const propose = (word: string): readonly (string | number)[] => {
    isAsked = true
    const proposed = index.search(word, { limit: RESOLVE_MAX_PROPOSALS, suggest: true })
    isAsked = false
    return proposed
  }
  return {
    add(word) {
      if (known.has(word) || !isResolvable(word)) return
      known.add(word)
      index.add(words.length, word)
      for (const triple of new Set(triplesOf(word))) holders.set(triple, (holders.get(triple) ?? 0) + 1)
      words.push(word)
      letters.push(lettersOf(word))
    },
    size: () => words.length,
    resolve(word, isHeld) {
      if (!isResolvable(word)) return { kind: 'none' }
      const asked = { word, letters: lettersOf(word) }
      const alternatives = propose(word)
        .map((place) => ({ word: words[Number(place)] ?? '', letters: letters[Number(place)] ?? 0 }))
        .map((other) => ({ word: other.word, weight: likeness(asked, other) }))
        .filter((other) => other.weight > 0 && isHeld(other.word))
        .toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
        .slice(0, RESOLVE_MAX_ALTERNATIVES)
      return alternatives.length > 0 ? { kind: 'instead', alternatives } : splitInTwo(word, isHeld)
    },
  }
}

function isResolvable(word: string): boolean {
  return word.length >= RESOLVE_MIN_CHARACTERS && word.length <= RESOLVE_MAX_CHARACTERS && /^\p{L}+$/u.test(word)
}

/**
 * Those that few enough words hold, or the rarest where these are too few: `ion` and `ing` tell nothing, and their long
 * lists are what an answer costs.
 */
function tellingTriples(word: string, holders: ReadonlyMap<string, number>, count: number): string[] {
  const countOf = (triple: string): number => holders.get(triple) ?? 0
  const held = triplesOf(word)
    .filter((triple) => holders.has(triple))
    .toSorted((a, b) => countOf(a) - countOf(b))
  const most = count * RESOLVE_TRIPLE_MAX_SHARE
  return held.filter((triple, place) => place < RESOLVE_MIN_TRIPLES || countOf(triple) <= most)
}

/** Triples of letters, the ends marked. */
function triplesOf(word: string): string[] {
  const marked = `^${word}$`
  return Array.from({ length: marked.length - 2 }, (_, place) => marked.slice(place, place + 3))
}

const SLIP_COST = 0.25
const PREFIX_WEIGHT = 0.75

interface Lettered {
  readonly word: string
  /** See `lettersOf`. */
  readonly letters: number
}

function likeness(asked: Lettered, known: Lettered): number {
  // The longer the part that is there, the surer.
  const byPrefix = known.word.startsWith(asked.word)
    ? PREFIX_WEIGHT * Math.sqrt(asked.word.length / known.word.length)
    : 0
  return Math.max(bySlips(asked, known), byPrefix)
}

function bySlips(asked: Lettered, known: Lettered): number {
  const limit = slipsAllowed(asked.word.length)
  // A slip brings in or takes out one letter at most; nine of ten proposals end here, before the distance is counted.
  if (lettersMissing(asked.letters, known.letters) > limit || lettersMissing(known.letters, asked.letters) > limit)
    return 0
  const slips = editDistance(asked.word, known.word, limit)
  return slips <= limit ? 1 - SLIP_COST * slips : 0
}

/** The letters of a word as bits, several letters sharing one: what is missing here is missing. */
function lettersOf(word: string): number {
  let bits = 0
  for (let place = 0; place < word.length; place += 1) bits |= 1 << (word.charCodeAt(place) & 31)
  return bits
}

function lettersMissing(of: number, from: number): number {
  let count = 0
  for (let bits = of & ~from; bits !== 0; bits &= bits - 1) count += 1
  return count
}

/** `siteslist` → sites, list: the cut whose shorter half is longest. */
function splitInTwo(word: string, isHeld: (word: string) => boolean): Resolved {
  const cuts = Array.from({ length: word.length - 1 }, (_, place) => place + 1)
    .filter((cut) => Math.min(cut, word.length - cut) >= RESOLVE_MIN_CHARACTERS)
    .toSorted((a, b) => Math.min(b, word.length - b) - Math.min(a, word.length - a))
  for (const cut of cuts) {
    const [left, right] = [word.slice(0, cut), word.slice(cut)]
    if (isHeld(left) && isHeld(right)) return { kind: 'split', parts: [left, right] }
  }
  return { kind: 'none' }
}
