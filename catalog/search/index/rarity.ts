import type { Postings } from './postings.ts'

/** How much a term tells tools apart: high for a rare one, highest for one that no tool holds. */
export type Rarity = (term: string) => number

/** The same of a term that is known by its number in some postings, which saves looking it up by its letters. */
export type RarityAt = (postings: Postings, number: number) => number

export interface RarityDeps {
  readonly postings: Postings
  readonly toolCount: () => number
}

/** Inverse document frequency as in BM25, never negative. Powers of it from 0.8 to 1.4 gained nothing. */
export function createRarity(deps: RarityDeps): Rarity {
  return (term) => {
    const number = deps.postings.numberOf(term)
    return rarityOf(number === undefined ? 0 : deps.postings.countOf(number), deps.toolCount())
  }
}

/** Numbers of a client's own tools are not the index's, so their terms are looked up. */
export function createRarityAt(deps: RarityDeps): RarityAt {
  const rarity = createRarity(deps)
  return (postings, number) =>
    postings === deps.postings ? rarityOf(postings.countOf(number), deps.toolCount()) : rarity(postings.termAt(number))
}

function rarityOf(holders: number, tools: number): number {
  return Math.log(1 + (tools - holders + 0.5) / (holders + 0.5))
}
