import { FIRST_PAGE_HITS, VARIED_CANDIDATES } from '../limits.ts'
import type { PlannedWord } from '../query/plan-query.ts'
import type { SearchWeights } from '../weights.ts'
import type { Found } from './search-place.ts'

/**
 * Puts the first page together hit by hit: a hit that holds only words that those before it hold already has to wait,
 * so that a request for two things is not answered by ten tools for one. What the query names keeps its place, and
 * what past use adds is not discounted.
 */
export function varyPage(
  ordered: readonly Found[],
  words: readonly PlannedWord[],
  weights: SearchWeights,
): readonly Found[] {
  const waiting = ordered.slice(0, VARIED_CANDIDATES)
  const worth = Float64Array.from(words, (word) => word.importance)
  const page: Found[] = []
  while (page.length < FIRST_PAGE_HITS && waiting.length > 0) {
    const scores = waiting.map((found) => discounted(found, { worth, words, weights }))
    const place = bestPlace(waiting, scores)
    const [chosen] = waiting.splice(place, 1)
    if (chosen === undefined) break
    page.push({ ...chosen, score: scores[place] ?? chosen.score })
    for (const word of chosen.holds) worth[word] = (worth[word] ?? 0) * weights.coveredAgain
  }
  return [...page, ...waiting, ...ordered.slice(VARIED_CANDIDATES)]
}

interface Covered {
  /** By word of the query: what it still counts. */
  readonly worth: Float64Array
  readonly words: readonly PlannedWord[]
  readonly weights: SearchWeights
}

function discounted({ score, learned, holds }: Found, { worth, words, weights }: Covered): number {
  let all = 0
  let fresh = 0
  for (const word of holds) {
    all += words[word]?.importance ?? 0
    fresh += worth[word] ?? 0
  }
  const covered = all === 0 ? 0 : 1 - fresh / all
  return learned + (score - learned) * (1 - weights.alreadyCovered * covered)
}

function bestPlace(waiting: readonly Found[], scores: readonly number[]): number {
  let best = 0
  for (let place = 1; place < waiting.length; place += 1) {
    const surer = (waiting[place]?.nameFit ?? 0) - (waiting[best]?.nameFit ?? 0)
    // Of equals the one that stood first.
    if (surer > 0 || (surer === 0 && (scores[place] ?? 0) > (scores[best] ?? 0))) best = place
  }
  return best
}
