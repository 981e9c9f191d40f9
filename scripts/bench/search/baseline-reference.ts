import type { Tool } from '../../../catalog/tool.ts'
import { BASELINE_FIELDS, baselineFields } from './baseline-texts.ts'
import type { EngineMaker } from './engine.ts'

const SATURATION = 1.2
const LENGTH_NORM = 0.75
const SYNONYM_WEIGHT = 0.35

const SYNONYMS: readonly (readonly string[])[] = [
  ['delete', 'remove', 'erase'],
  ['create', 'add', 'new'],
  ['get', 'fetch', 'read', 'retrieve'],
  ['find', 'search', 'lookup'],
  ['update', 'edit', 'modify', 'change'],
  ['send', 'mail', 'message'],
  ['list', 'show'],
  ['file', 'document'],
  ['run', 'execute'],
]

/** The reference's kind of ranking, written anew: BM25 over one text a tool, a light stemmer, few synonyms. */
export const referenceEngine: EngineMaker = {
  name: 'reference',
  build(tools) {
    const documents = tools.map(termCounts)
    const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / tools.length
    const holders = new Map<string, number[]>()
    documents.forEach(({ counts }, place) => {
      for (const term of counts.keys()) {
        const places = holders.get(term)
        if (places === undefined) holders.set(term, [place])
        else places.push(place)
      }
    })
    const scoreTerm = (term: string, weight: number, scores: Map<number, number>): void => {
      const places = holders.get(term) ?? []
      const rarity = Math.log(1 + (tools.length - places.length + 0.5) / (places.length + 0.5))
      for (const place of places) {
        const { counts, length } = documents[place] ?? EMPTY
        const count = counts.get(term) ?? 0
        const norm = SATURATION * (1 - LENGTH_NORM + (LENGTH_NORM * length) / meanLength)
        const gain = (rarity * count * (SATURATION + 1)) / (count + norm)
        scores.set(place, (scores.get(place) ?? 0) + weight * gain)
      }
    }
    return {
      search(query, limit) {
        const scores = new Map<number, number>()
        const terms = new Set(termsOf(query))
        for (const term of terms) scoreTerm(term, 1, scores)
        for (const term of terms) {
          for (const other of synonymsOf(term)) if (!terms.has(other)) scoreTerm(other, SYNONYM_WEIGHT, scores)
        }
        return [...scores]
          .toSorted(([a, x], [b, y]) => y - x || a - b)
          .slice(0, limit)
          .map(([place]) => tools[place]?.id ?? '')
      },
    }
  },
}

const EMPTY: { readonly counts: ReadonlyMap<string, number>; readonly length: number } = {
  counts: new Map(),
  length: 0,
}

function termCounts(tool: Tool): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const fields = baselineFields(tool)
  const terms = termsOf(BASELINE_FIELDS.map((field) => fields[field]).join(' '))
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, length: terms.length }
}

function termsOf(text: string): string[] {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return (spaced.match(/[a-z0-9]+/g) ?? []).map(lightStem)
}

function lightStem(word: string): string {
  for (const ending of ['ing', 'ies', 'es', 'ed', 's']) {
    if (word.endsWith(ending) && word.length - ending.length >= 3) return word.slice(0, -ending.length)
  }
  return word
}

function synonymsOf(term: string): readonly string[] {
  return SYNONYMS.filter((group) => group.map(lightStem).includes(term)).flatMap((group) => group.map(lightStem))
}
