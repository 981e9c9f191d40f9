import type { TextReader } from '../text/text-reader.ts'

export interface QueryWord {
  readonly word: string
  readonly term: string
  readonly weight: number
}

/** A part of the query that asks for one thing. */
export interface QueryStep {
  readonly words: readonly QueryWord[]
}

export function readQuery(text: string, reader: TextReader): readonly QueryStep[] {
  const words = reader.contentWordsOf(text)
  const all = words.length > 0 ? words : reader.wordsOf(text)
  const counts = new Map<string, QueryWord>()
  for (const word of all) {
    const term = reader.termOf(word)
    if (!counts.has(term)) counts.set(term, { word, term, weight: 1 })
  }
  return [{ words: [...counts.values()] }]
}
