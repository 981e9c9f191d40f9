import type { ProgramEnd } from '../program-host.ts'

/** The end of a run whose program never started. */
export function notRun(kind: 'error' | 'busy', code: 'cancelled' | 'limit', message: string): ProgramEnd {
  const nothing = {
    logs: [],
    logBytesDropped: 0,
    cpuMs: 0,
    wallMs: 0,
    heapPeakBytes: 0,
    bytesIn: 0,
    bytesOut: 0,
    worker: 'kept',
    awaitedAfterReturn: 0,
  } as const
  return kind === 'busy' ? { ...nothing, kind, message } : { ...nothing, kind, code, message }
}
