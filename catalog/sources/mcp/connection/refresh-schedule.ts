import type { McpTiming } from '../limits.ts'
import { LIST_REST_FACTOR } from '../limits.ts'

export interface RefreshSchedule {
  /** Something may have changed. */
  notify(): void
  close(): void
}

/** What a read brought; after one that failed there is another, since nobody will say once more that something has changed. */
export interface Refreshed {
  readonly outcome: 'changed' | 'same' | 'failed'
  /** For so long taking it up held the thread: everybody else waited. */
  readonly heldMs: number
}

/**
 * Turns a storm of notifications into few reads: one after it falls quiet, or after a while when it never does, and
 * never two at a time. While the reads bring nothing new the pace slows down, so that a server that notifies from its
 * own list handler does not keep us reading. A list that is long to take up is taken up ever more rarely: a server that
 * changes ten thousand tools all the time gets a small part of the thread, and not most of it.
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
  let restMs = 0

  async function read(): Promise<void> {
    timer = undefined
    firstMs = undefined
    isReading = true
    const { outcome, heldMs } = await deps.refresh()
    isReading = false
    readMs = performance.now()
    restMs = heldMs * LIST_REST_FACTOR
    quietMs = outcome === 'changed' ? listQuietMs : Math.min(quietMs * 2, listSlowestMs)
    if (outcome === 'failed') firstMs ??= readMs
    if (firstMs !== undefined) arm()
  }

  function arm(): void {
    if (isClosed || isReading) return
    const patienceMs = Math.max(listPatienceMs, quietMs)
    const nowMs = performance.now()
    const waitedMs = nowMs - (firstMs ?? 0)
    const waitMs = Math.max(readMs + restMs - nowMs, Math.min(quietMs, patienceMs - waitedMs))
    clearTimeout(timer)
    timer = setTimeout(() => void read(), Math.max(0, waitMs))
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
