import type { Measured } from './measure-each.ts'

export type PerEngine<T> = Readonly<Record<'direct' | 'drawbridge', T>>

/** The engines take turns in so many rounds, so that what else the machine does falls on both. */
const ROUNDS_COUNT = 6

/** Measures `count` of each engine; `measure` makes some of them with one. */
export async function measureInRounds<Engine>(
  engines: PerEngine<Engine>,
  count: number,
  measure: (engine: Engine, perRound: number) => Promise<Measured>,
): Promise<PerEngine<Measured>> {
  const rounds: PerEngine<Measured>[] = []
  const perRound = Math.ceil(count / ROUNDS_COUNT)
  for (let round = 0; round < ROUNDS_COUNT; round += 1) {
    const direct = await measure(engines.direct, perRound)
    rounds.push({ direct, drawbridge: await measure(engines.drawbridge, perRound) })
  }
  const join = (engine: 'direct' | 'drawbridge'): Measured => ({
    latenciesMs: rounds.flatMap((round) => round[engine].latenciesMs),
    elapsedMs: rounds.reduce((sum, round) => sum + round[engine].elapsedMs, 0),
  })
  return { direct: join('direct'), drawbridge: join('drawbridge') }
}
