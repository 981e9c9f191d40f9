import type { BenchQuery } from './dataset.ts'

export const METRICS = ['recall1', 'recall5', 'recall10', 'ndcg10', 'mrr'] as const
export type Metric = (typeof METRICS)[number]
export type Scores = Readonly<Record<Metric, number>>

/** Scores of one ranking, best first. Groups count, not ids: a second hit in a group gains nothing. */
export function scoreRanking(ranking: readonly string[], query: BenchQuery): Scores {
  const open = new Set(query.groups)
  const gains: number[] = []
  for (const id of ranking.slice(0, 10)) {
    const group = [...open].find((ids) => ids.includes(id))
    if (group !== undefined) open.delete(group)
    gains.push(group === undefined ? 0 : 1)
  }
  const count = query.groups.length
  const found = (depth: number): number => gains.slice(0, depth).reduce((sum, gain) => sum + gain, 0) / count
  const first = gains.indexOf(1)
  return {
    recall1: found(1),
    recall5: found(5),
    recall10: found(10),
    ndcg10: discounted(gains) / discounted(Array.from({ length: Math.min(count, 10) }, () => 1)),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  }
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)
}

/** Mean by set, and over the sets under `macro`. */
export function averageBySet(
  scored: readonly { readonly set: string; readonly scores: Scores }[],
): Map<string, Scores> {
  const sets = Map.groupBy(scored, ({ set }) => set)
  const means = new Map<string, Scores>()
  for (const [set, entries] of sets) means.set(set, meanOf(entries.map(({ scores }) => scores)))
  means.set('macro', meanOf([...means.values()]))
  return means
}

function meanOf(scores: readonly Scores[]): Scores {
  const mean = (metric: Metric): number => scores.reduce((sum, score) => sum + score[metric], 0) / scores.length
  return {
    recall1: mean('recall1'),
    recall5: mean('recall5'),
    recall10: mean('recall10'),
    ndcg10: mean('ndcg10'),
    mrr: mean('mrr'),
  }
}
