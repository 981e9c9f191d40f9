import { isDeepStrictEqual } from 'node:util'
import type { Contender, ProgramName } from './contender.ts'
import { EXPECTED } from './contender.ts'

export type Measured =
  | { readonly kind: 'times'; readonly contender: Contender; readonly timesMs: readonly number[] }
  | { readonly kind: 'failed'; readonly contender: Contender; readonly error: unknown }

export interface Plan {
  readonly program: ProgramName
  /** For each contender, over all turns. */
  readonly ms: number
  readonly warmupRuns: number
}

/** Many short turns, so that what else the machine does, which comes and goes within seconds, meets all alike. */
const TURNS_COUNT = 10
/** A figure of slow programs still rests on 20 runs. */
const RUNS_PER_TURN_MIN = 2

/**
 * Runs a program on each contender that has it, back to back within a turn, one at a time. One that fails or gives
 * another value than the right one is out from there on, and the others go on without it.
 */
export async function measureContenders(
  contenders: readonly Contender[],
  plan: Plan,
  now: () => number,
): Promise<readonly Measured[]> {
  const lanes = contenders.flatMap((contender) => {
    const code = contender.programs[plan.program]
    return code === undefined ? [] : [{ contender, run: () => runChecked(contender, code, plan.program) }]
  })
  const times = new Map<Contender, number[]>()
  const errors = new Map<Contender, unknown>()
  const attempt = async (contender: Contender, work: () => Promise<void>): Promise<void> => {
    if (errors.has(contender)) return
    try {
      await work()
    } catch (error) {
      errors.set(contender, error)
    }
  }
  for (const { contender, run } of lanes)
    await attempt(contender, async () => {
      for (let time = 0; time < plan.warmupRuns; time += 1) await run()
    })
  for (let turn = 0; turn < TURNS_COUNT; turn += 1) {
    for (const { contender, run } of lanes)
      await attempt(contender, async () => {
        const taken = await timeTurn(run, plan.ms / TURNS_COUNT, now)
        times.set(contender, [...(times.get(contender) ?? []), ...taken])
      })
  }
  return lanes.map(({ contender }) =>
    errors.has(contender)
      ? { kind: 'failed', contender, error: errors.get(contender) }
      : { kind: 'times', contender, timesMs: times.get(contender) ?? [] },
  )
}

async function timeTurn(run: () => Promise<void>, ms: number, now: () => number): Promise<readonly number[]> {
  const times: number[] = []
  const startMs = now()
  while (times.length < RUNS_PER_TURN_MIN || now() - startMs < ms) {
    const beforeMs = now()
    await run()
    times.push(now() - beforeMs)
  }
  return times
}

async function runChecked(contender: Contender, code: string, program: ProgramName): Promise<void> {
  const value = await contender.execute(code)
  if (isDeepStrictEqual(value, EXPECTED[program])) return
  throw new Error(`"${program}" gave ${JSON.stringify(value)}, not ${JSON.stringify(EXPECTED[program])}`)
}
