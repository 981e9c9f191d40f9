import type { Postings } from '../index/postings.ts'
import { IMPACT_BITS, IMPACT_MAX } from '../index/postings.ts'
import { RANKED_MAX_HITS } from '../limits.ts'
import type { PlannedStep, PlannedTerm, PlannedWord, QueryPlan } from '../query/plan-query.ts'
import type { SearchWeights } from '../weights.ts'
import type { Scratch } from './scratch.ts'
import { TopList } from './top-list.ts'

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
  /** Documents whose score is wanted however far behind they are. */
  readonly wanted: readonly number[]
  /** Order of equals. */
  readonly precedes: (a: number, b: number) => boolean
}

export interface Collected {
  readonly candidates: readonly Candidate[]
  /** Those that were wanted, in their order. */
  readonly wanted: readonly Candidate[]
  /** How many matched. */
  readonly total: number
}

export interface CollectDeps {
  readonly postings: Postings
  readonly scratch: Scratch
  readonly weights: SearchWeights
}

/** First pass: BM25F over all tools that hold a term, step by step; gives the best accepted ones and how many matched. */
export function collectCandidates(request: CollectRequest, deps: CollectDeps): Collected {
  const { scratch, weights } = deps
  const [only, ...others] = request.plan.steps
  if (only !== undefined && others.length === 0) {
    const count = addStep(only, deps)
    return takeBest(request, { scores: scratch.step, touched: scratch.stepTouched, count })
  }
  let count = 0
  request.plan.steps.forEach((step, index) => {
    count = mergeStep(scratch, addStep(step, deps), { index, touchedCount: count })
  })
  for (let place = 0; place < count; place += 1) {
    const document = scratch.touched[place] ?? 0
    const sum = scratch.scores[document] ?? 0
    const best = scratch.best[document] ?? 0
    scratch.scores[document] = sum + (best - sum) * weights.bestStep
    scratch.best[document] = 0
  }
  const { candidates, wanted, total } = takeBest(request, { scores: scratch.scores, touched: scratch.touched, count })
  // Of a document that no step has met, the best step is an earlier query's.
  const withStep = (candidate: Candidate): Candidate =>
    candidate.base > 0 ? { ...candidate, step: scratch.bestStep[candidate.document] ?? 0 } : candidate
  return { candidates: candidates.map(withStep), wanted: wanted.map(withStep), total }
}

interface Scored {
  readonly scores: Float32Array
  readonly touched: Uint32Array
  readonly count: number
}

/** The best that are accepted, and how many are, counted no further than anyone pages. Leaves the scores zero. */
function takeBest({ accepts, limit, precedes, wanted }: CollectRequest, { scores, touched, count }: Scored): Collected {
  const asked = wanted.map((document) => ({ document, base: scores[document] ?? 0, step: 0 }))
  const top = new TopList(limit, precedes)
  let total = 0
  let floor = top.floor()
  for (let place = 0; place < count; place += 1) {
    const document = touched[place] ?? 0
    const score = scores[document] ?? 0
    scores[document] = 0
    // Asking the view is what costs: past the count that is needed only what would be kept is asked about.
    if ((score < floor && total >= RANKED_MAX_HITS) || !accepts(document)) continue
    total += 1
    if (score < floor) continue
    top.offer(document, score)
    floor = top.floor()
  }
  const candidates = top.take().map(({ document, score }) => ({ document, base: score, step: 0 }))
  return { candidates, wanted: asked, total }
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

function mergeStep(
  scratch: Scratch,
  touched: number,
  step: { readonly index: number; readonly touchedCount: number },
): number {
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
