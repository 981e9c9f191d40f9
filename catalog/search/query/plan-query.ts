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
  /** The same for the question whether a tool is what was asked for, where a verb that fits any tool says little. */
  readonly evidence: number
  /** The word itself first, then what may stand for it. */
  readonly terms: readonly PlannedTerm[]
}

export interface PlannedStep {
  readonly words: readonly PlannedWord[]
  /** Number of the action that is asked for, 0 where none is. */
  readonly action: number
}

export interface QueryPlan {
  readonly steps: readonly PlannedStep[]
  readonly words: readonly PlannedWord[]
}

export interface PlanDeps {
  readonly rarity: Rarity
  readonly reader: TextReader
  readonly weights: SearchWeights
  /** Whether few enough tools hold the term for a synonym to tell them apart. */
  readonly isTelling: (term: string) => boolean
  /** Whether any tool holds the term. */
  readonly isIndexed: (term: string) => boolean
}

/** Turns the words of a query into terms to look up, each with its weight. */
export function planQuery(read: readonly QueryStep[], deps: PlanDeps): QueryPlan {
  const written = new Set(read.flatMap((step) => step.words.map((word) => word.term)))
  const kept = rarest(
    read.flatMap((step) => step.words),
    deps,
  )
  const steps = read.map((step) => {
    const words = step.words.filter((word) => kept.has(word))
    const joined = words.flatMap((word, place) => joinWithNext(word, words[place + 1], deps))
    return { words: joined.map((word) => planWord(word, written, deps)), action: actionOf(step, deps.reader) }
  })
  return { steps, words: steps.flatMap((step) => step.words) }
}

function rarest(words: readonly QueryWord[], { rarity }: PlanDeps): ReadonlySet<QueryWord> {
  if (words.length <= QUERY_MAX_TERMS) return new Set(words)
  return new Set(words.toSorted((a, b) => rarity(b.term) - rarity(a.term)).slice(0, QUERY_MAX_TERMS))
}

/** `box plot` is asked as `boxplot` too where a tool writes it so. */
function joinWithNext(word: QueryWord, next: QueryWord | undefined, deps: PlanDeps): readonly QueryWord[] {
  if (next === undefined || deps.weights.joined === 0) return [word]
  const joined = word.word + next.word
  const term = deps.reader.termOf(joined)
  return deps.isIndexed(term) ? [word, { word: joined, term, weight: deps.weights.joined }] : [word]
}

function planWord(word: QueryWord, written: ReadonlySet<string>, deps: PlanDeps): PlannedWord {
  const alternatives = (word.alternatives ?? []).map((other) => ({
    term: deps.reader.termOf(other.word),
    weight: word.weight * other.weight * deps.rarity(deps.reader.termOf(other.word)),
  }))
  // A mistyped word is as rare as what it stands for, not as rare as a word that no tool holds.
  const importance = alternatives[0]?.weight ?? word.weight * deps.rarity(word.term)
  const synonyms = deps.reader
    .synonymsOf(word.term)
    // What the user wrote is scored as written, never a second time as a synonym of its neighbour.
    .filter((other) => !written.has(other) && deps.isTelling(other))
    // With the rarity of the word itself: a rare synonym is no better evidence than the word.
    .map((other) => ({ term: other, weight: deps.weights.synonym * importance }))
  return {
    term: word.term,
    importance,
    evidence: importance * (deps.reader.isGenericVerb(word.term) ? deps.weights.genericVerbEvidence : 1),
    terms: [{ term: word.term, weight: importance }, ...alternatives, ...synonyms],
  }
}

function actionOf(step: QueryStep, reader: TextReader): number {
  for (const word of step.words) {
    const action = reader.actionOf(word.term)
    if (action > 0) return action
  }
  return 0
}
