import { AsyncLocalStorage } from 'node:async_hooks'
import type { McpTiming } from '../../limits.ts'
import { STREAM_RESUMES_MAX, STREAM_SLOWEST_MS, STREAM_STOOD_MS } from '../../limits.ts'
import type { RequestId } from '../answer-guard.ts'

/** When event streams that ended are opened again. */
export interface StreamResumes {
  /** All that happens to the stream of a request happens within. */
  within<T>(id: RequestId, run: () => T): T
  /** Something came over the stream that is read now. */
  received(): void
  /** Nobody waits for the answer any more. */
  forget(id: RequestId): void
  /** Opens the stream that has just ended again, in a while. Gives how to leave it. */
  resume(reopen: () => void, delayMs: number): (() => void) | undefined
}

export interface StreamResumesDeps {
  readonly timing: Pick<McpTiming, 'streamResumeMs'>
  /** Its stream ended again and again, and brought nothing. */
  readonly onHopeless: (id: RequestId) => void
}

/**
 * The stream of a request that brings nothing is given up with that request: its caller waits. The server's own stream has
 * nobody that waits, and proxies in common use end it every minute, some servers at once: it is opened again for as long as
 * the session lives, ever more slowly where it does not hold. Neither ends a session, which a server may keep a browser for.
 */
export function createStreamResumes({ timing, onHopeless }: StreamResumesDeps): StreamResumes {
  const streamOf = new AsyncLocalStorage<RequestId>()
  const resumes = new Map<RequestId, number>()
  let quickEnds = 0
  let openedMs = performance.now()

  function ownDelayMs(delayMs: number): number {
    quickEnds = performance.now() - openedMs < STREAM_STOOD_MS ? quickEnds + 1 : 1
    return Math.min(delayMs * 2 ** (quickEnds - 1), Math.max(delayMs, STREAM_SLOWEST_MS))
  }

  function reopenOwn(reopen: () => void): void {
    openedMs = performance.now()
    reopen()
  }

  return {
    within: (id, run) => streamOf.run(id, run),
    received() {
      const id = streamOf.getStore()
      if (id === undefined) quickEnds = 0
      else resumes.delete(id)
    },
    forget: (id) => void resumes.delete(id),
    resume(reopen, askedMs) {
      const id = streamOf.getStore()
      // A server may ask for 1 ms, and end every stream at once.
      const delayMs = Math.max(askedMs, timing.streamResumeMs)
      if (id === undefined) return later(() => reopenOwn(reopen), ownDelayMs(delayMs), 'unref')
      const count = (resumes.get(id) ?? 0) + 1
      resumes.set(id, count)
      if (count <= STREAM_RESUMES_MAX) return later(reopen, delayMs, 'ref')
      onHopeless(id)
      return undefined
    },
  }
}

/** Somebody waits for an answer; for what a server may say by itself nothing is kept running. */
function later(run: () => void, waitMs: number, hold: 'ref' | 'unref'): () => void {
  const timer = setTimeout(run, waitMs)
  if (hold === 'unref') timer.unref()
  return () => clearTimeout(timer)
}
