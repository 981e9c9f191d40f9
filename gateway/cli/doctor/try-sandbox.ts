import { randomInt } from 'node:crypto'
import { DEFAULT_LIMITS } from '../../../bridge/isolate/limits.ts'
import { createIsolatePool } from '../../../bridge/isolate/pool.ts'

export type TriedSandbox =
  | { readonly kind: 'started'; readonly layers: Readonly<Record<string, boolean>> }
  | { readonly kind: 'failed'; readonly reason: string }

/** Starts one worker as the gateway would, with its check of itself, and runs a program in it. */
export async function trySandbox(options: { readonly jit: boolean; readonly memoryMb: number }): Promise<TriedSandbox> {
  try {
    const pool = await createIsolatePool({ ...options, workersMin: 1, workersMax: 1 })
    try {
      const [first, second] = [randomInt(1_000), randomInt(1_000)]
      const end = await pool.run(
        {
          runId: 'doctor',
          tenant: 'doctor',
          code: `return ${first} * ${second}`,
          limits: DEFAULT_LIMITS,
          seed: 1,
          startMs: 1,
          answer: async () => ({ kind: 'error', code: 'unavailable', message: 'no tools here' }),
        },
        new AbortController().signal,
      )
      if (end.kind === 'value' && end.value === first * second) return { kind: 'started', layers: pool.status().layers }
      const how = 'message' in end ? end.message : `it ended ${end.kind}`
      return { kind: 'failed', reason: `a worker starts, but a program did not run in it: ${how}` }
    } finally {
      await pool.close()
    }
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}
