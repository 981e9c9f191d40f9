import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../catalog/json.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { createIsolatePool } from '../pool.ts'
import type { ProgramEnd, ProgramHost } from '../program-host.ts'
import { createAbuseGateway } from './abuse-catalog.ts'

interface Attack {
  readonly id: string
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

const file = path.resolve(import.meta.dirname, '../../../../shared/attacks/dev.jsonl')
const attacks: readonly Attack[] = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []
const limits = { ...DEFAULT_LIMITS, wallMs: 2000, cpuMs: 1000 }
const signal = new AbortController().signal

describe.skipIf(attacks.length === 0)('hostile programs kept beside the repository', () => {
  let pool: ProgramHost
  beforeAll(async () => {
    pool = await createIsolatePool({ workersMin: 3 })
  })
  afterAll(() => pool.close())

  test.each(attacks)('$id ends as it must', async (attack) => {
    for (let time = 0; time < (attack.expect.repeat ?? 1); time++) {
      const gateway = createAbuseGateway()
      const [end, neighbour] = await Promise.all([
        run(pool, attack.code, { tenant: 'attacker', answer: gateway.answer }),
        run(pool, NEIGHBOUR, { tenant: 'neighbour', answer: createAbuseGateway().answer }),
      ])
      expect(neighbour).toMatchObject({ kind: 'value', value: 15 })
      expect(problemsOf(attack, end, gateway.calls())).toEqual([])
    }
  })
})

const NEIGHBOUR = `let sum = 0
for (let i = 1; i <= 5; i++) sum = (await tools.call('plugin:math:add', { a: sum, b: i })).sum
return sum`

/** What is wrong with an end, in words; nothing when it is as it must be. */
function problemsOf(attack: Attack, end: ProgramEnd, calls: number): readonly string[] {
  const { expect: wanted } = attack
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
  caller: { readonly tenant: string; readonly answer: ReturnType<typeof createAbuseGateway>['answer'] },
): Promise<ProgramEnd> {
  return pool.run({ runId: 'run', code, limits, seed: 1, startMs: Date.now(), ...caller }, signal)
}
