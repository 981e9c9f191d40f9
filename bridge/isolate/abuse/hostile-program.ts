import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../../../catalog/json.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import type { ProgramEnd, ProgramHost, ProgramRequest } from '../program-host.ts'
import { createAbuseGateway } from './abuse-catalog.ts'

/** A hostile program with the only acceptable ends: the form of the `*.jsonl` files that `npm run abuse` reads. */
export interface HostileProgram {
  readonly id: string
  /** What it is about: `cpu` programs go on for as long as they may. */
  readonly category: string
  readonly code: string
  readonly expect: {
    readonly ends: readonly string[]
    readonly value?: JsonValue
    readonly not?: readonly string[]
    readonly maxCalls?: number
    readonly maxLogBytes?: number
    readonly maxErrorBytes?: number
    readonly repeat?: number
  }
}

/** A program of another tenant that must complete while the hostile one runs. */
const NEIGHBOUR = `let sum = 0
for (let i = 1; i <= 5; i++) sum = (await tools.call('plugin:math:add', { a: sum, b: i })).sum
return sum`

const LIMITS = { ...DEFAULT_LIMITS, wallMs: 2000, cpuMs: 1000 }
/** What never ends by itself shows in a quarter of a second what it shows in one. */
const ENDLESS_LIMITS = { ...LIMITS, cpuMs: 250 }

/** Runs it as often as it says, beside a neighbour, and says in words whatever is not as it must be. */
export async function abuse(pool: ProgramHost, program: HostileProgram): Promise<readonly string[]> {
  const problems: string[] = []
  for (let time = 0; time < (program.expect.repeat ?? 1); time++) {
    const gateway = createAbuseGateway()
    const [end, neighbour] = await Promise.all([
      run(pool, program.code, {
        tenant: 'attacker',
        limits: program.category === 'cpu' ? ENDLESS_LIMITS : LIMITS,
        answer: gateway.answer,
      }),
      // By the usual limits: what else the machine does is not the hostile program's doing.
      run(pool, NEIGHBOUR, { tenant: 'neighbour', limits: DEFAULT_LIMITS, answer: createAbuseGateway().answer }),
    ])
    if (neighbour.kind !== 'value' || neighbour.value !== 15) problems.push(`neighbour: ${JSON.stringify(neighbour)}`)
    problems.push(...problemsOf(program, end, gateway.calls()))
  }
  return problems
}

/** What is wrong with an end, in words; nothing when it is as it must be. */
function problemsOf(program: HostileProgram, end: ProgramEnd, calls: number): readonly string[] {
  const { expect: wanted } = program
  const text = JSON.stringify(end)
  const name = end.kind === 'value' ? 'completed' : end.kind === 'error' ? end.code : end.kind
  const errorBytes = end.kind === 'error' ? Buffer.byteLength(end.message) : 0
  const checks: readonly (readonly [string, boolean])[] = [
    [`ends ${name}: ${text.slice(0, 300)}`, wanted.ends.includes(name)],
    [
      `value ${text.slice(0, 300)}`,
      wanted.value === undefined || end.kind !== 'value' || isDeepStrictEqual(end.value, wanted.value),
    ],
    ...['ESCAPED', ...(wanted.not ?? [])].map((word) => [`says ${word}`, !text.includes(word)] as const),
    [`${calls} calls`, calls <= (wanted.maxCalls ?? Infinity)],
    ['log too long', JSON.stringify(end.logs).length <= (wanted.maxLogBytes ?? Infinity)],
    ['error too long', errorBytes <= (wanted.maxErrorBytes ?? Infinity)],
  ]
  return checks.filter(([, holds]) => !holds).map(([problem]) => problem)
}

function run(
  pool: ProgramHost,
  code: string,
  caller: Pick<ProgramRequest, 'tenant' | 'limits' | 'answer'>,
): Promise<ProgramEnd> {
  return pool.run({ runId: 'run', code, seed: 1, startMs: Date.now(), ...caller }, new AbortController().signal)
}
