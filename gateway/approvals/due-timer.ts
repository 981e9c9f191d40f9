import { STORE_RETRY_MS, TIMER_MS_MAX } from './limits.ts'

export interface DueTimerDeps {
  /** Does what is due. What it rejects with is reported, and it is tried again a second later. */
  readonly work: () => Promise<void>
  /** When something is due next; undefined where nothing waits. */
  readonly nextMs: () => Promise<number | undefined>
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** Works off rows at their time, with one timer however many rows wait. */
export interface DueTimer {
  /** Looks anew: something was added, or its time was moved. */
  look(): void
  /** No work starts after it; resolves when what was under way is done. Safe to call twice. */
  stop(): Promise<void>
}

export function createDueTimer(deps: DueTimerDeps): DueTimer {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let isAskedAgain = false
  let isStopped = false

  const arm = (ms: number): void => {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(look, Math.max(0, Math.min(ms, TIMER_MS_MAX)))
    timer.unref()
  }
  const round = async (): Promise<void> => {
    try {
      do {
        isAskedAgain = false
        await deps.work()
      } while (isAskedAgain)
      const next = await deps.nextMs()
      if (isAskedAgain) arm(0)
      else if (next !== undefined) arm(next - deps.now())
    } catch (error) {
      deps.onError(error)
      arm(STORE_RETRY_MS)
    }
  }
  function look(): void {
    if (isStopped) return
    if (working !== undefined) {
      isAskedAgain = true
      return
    }
    working = round().finally(() => {
      working = undefined
    })
  }
  return {
    look,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}
