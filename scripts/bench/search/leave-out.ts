import type { SearchWeights } from '../../../catalog/search/weights.ts'
import { WEIGHTS } from '../../../catalog/search/weights.ts'
import type { Figure } from '../figure.ts'
import type { Dataset } from './dataset.ts'
import { measureDrawbridge } from './measure-quality.ts'

const FACTORS = [0.75, 1.33] as const
/** Ask other questions than the cold tracks do. */
const NOT_COLD: ReadonlySet<string> = new Set([
  'learned',
  'learnedLessIfHeld',
  'learnedByOwner',
  'learnedFloor',
  'weakBelow',
])

/** Mean of nDCG@10 and recall@5 over the pooled and the in-set track, by set. */
export type Objective = ReadonlyMap<string, number>

/**
 * Whether each weight was chosen for what the sets have in common or for one of them: it is lowered and raised, the
 * best of the three is chosen by all sets but one, and that one says what the choice is worth. Where the mean over the
 * sets so left out is above 0, the value in the file is not the best one.
 */
export function* leaveOutFigures(data: Dataset, progress: (text: string) => void): Generator<Figure> {
  const current = objectiveOf(data, WEIGHTS)
  for (const weight of weightNames()) {
    progress(`around ${weight}`)
    const tried = FACTORS.map((factor) => objectiveOf(data, withFactor(weight, factor)))
    const under = { area: 'search', unit: 'ratio', weight }
    for (const [place, factor] of FACTORS.entries()) {
      yield { ...under, name: 'change', factor, value: meanOf(tried[place] ?? current) - meanOf(current) }
    }
    yield { ...under, name: 'leftOutChange', value: leftOutChange(current, tried) }
  }
}

/** Mean change on the sets left out, each by the alternative that the other sets prefer, if they prefer one. */
export function leftOutChange(current: Objective, alternatives: readonly Objective[]): number {
  const sets = [...current.keys()]
  const changes = sets.map((left) => {
    const best = alternatives.reduce(
      (chosen, other) => (meanOf(other, left) > meanOf(chosen, left) ? other : chosen),
      current,
    )
    return (best.get(left) ?? 0) - (current.get(left) ?? 0)
  })
  return changes.reduce((sum, change) => sum + change, 0) / sets.length
}

function objectiveOf(data: Dataset, weights: SearchWeights): Objective {
  const pooled = measureDrawbridge({ data, inSet: false, log: [] }, weights)
  const inSet = measureDrawbridge({ data, inSet: true, log: [] }, weights)
  return new Map(
    [...pooled]
      .filter(([set]) => set !== 'macro')
      .map(([set, scores]) => {
        const own = inSet.get(set) ?? scores
        return [set, (scores.ndcg10 + scores.recall5 + own.ndcg10 + own.recall5) / 4]
      }),
  )
}

function meanOf(objective: Objective, without?: string): number {
  const values = [...objective].filter(([set]) => set !== without).map(([, value]) => value)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** `synonym`, `field.name`: every number among the weights. */
function weightNames(): readonly string[] {
  return Object.entries(WEIGHTS)
    .filter(([name]) => !NOT_COLD.has(name))
    .flatMap(([name, value]: [string, number | object]) =>
      typeof value === 'number' ? [name] : Object.keys(value).map((part) => `${name}.${part}`),
    )
}

function withFactor(weight: string, factor: number): SearchWeights {
  return { ...WEIGHTS, ...scaled(WEIGHTS, weight.split('.'), factor) }
}

function scaled(values: object, [name = '', ...rest]: readonly string[], factor: number): object {
  const entries = Object.entries(values).map(([key, value]: [string, number | object]) => {
    if (key !== name) return [key, value] as const
    return [key, typeof value === 'number' ? value * factor : scaled(value, rest, factor)] as const
  })
  return Object.fromEntries(entries)
}
