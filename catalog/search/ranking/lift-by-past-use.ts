import type { ToolStore } from '../index/tool-store.ts'
import type { PastUse } from '../learning/past-queries.ts'
import type { SearchWeights } from '../weights.ts'
import { ownerKey } from './owner-key.ts'
import type { Ranked } from './rerank.ts'

export interface Lift {
  /** What past use adds to the score. */
  readonly learned: number
  /** Whether the tool itself was called, not only others of its owner. */
  readonly isTaught: boolean
}

export const NO_LIFT: Lift = { learned: 0, isTaught: false }

export interface LiftDeps {
  readonly store: ToolStore
  readonly weights: SearchWeights
}

/**
 * What past queries add to each document. The more of the query the best tool holds by its own words, the less a query
 * that is merely like it counts. Tools of the same owner share in it as far as they fit the query themselves: who asked
 * for one of them may now ask for its neighbour that nobody has called yet, and the query's own words then decide
 * between the two.
 */
export function liftByPastUse(
  ranked: readonly Ranked[],
  taught: ReadonlyMap<number, PastUse>,
  { store, weights }: LiftDeps,
): ReadonlyMap<number, Lift> {
  const lifts = new Map<number, Lift>()
  if (taught.size === 0) return lifts
  const best = ranked.reduce<Ranked | undefined>(
    (most, one) => (one.score > (most?.score ?? 0) ? one : most),
    undefined,
  )
  // Where no text matches at all, past use alone decides, and any scale will do.
  const top = best?.score ?? 1
  const doubt = weights.learnedLessIfHeld * (best?.evidence ?? 0) ** 2
  const byOwner = new Map<string, number>()
  // Numbers first: a hundred keys made of letters would take a tenth of the search.
  const owners = new Set<number>()
  for (const [document, { gain, likest }] of taught) {
    const learned = weights.learned * top * gain * (1 - doubt * (1 - likest ** 2))
    lifts.set(document, { learned, isTaught: true })
    const owner = ownerOf(document, store)
    owners.add(store.ownerAt(document))
    byOwner.set(owner, Math.max(byOwner.get(owner) ?? 0, learned))
  }
  for (const { document, score } of ranked) {
    if (!owners.has(store.ownerAt(document))) continue
    const shared = weights.learnedByOwner * (byOwner.get(ownerOf(document, store)) ?? 0) * (score / top) ** 2
    const { learned, isTaught } = lifts.get(document) ?? NO_LIFT
    if (shared > learned) lifts.set(document, { learned: shared, isTaught })
  }
  return lifts
}

function ownerOf(document: number, store: ToolStore): string {
  const tool = store.toolAt(document)
  return tool === undefined ? '' : ownerKey(tool)
}
