import type { Postings } from '../index/postings.ts'
import { IMPACT_BITS, IMPACT_MAX } from '../index/postings.ts'
import type { PlannedStep, QueryPlan } from '../query/plan-query.ts'
import type { SearchWeights } from '../weights.ts'
import type { Scratch } from './scratch.ts'
import { createTopList } from './top-list.ts'

export interface Candidate {
  readonly document: number
  readonly base: number
  /** The step of the query that fits it best. */
  readonly step: number
}

export interface CollectRequest {
  readonly plan: QueryPlan
  readonly accepts: (document: number) => boolean
  readonly limit: number
}

export interface CollectDeps {
  readonly postings: Postings
  readonly scratch: Scratch
  readonly weights: SearchWeights
}

/** First pass: BM25F over all tools that hold a term, step by step; gives the best accepted ones and how many matched. */
export function collectCandidates(
  request: CollectRequest,
  deps: CollectDeps,
): { readonly candidates: readonly Candidate[]; readonly total: number } {
  const { scratch, weights } = deps
  let touchedCount = 0
  request.plan.steps.forEach((step, index) => {
    touchedCount = mergeStep(scratch, addStep(step, deps), { index, touchedCount })
  })
  const isSingle = request.plan.steps.length === 1
  const top = createTopList(request.limit)
  let total = 0
  for (let place = 0; place < touchedCount; place += 1) {
    const document = scratch.touched[place] ?? 0
    const sum = scratch.scores[document] ?? 0
    const best = scratch.best[document] ?? 0
    scratch.scores[document] = 0
    scratch.best[document] = 0
    if (!request.accepts(document)) continue
    total += 1
    top.offer(document, isSingle ? sum : sum * (1 - weights.bestStep) + best * weights.bestStep)
  }
  const candidates = top.take().map(({ document, score }) => ({
    document,
    base: score,
    step: scratch.bestStep[document] ?? 0,
  }))
  return { candidates, total }
}

function addStep(step: PlannedStep, deps: CollectDeps): number {
  const { postings, scratch } = deps
  const { step: scores, stepTouched } = scratch
  let touched = 0
  for (const word of step.words) {
    for (const { term, weight } of word.terms) {
      const number = postings.numberOf(term)
      if (number === undefined) continue
      const list = postings.listOf(number)
      const count = postings.countOf(number)
      const scale = weight / IMPACT_MAX
      for (let place = 0; place < count; place += 1) {
        const packed = list[place] ?? 0
        const document = packed >>> IMPACT_BITS
        const before = scores[document] ?? 0
        if (before === 0) {
          stepTouched[touched] = document
          touched += 1
        }
        scores[document] = before + scale * (packed & IMPACT_MAX)
      }
    }
  }
  return touched
}

function mergeStep(scratch: Scratch, touched: number, step: { index: number; touchedCount: number }): number {
  let count = step.touchedCount
  for (let place = 0; place < touched; place += 1) {
    const document = scratch.stepTouched[place] ?? 0
    const score = scratch.step[document] ?? 0
    scratch.step[document] = 0
    const before = scratch.scores[document] ?? 0
    if (before === 0) {
      scratch.touched[count] = document
      count += 1
    }
    scratch.scores[document] = before + score
    if (score > (scratch.best[document] ?? 0)) {
      scratch.best[document] = score
      scratch.bestStep[document] = step.index
    }
  }
  return count
}
