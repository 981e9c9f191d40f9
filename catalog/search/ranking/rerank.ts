import type { Rarity } from '../index/rarity.ts'
import type { ToolStore } from '../index/tool-store.ts'
import { RECORD_HEADER } from '../index/tool-store.ts'
import type { PlannedWord, QueryPlan } from '../query/plan-query.ts'
import type { SearchWeights } from '../weights.ts'
import type { Candidate } from './collect-candidates.ts'

export interface Ranked {
  readonly document: number
  readonly score: number
  /** Share of the query's meaning that the tool holds, 0 to 1. */
  readonly coverage: number
}

export interface RerankDeps {
  readonly store: ToolStore
  readonly rarity: Rarity
  readonly weights: SearchWeights
}

/** Second pass: what the first cannot see (the order of words, which action, what is left uncovered), of the best only. */
export function rerank(candidates: readonly Candidate[], plan: QueryPlan, deps: RerankDeps): Ranked[] {
  const query = wordsByNumber(plan, deps.store.postings.numberOf)
  const pairs = pairsOf(plan, deps.store.postings.numberOf)
  const total = plan.steps.reduce((sum, step) => sum + step.words.reduce((all, word) => all + word.importance, 0), 0)
  return candidates.map((candidate) => {
    const record = deps.store.recordAt(candidate.document)
    const step = plan.steps[candidate.step]
    const covered = coveredImportance(record, query)
    const coverage = total === 0 ? 0 : covered / total
    const name = nameCoverage(record, query, deps)
    const action = actionFit(step?.action ?? 0, deps.store.actionAt(candidate.document), deps.weights)
    const bigrams = sharedPairs(record, pairs)
    const factor = 1 + action + deps.weights.nameCovered * name + deps.weights.queryCovered * coverage
    return {
      document: candidate.document,
      score: candidate.base * factor + deps.weights.bigram * bigrams,
      coverage,
    }
  })
}

interface QueryTermPlace {
  readonly word: PlannedWord
  readonly isOwn: boolean
}

function wordsByNumber(plan: QueryPlan, numberOf: (term: string) => number | undefined): Map<number, QueryTermPlace> {
  const places = new Map<number, QueryTermPlace>()
  for (const step of plan.steps) {
    for (const word of step.words) {
      word.terms.forEach(({ term }, index) => {
        const number = numberOf(term)
        if (number !== undefined && !places.has(number)) places.set(number, { word, isOwn: index === 0 })
      })
    }
  }
  return places
}

function pairsOf(plan: QueryPlan, numberOf: (term: string) => number | undefined): Map<string, number> {
  const pairs = new Map<string, number>()
  for (const step of plan.steps) {
    for (let place = 0; place + 1 < step.words.length; place += 1) {
      const first = step.words[place]
      const second = step.words[place + 1]
      if (first === undefined || second === undefined) continue
      const a = numberOf(first.term)
      const b = numberOf(second.term)
      if (a !== undefined && b !== undefined) pairs.set(`${a} ${b}`, Math.min(first.importance, second.importance))
    }
  }
  return pairs
}

function coveredImportance(record: Uint32Array, query: ReadonlyMap<number, QueryTermPlace>): number {
  const start = RECORD_HEADER + (record[0] ?? 0) + (record[1] ?? 0)
  const seen = new Set<PlannedWord>()
  let covered = 0
  for (let place = start; place < record.length; place += 1) {
    const found = query.get(record[place] ?? 0)
    if (found === undefined || seen.has(found.word)) continue
    seen.add(found.word)
    covered += found.word.importance
  }
  return covered
}

function nameCoverage(record: Uint32Array, query: ReadonlyMap<number, QueryTermPlace>, deps: RerankDeps): number {
  const count = record[0] ?? 0
  let covered = 0
  let total = 0
  for (let place = RECORD_HEADER; place < RECORD_HEADER + count; place += 1) {
    const number = record[place] ?? 0
    const rarity = deps.rarity(deps.store.postings.termAt(number))
    total += rarity
    const found = query.get(number)
    if (found !== undefined) covered += rarity * (found.isOwn ? 1 : 0.5)
  }
  return total === 0 ? 0 : covered / total
}

function actionFit(asked: number, offered: number, weights: SearchWeights): number {
  if (asked === 0 || offered === 0) return 0
  return asked === offered ? weights.actionAgrees : -weights.actionConflicts
}

function sharedPairs(record: Uint32Array, pairs: ReadonlyMap<string, number>): number {
  if (pairs.size === 0) return 0
  const end = RECORD_HEADER + (record[0] ?? 0) + (record[1] ?? 0)
  const seen = new Set<string>()
  let sum = 0
  for (let place = RECORD_HEADER; place + 1 < end; place += 1) {
    const key = `${record[place] ?? 0} ${record[place + 1] ?? 0}`
    const worth = pairs.get(key)
    if (worth === undefined || seen.has(key)) continue
    seen.add(key)
    sum += worth
  }
  return sum
}
