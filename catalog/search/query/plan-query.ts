import type { Rarity } from '../index/rarity.ts'
import { QUERY_MAX_TERMS } from '../limits.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { SearchWeights } from '../weights.ts'
import type { QueryStep, QueryWord } from './read-query.ts'

/** One term to look up for a word of the query. */
export interface PlannedTerm {
  readonly term: string
  readonly weight: number
}

export interface PlannedWord {
  readonly term: string
  /** How much of the query's meaning the word carries: its weight times its rarity. */
  readonly importance: number
  /** The word itself first, then what may stand for it. */
  readonly terms: readonly PlannedTerm[]
}

export interface PlannedStep {
  readonly words: readonly PlannedWord[]
  readonly action: number
}

export interface QueryPlan {
  readonly steps: readonly PlannedStep[]
}

export interface PlanDeps {
  readonly rarity: Rarity
  readonly reader: TextReader
  readonly weights: SearchWeights
}

export function planQuery(steps: readonly QueryStep[], deps: PlanDeps): QueryPlan {
  const written = new Set(steps.flatMap((step) => step.words.map((word) => word.term)))
  const kept = rarest(steps, deps)
  return {
    steps: steps.map((step) => ({
      words: step.words.filter((word) => kept.has(word)).map((word) => planWord(word, written, deps)),
      action: actionOf(step, deps.reader),
    })),
  }
}

function planWord(word: QueryWord, written: ReadonlySet<string>, deps: PlanDeps): PlannedWord {
  const importance = word.weight * deps.rarity(word.term)
  const terms: PlannedTerm[] = [{ term: word.term, weight: importance }]
  for (const other of deps.reader.synonymsOf(word.term)) {
    // What the user wrote is scored as written, never a second time as a synonym of its neighbour.
    if (written.has(other)) continue
    terms.push({ term: other, weight: word.weight * deps.weights.synonym * deps.rarity(other) })
  }
  return { term: word.term, importance, terms }
}

function rarest(steps: readonly QueryStep[], deps: PlanDeps): ReadonlySet<QueryWord> {
  const words = steps.flatMap((step) => step.words)
  if (words.length <= QUERY_MAX_TERMS) return new Set(words)
  return new Set(words.toSorted((a, b) => deps.rarity(b.term) - deps.rarity(a.term)).slice(0, QUERY_MAX_TERMS))
}

function actionOf(step: QueryStep, reader: TextReader): number {
  for (const word of step.words) {
    const action = reader.actionOf(word.term)
    if (action > 0) return action
  }
  return 0
}
