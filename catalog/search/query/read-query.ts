import { QUERY_MAX_STEPS } from '../limits.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { SearchWeights } from '../weights.ts'
import type { Alternative } from './word-resolver.ts'

export interface QueryWord {
  readonly word: string
  readonly term: string
  readonly weight: number
  /** Words of the catalog that an unknown word may have meant, likeliest first. */
  readonly alternatives?: readonly Alternative[]
}

/** A part of the query that asks for one thing. */
export interface QueryStep {
  readonly words: readonly QueryWord[]
}

export interface ReadQueryDeps {
  readonly reader: TextReader
  readonly weights: SearchWeights
}

/** What a text holds as a value, not as a request: quoted text, addresses, paths. */
const LITERAL =
  /"[^"]{1,600}"|“[^”]{1,600}”|(?<![\p{L}\p{N}])'[^']{1,600}'(?![\p{L}\p{N}])|https?:\/\/\S+|\S+@\S+\.\S+|(?<!\S)[~.]?\/\S+/gu
/** Stands around the number of a literal that was taken out; queries cannot hold it, see `readQuery`. */
const MARK = '\u0001'
const SENTENCE_END = /(?<=[.!?;])\s+|\n+|(?<=[。！？；])/u
const LINK =
  /,?\s+(?:and then|then|and also|and finally|and|as well as|plus|after that|before|followed by|also)\s+(?=([a-z]+))/gi

/** Steps in their order, each with its words; values and statements weigh less, grammar and politeness nothing. */
export function readQuery(text: string, deps: ReadQueryDeps): readonly QueryStep[] {
  const literals: string[] = []
  const plain = text.replaceAll(MARK, ' ').replace(LITERAL, (literal) => {
    literals.push(literal)
    return ` ${MARK}${literals.length - 1}${MARK} `
  })
  const steps: QueryWord[][] = []
  for (const part of splitSteps(plain, deps.reader)) {
    const words = wordsOf(part, literals, deps)
    const last = steps.at(-1)
    if (words.length === 0) continue
    // One word alone says too little to be a step.
    if (last !== undefined && (words.length < 2 || steps.length >= QUERY_MAX_STEPS)) last.push(...words)
    else steps.push(words)
  }
  if (steps.length > 0) return steps.map((words) => ({ words: withoutRepeats(words) }))
  const all = deps.reader.wordsOf(text).map((word) => ({ word, term: deps.reader.termOf(word), weight: 1 }))
  return all.length === 0 ? [] : [{ words: withoutRepeats(all) }]
}

function* splitSteps(text: string, reader: TextReader): Generator<string> {
  for (const sentence of text.split(SENTENCE_END)) {
    let start = 0
    for (const link of sentence.matchAll(LINK)) {
      // `bread and butter` is one step; a second one starts with a verb.
      if (reader.actionOf(reader.termOf((link[1] ?? '').toLowerCase())) === 0) continue
      yield sentence.slice(start, link.index)
      start = link.index + link[0].length
    }
    yield sentence.slice(start)
  }
}

function wordsOf(part: string, literals: readonly string[], { reader, weights }: ReadQueryDeps): QueryWord[] {
  const clause = isStatement(part, reader) ? weights.statement : 1
  return part.split(MARK).flatMap((piece, place) => {
    const isLiteral = place % 2 === 1
    const text = isLiteral ? (literals[Number(piece)] ?? '') : piece
    const weight = clause * (isLiteral ? weights.literal : 1)
    return reader.contentWordsOf(text).map((word) => ({ word, term: reader.termOf(word), weight }))
  })
}

const REQUEST =
  /\?\s*$|\b(?:please|can you|could you|would you|will you|i need|i want|i would like|i'd like|help me|let me|give me|show me|tell me|i wish|i am looking|i'm looking)\b/i
const STATEMENT_START = /^\W*(?:my|the|our|i|i'm|i've|we|it|his|her|yes|no|sure|he|she|they|this|there)\b/i

/** `My username is ann.` gives a value or tells why; the request stands elsewhere. */
function isStatement(part: string, reader: TextReader): boolean {
  if (REQUEST.test(part) || !STATEMENT_START.test(part)) return false
  const [first = ''] = /[a-z']+/i.exec(part) ?? []
  return reader.actionOf(reader.termOf(first.toLowerCase())) === 0
}

function withoutRepeats(words: readonly QueryWord[]): QueryWord[] {
  const kept = new Map<string, QueryWord>()
  for (const word of words) {
    const known = kept.get(word.term)
    if (known === undefined || known.weight < word.weight) kept.set(word.term, word)
  }
  return [...kept.values()]
}
