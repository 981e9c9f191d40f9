import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './testing/gateway-process.ts'

interface Line {
  readonly scenario: string
  readonly requirements: string
  readonly side: string
  readonly pass: boolean
  readonly faults?: readonly string[]
}

interface Ended {
  readonly code: number
  readonly lines: readonly Line[]
}

/** What the suite counts in each revision, as its own documents say. */
const COUNTED = [
  { revision: '2025-11-25', side: 'server', count: 30 },
  { revision: '2025-11-25', side: 'through', count: 30 },
  { revision: '2025-11-25', side: 'client', count: 18 },
  { revision: '2026-07-28', side: 'server', count: 37 },
  { revision: '2026-07-28', side: 'through', count: 37 },
  { revision: '2026-07-28', side: 'client', count: 32 },
]
/** All sets take half a minute; on a machine that is busy with other tests, several times that. */
const BUDGET_MS = 480_000

const script = path.join(ROOT, 'scripts/conformance.ts')

function runConformance(): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, '--json'], { cwd: ROOT, timeout: BUDGET_MS }, (error, stdout) => {
      const lines = stdout.split('\n').filter((line) => line !== '')
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), lines: lines.map((line) => JSON.parse(line)) })
    })
  })
}

test('a revision that there is not is asked for wrongly, which is said without a stack', async () => {
  const ended = await new Promise((resolve) => {
    const args = [script, '--requirements', '2020-01-01']
    execFile(process.execPath, args, (error, _stdout, stderr) => resolve([error?.code, stderr]))
  })
  const message = 'there are no requirements "2020-01-01"; there are 2025-11-25, 2026-07-28'
  expect(ended).toEqual([2, `conformance: ${message}\n`])
})

test('the official suite passes, and no scenario that it counts is left out', { timeout: BUDGET_MS }, async () => {
  const { code, lines } = await runConformance()
  expect(lines.filter(({ pass }) => !pass)).toEqual([])
  expect(code).toBe(0)
  for (const { revision, side, count } of COUNTED) {
    const passed = lines.filter((line) => line.side === side && line.requirements === revision)
    expect([side, revision, new Set(passed.map(({ scenario }) => scenario)).size]).toEqual([side, revision, count])
  }
})
