import type { Postings } from './postings.ts'

/** How much a term tells tools apart: high for a rare one, highest for one that no tool holds. */
export type Rarity = (term: string) => number

export interface RarityDeps {
  readonly postings: Postings
  readonly toolCount: () => number
}

/** Inverse document frequency as in BM25, never negative. Powers of it from 0.8 to 1.4 gained nothing. */
export function createRarity(deps: RarityDeps): Rarity {
  return (term) => {
    const number = deps.postings.numberOf(term)
    const holders = number === undefined ? 0 : deps.postings.countOf(number)
    return Math.log(1 + (deps.toolCount() - holders + 0.5) / (holders + 0.5))
  }
}
