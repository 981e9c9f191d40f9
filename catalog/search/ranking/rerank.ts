import type { Rarity, RarityAt } from '../index/rarity.ts'
import type { ToolRecord } from '../index/tool-record.ts'
import { nameEnd, NAME_START, sequenceEnd } from '../index/tool-record.ts'
import type { ToolStore } from '../index/tool-store.ts'
import { OPENING_MAX_WORDS } from '../limits.ts'
import type { PlannedWord, QueryPlan } from '../query/plan-query.ts'
import type { SearchWeights } from '../weights.ts'
import type { Candidate } from './collect-candidates.ts'
import type { Scratch } from './scratch.ts'

export interface Ranked {
  readonly document: number
  readonly score: number
  /** Share of the query's meaning that the tool holds, 0 to 1. */
  readonly evidence: number
  /** Words of the query, by their places, that the tool holds. */
  readonly holds: readonly number[]
}

export interface RerankDeps {
  readonly store: ToolStore
  readonly rarity: Rarity
  readonly rarityAt: RarityAt
  readonly weights: SearchWeights
  readonly scratch: Scratch
}

/** Second pass: what the first cannot see (the order of words, which action, what is left uncovered), of the best only. */
export function rerank(candidates: readonly Candidate[], plan: QueryPlan, deps: RerankDeps): Ranked[] {
  const { words } = plan
  const marked = markTerms(words, deps)
  const total = words.reduce((sum, word) => sum + word.importance, 0)
  const asked = words.reduce((sum, word) => sum + word.evidence, 0)
  // Of a long query a good tool holds only a part: so many rare words are proof enough.
  const proof = Math.min(asked, deps.weights.proofWords * deps.rarity(''))
  const ranked = candidates.map((candidate) => {
    const record = deps.store.recordAt(candidate.document)
    const step = plan.steps[candidate.step]
    const covered = coveredOf(record, words, deps)
    const coverage = total === 0 ? 0 : covered.importance / total
    const descriptionStart = nameEnd(record)
    const openingEnd = Math.min(sequenceEnd(record), descriptionStart + OPENING_MAX_WORDS)
    const name = coverageOf(record, { start: NAME_START, end: descriptionStart }, deps)
    const description = coverageOf(record, { start: descriptionStart, end: openingEnd }, deps)
    const action = actionFit(step?.action ?? 0, deps.store.actionAt(candidate.document), deps.weights)
    const pairs = sharedPairs(record, words, deps)
    const covers =
      deps.weights.nameCovered * name +
      deps.weights.descriptionCovered * description +
      deps.weights.queryCovered * coverage
    const factor = 1 + action + covers
    return {
      document: candidate.document,
      score: candidate.base * factor + pairs,
      evidence: proof === 0 ? 0 : Math.min(1, covered.evidence / proof),
      holds: covered.holds,
    }
  })
  for (const number of marked) deps.scratch.marks[number] = 0
  return plan.steps.length > 1 ? liftBestOfSteps(ranked, candidates, deps.weights) : ranked
}

/** The best tool for each step of the query comes near the top, however small the step's part of the words is. */
function liftBestOfSteps(
  ranked: readonly Ranked[],
  candidates: readonly Candidate[],
  weights: SearchWeights,
): Ranked[] {
  const best = new Map<number, Ranked>()
  let top = 0
  ranked.forEach((entry, place) => {
    const step = candidates[place]?.step ?? 0
    if (entry.score > (best.get(step)?.score ?? 0)) best.set(step, entry)
    top = Math.max(top, entry.score)
  })
  const lifted = new Set(best.values())
  return ranked.map((entry) =>
    lifted.has(entry) ? { ...entry, score: entry.score + weights.stepTop * (top - entry.score) } : entry,
  )
}

/** Marks each term of the query with its word (its place + 1), negative where it only stands for the word. */
function markTerms(words: readonly PlannedWord[], { store, scratch }: RerankDeps): number[] {
  const marked: number[] = []
  words.forEach((word, place) => {
    word.terms.forEach(({ term }, index) => {
      const number = store.postings.numberOf(term)
      if (number === undefined || (scratch.marks[number] ?? 0) > 0) return
      if (index > 0 && scratch.marks[number] !== 0) return
      scratch.marks[number] = index === 0 ? place + 1 : -(place + 1)
      marked.push(number)
    })
  })
  return marked
}

interface Covered {
  readonly importance: number
  readonly evidence: number
  readonly holds: readonly number[]
}

function coveredOf(record: ToolRecord, words: readonly PlannedWord[], { scratch }: RerankDeps): Covered {
  const seen = scratch.seen.fill(0, 0, words.length + 1)
  const holds: number[] = []
  let importance = 0
  let evidence = 0
  for (let place = sequenceEnd(record); place < record.length; place += 1) {
    const mark = Math.abs(scratch.marks[record[place] ?? 0] ?? 0)
    if (mark === 0 || seen[mark] === 1) continue
    seen[mark] = 1
    holds.push(mark - 1)
    importance += words[mark - 1]?.importance ?? 0
    evidence += words[mark - 1]?.evidence ?? 0
  }
  return { importance, evidence, holds }
}

/** Share of what these terms of a tool say that the query says too; a synonym counts half. */
function coverageOf(
  record: ToolRecord,
  { start, end }: { readonly start: number; readonly end: number },
  { scratch, store, rarityAt }: RerankDeps,
): number {
  let covered = 0
  let total = 0
  for (let place = start; place < end; place += 1) {
    const number = record[place] ?? 0
    const worth = rarityAt(store.postings, number)
    const mark = scratch.marks[number] ?? 0
    total += worth
    if (mark !== 0) covered += mark > 0 ? worth : worth / 2
  }
  return total === 0 ? 0 : covered / total
}

function actionFit(asked: number, offered: number, weights: SearchWeights): number {
  if (asked === 0 || offered === 0) return 0
  return asked === offered ? weights.actionAgrees : -weights.actionConflicts
}

/** Neighbours in the query that are neighbours in the name or description too. */
function sharedPairs(record: ToolRecord, words: readonly PlannedWord[], { scratch, weights }: RerankDeps): number {
  const descriptionStart = nameEnd(record)
  const end = sequenceEnd(record)
  const seen = scratch.seen.fill(0, 0, words.length + 1)
  let sum = 0
  let before = 0
  for (let place = NAME_START; place < end; place += 1) {
    const mark = scratch.marks[record[place] ?? 0] ?? 0
    if (before > 0 && mark === before + 1 && seen[before] === 0 && place !== descriptionStart) {
      seen[before] = 1
      const worth = Math.min(words[before - 1]?.importance ?? 0, words[mark - 1]?.importance ?? 0)
      sum += worth * (place < descriptionStart ? weights.namePair : weights.descriptionPair)
    }
    before = mark
  }
  return sum
}
