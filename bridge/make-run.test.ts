import { describe, expect, test } from 'vitest'
import { makeRun } from './make-run.ts'
import type { SettledEnd } from './make-run.ts'
import type { Notice } from './outcome.ts'
import { prepareProgram } from './program/prepare-program.ts'
import type { RunCall } from './run.ts'

const program = prepareProgram('return 1', { sourceBytes: 1_000 })
const anEnd = (awaitedAfterReturn: number): SettledEnd => ({
  kind: 'value', value: 'done', logs: [], logBytesDropped: 0, cpuMs: 0, wallMs: 0, heapPeakBytes: 0, bytesIn: 0, bytesOut: 0,
  worker: 'kept', awaitedAfterReturn,
}) // prettier-ignore
const aCall = (outcome: RunCall['outcome']): RunCall => ({ id: 'c', tool: 't', outcome, effect: 'unknown', ms: 1 })

describe('calls that a program did not await', () => {
  test('are told with how many failed, since nothing else says it to the program', async () => {
    const [notice] = await noticesOf(2, [aCall('ok'), aCall('failed')])
    expect(notice?.code).toBe('calls-awaited')
    expect(notice?.message).toMatch(/^2 call\(s\) were still under way .*; of all calls 1 did not end ok$/)
  })

  test('are told without more where all ended ok, and not at all where each was awaited', async () => {
    expect((await noticesOf(1, [aCall('ok')]))[0]?.message).not.toContain('did not end ok')
    expect(await noticesOf(0, [aCall('failed')])).toEqual([])
  })
})

async function noticesOf(awaited: number, calls: readonly RunCall[]): Promise<readonly Notice[]> {
  const run = await makeRun(
    {
      id: 'run_1', program, caller: { tenant: 't', agent: 'a' }, end: anEnd(awaited), calls, notices: [], artifacts: [],
      asked: { catalogSize: 0, sources: {}, searches: 0, describes: 0 },
    }, // prettier-ignore
    {
      diagnose: () => ({ code: 'program-error', message: 'x' }),
      artifacts: { put: () => Promise.reject(new Error('none')), read: () => Promise.resolve(undefined) },
      redact: (text) => text,
    },
  )
  return run.notices
}
