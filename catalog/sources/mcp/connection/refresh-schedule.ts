import type { McpTiming } from '../limits.ts'

export interface RefreshSchedule {
  /** Something may have changed. */
  notify(): void
  close(): void
}

/** What a read brought; after one that failed there is another, since nobody will say once more that something has changed. */
export type Refreshed = 'changed' | 'same' | 'failed'

/**
 * Turns a storm of notifications into few reads: one after it falls quiet, or after a while when it never does, and
 * never two at a time. While the reads bring nothing new the pace slows down, so that a server that notifies from its
 * own list handler does not keep us reading.
 */
export function createRefreshSchedule(deps: {
  /** Must not reject. */
  readonly refresh: () => Promise<Refreshed>
  readonly timing: McpTiming
}): RefreshSchedule {
  const { listQuietMs, listPatienceMs, listSlowestMs } = deps.timing
  let timer: NodeJS.Timeout | undefined
  let firstMs: number | undefined
  let quietMs = listQuietMs
  let isReading = false
  let isClosed = false
  let readMs = performance.now()

  async function read(): Promise<void> {
    timer = undefined
    firstMs = undefined
    isReading = true
    const refreshed = await deps.refresh()
    isReading = false
    readMs = performance.now()
    quietMs = refreshed === 'changed' ? listQuietMs : Math.min(quietMs * 2, listSlowestMs)
    if (refreshed === 'failed') firstMs ??= readMs
    if (firstMs !== undefined) arm()
  }

  function arm(): void {
    if (isClosed || isReading) return
    const patienceMs = Math.max(listPatienceMs, quietMs)
    const waitedMs = performance.now() - (firstMs ?? 0)
    clearTimeout(timer)
    timer = setTimeout(() => void read(), Math.max(0, Math.min(quietMs, patienceMs - waitedMs)))
    timer.unref()
  }

  return {
    notify() {
      const nowMs = performance.now()
      // Long after the last read it is news again.
      if (!isReading && nowMs - readMs > quietMs * 2) quietMs = listQuietMs
      firstMs ??= nowMs
      arm()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
