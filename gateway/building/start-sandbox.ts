import type { Logger } from 'pino'
import { createIsolatePool } from '../../bridge/isolate/pool.ts'
import type { ProgramHost } from '../../bridge/isolate/program-host.ts'
import type { ResolvedConfig } from '../config/read-config.ts'

/** The workers that programs run in, or why there are none. */
export interface Sandbox {
  readonly host: ProgramHost | undefined
  /** Absent when there is a host. */
  readonly reason: string | undefined
  close(): Promise<void>
}

/** Starts the workers. Where none can start, the gateway goes on without programs and says so. */
export async function startSandbox({ sandbox }: ResolvedConfig, log: Logger): Promise<Sandbox> {
  try {
    const host = await createIsolatePool({
      jit: sandbox.jit,
      memoryMb: sandbox.memoryMb,
      ...(sandbox.workersMax === undefined ? {} : { workersMax: sandbox.workersMax }),
      onDefect: (error) => log.error({ err: error }, 'defect in the sandbox'),
    })
    return { host, reason: undefined, close: () => host.close() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ err: error }, `no worker can run programs (${reason}); mode "code" falls back to "tools"`)
    return { host: undefined, reason, close: async () => {} }
  }
}
