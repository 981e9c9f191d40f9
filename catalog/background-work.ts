import { setImmediate as betweenOthers } from 'node:timers/promises'
import { WORK_AT_ONCE_STEPS, WORK_SLICE_MS } from './limits.ts'

/**
 * Long work of one process, done a little at a time with everything else in between. All of it shares the same slices:
 * a hundred servers that come up together hold the thread no longer than one.
 */
export interface BackgroundWork {
  /**
   * Begins at once, and gives undefined where that was all there is to do. Else the promise resolves after the last step,
   * or after `close`; it rejects with what a step throws. Work that is no longer wanted ends its steps itself.
   */
  run(steps: Iterator<unknown>): Promise<void> | undefined
  /** The same for what nobody waits for: nothing of it before the next slice, nor while there is other work. */
  later(steps: Iterator<unknown>): Promise<void>
  /** Ends what is under way where it is, and begins nothing any more. Safe to call twice. */
  close(): void
}

export interface BackgroundWorkDeps {
  /** Milliseconds that only go forward. */
  readonly nowMs?: () => number
  /** Lets everything else that waits have its turn. */
  readonly pause?: () => Promise<unknown>
}

export function createBackgroundWork(deps: BackgroundWorkDeps = {}): BackgroundWork {
  return new SlicedWork(deps)
}

interface Job {
  readonly steps: Iterator<unknown>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

class SlicedWork implements BackgroundWork {
  readonly #nowMs: () => number
  readonly #pause: () => Promise<unknown>
  readonly #jobs: Job[] = []
  readonly #laterJobs: Job[] = []
  #isWorking = false
  #isClosed = false

  constructor({ nowMs = () => performance.now(), pause = () => betweenOthers() }: BackgroundWorkDeps) {
    this.#nowMs = nowMs
    this.#pause = pause
  }

  run(steps: Iterator<unknown>): Promise<void> | undefined {
    if (this.#isClosed) return undefined
    // Short work is done before anybody can ask for its result, also on a machine that is slow to begin.
    for (let step = 0; step < WORK_AT_ONCE_STEPS; step += 1) if (steps.next().done === true) return undefined
    return this.#isDoneInSlice(steps) ? undefined : this.#queue(this.#jobs, steps)
  }

  later(steps: Iterator<unknown>): Promise<void> {
    return this.#isClosed ? Promise.resolve() : this.#queue(this.#laterJobs, steps)
  }

  close(): void {
    this.#isClosed = true
    for (const { resolve } of [...this.#jobs.splice(0), ...this.#laterJobs.splice(0)]) resolve()
  }

  #queue(jobs: Job[], steps: Iterator<unknown>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    jobs.push({ steps, resolve, reject })
    if (!this.#isWorking) void this.#work()
    return promise
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (;;) {
      await this.#pause()
      // One after the other, a slice each: a long list keeps no short one waiting for its end.
      const jobs = this.#jobs.length > 0 ? this.#jobs : this.#laterJobs
      const job = jobs.shift()
      if (job === undefined) break
      try {
        if (this.#isDoneInSlice(job.steps)) job.resolve()
        else if (!this.#isClosed) jobs.push(job)
        else job.resolve()
      } catch (error) {
        job.reject(error)
      }
    }
    this.#isWorking = false
  }

  #isDoneInSlice(steps: Iterator<unknown>): boolean {
    const endMs = this.#nowMs() + WORK_SLICE_MS
    do if (steps.next().done === true) return true
    while (this.#nowMs() < endMs)
    return false
  }
}
