import { FIELDS, toolTexts } from '../index/tool-texts.ts'
import { EXPLAIN_MAX_PARTS } from '../limits.ts'
import type { QueryPlan } from '../query/plan-query.ts'
import type { HitReason } from '../search-index.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { SearchWeights } from '../weights.ts'
import { NAME_FIT } from './name-fit.ts'
import type { Found } from './search-place.ts'

export interface ExplainDeps {
  readonly reader: TextReader
  readonly weights: SearchWeights
}

/** Which terms of which fields brought a hit, the strongest first; scores are shares of the same scale as each other. */
export function explainHit(found: Found, plan: QueryPlan, deps: ExplainDeps): readonly HitReason[] {
  const texts = toolTexts(found.tool)
  const reasons: HitReason[] = []
  for (const field of FIELDS) {
    const terms = new Set(deps.reader.allTermsOf(texts[field]))
    for (const word of plan.words) {
      const match = word.terms.find(({ term }) => terms.has(term))
      if (match === undefined) continue
      const score = round(match.weight * deps.weights.field[field])
      // A synonym says which word it stands for.
      const term = match.term === word.term ? match.term : `${match.term} (for ${word.term})`
      if (score > 0) reasons.push({ field, term, score })
    }
  }
  const strongest = reasons.toSorted((a, b) => b.score - a.score).slice(0, EXPLAIN_MAX_PARTS)
  return [...nameReasons(found), ...learnedReasons(found), ...strongest]
}

function nameReasons(found: Found): readonly HitReason[] {
  switch (found.nameFit) {
    case NAME_FIT.exact:
      return [{ field: 'id or name', term: 'exactly as asked', score: 1 }]
    case NAME_FIT.squashed:
      return [{ field: 'name', term: 'the same letters', score: 1 }]
    case NAME_FIT.near:
      return [{ field: 'name', term: 'one slip away', score: 1 }]
    case NAME_FIT.none:
      return []
  }
}

function learnedReasons({ learned, isTaught }: Found): readonly HitReason[] {
  if (learned <= 0) return []
  const term = isTaught ? 'called after such a query' : 'a tool of the same owner was called after such a query'
  return [{ field: 'past use', term, score: round(learned) }]
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000
}
