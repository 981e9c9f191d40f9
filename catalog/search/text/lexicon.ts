import { SYNONYM_GROUPS } from './synonym-groups.ts'

/** Other terms of the field that a term may stand for. */
export type Lexicon = (term: string) => readonly string[]

export function createLexicon(termOf: (word: string) => string): Lexicon {
  const neighbours = new Map<string, Set<string>>()
  for (const line of SYNONYM_GROUPS.trim().split('\n')) {
    const terms = [...new Set(line.split(' ').map(termOf))]
    for (const term of terms) {
      const known = neighbours.get(term) ?? new Set<string>()
      for (const other of terms) if (other !== term) known.add(other)
      neighbours.set(term, known)
    }
  }
  const lists = new Map([...neighbours].map(([term, others]) => [term, [...others]] as const))
  return (term) => lists.get(term) ?? []
}
