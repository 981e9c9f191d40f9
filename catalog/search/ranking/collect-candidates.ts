import type { Postings } from '../index/postings.ts'
import { IMPACT_BITS, IMPACT_MAX } from '../index/postings.ts'
import type { PlannedStep, PlannedTerm, PlannedWord, QueryPlan } from '../query/plan-query.ts'
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
  let touched = 0
  for (const word of step.words) {
    if (word.terms.length === 1) touched = addTerm(word.terms[0], touched, deps)
    else touched = addWord(word, touched, deps)
  }
  return touched
}

function addTerm(term: PlannedTerm | undefined, touchedBefore: number, { postings, scratch }: CollectDeps): number {
  const number = postings.numberOf(term?.term ?? '')
  const weight = term?.weight ?? 0
  // A score of 0 marks a document as not yet seen, so a term must add more than that.
  if (number === undefined || weight <= 0) return touchedBefore
  const { step: scores, stepTouched } = scratch
  const list = postings.listOf(number)
  const count = postings.countOf(number)
  const scale = weight / IMPACT_MAX
  let touched = touchedBefore
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
  return touched
}

/** A word counts once, by the best of the terms that may stand for it: else a list of its synonyms would win. */
function addWord(word: PlannedWord, touchedBefore: number, { postings, scratch }: CollectDeps): number {
  const { step: scores, stepTouched, wordScores, wordStamps } = scratch
  const stamp = scratch.nextStamp()
  let touched = touchedBefore
  for (const { term, weight } of word.terms) {
    const number = postings.numberOf(term)
    if (number === undefined || weight <= 0) continue
    const list = postings.listOf(number)
    const count = postings.countOf(number)
    const scale = weight / IMPACT_MAX
    for (let place = 0; place < count; place += 1) {
      const packed = list[place] ?? 0
      const document = packed >>> IMPACT_BITS
      const score = scale * (packed & IMPACT_MAX)
      const known = wordStamps[document] === stamp ? (wordScores[document] ?? 0) : 0
      if (score <= known) continue
      const before = scores[document] ?? 0
      if (before === 0) {
        stepTouched[touched] = document
        touched += 1
      }
      wordStamps[document] = stamp
      wordScores[document] = score
      scores[document] = before + score - known
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
