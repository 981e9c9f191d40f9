import { COMPUTING_PER_CORE, CORE_HOLD_MS, CORE_LOOK_MS, CORE_WAITING_MS } from './limits.ts'

/** A worker, as far as it counts here. */
export interface Computing {
  readonly state: string
  /** How long its program has waited for answers, ms; 0 while it computes. */
  readonly waitingMs: number
}

/**
 * The machine's cores, held by workers that compute. More programs at one time than cores make each slower and none
 * faster: caches are cold at every change. A worker holds a core from the start of a run until it is ready for the next,
 * unless its program waits for an answer or has computed for long: then the next run starts beside it.
 */
export class Cores {
  readonly #count: number
  readonly #onFree: () => void
  readonly #heldSinceMs = new Map<Computing, number>()
  #look: NodeJS.Timeout | undefined

  constructor(count: number, onFree: () => void) {
    this.#count = count
    this.#onFree = onFree
  }

  /** Runs that may start now. */
  get free(): number {
    return Math.max(0, this.#count - this.#computing(CORE_HOLD_MS))
  }

  /** Whether as many programs compute for long as may: further ones would each get too little to end in their time. */
  get isCrowded(): boolean {
    return this.#computing(Number.POSITIVE_INFINITY) >= COMPUTING_PER_CORE * this.#count
  }

  hold(worker: Computing): void {
    this.#heldSinceMs.set(worker, performance.now())
  }

  release(worker: Computing): void {
    this.#heldSinceMs.delete(worker)
  }

  /** Somebody waits for a core: `onFree` is called soon, and may find none yet. */
  wait(): void {
    this.#look ??= setTimeout(() => {
      this.#look = undefined
      this.#onFree()
    }, CORE_LOOK_MS)
  }

  close(): void {
    clearTimeout(this.#look)
  }

  /** Workers that compute and began no longer ago than this; those whose programs wait do not. */
  #computing(agoMs: number): number {
    const nowMs = performance.now()
    let count = 0
    for (const [worker, sinceMs] of this.#heldSinceMs) {
      if (worker.state === 'gone') this.#heldSinceMs.delete(worker)
      else if (worker.waitingMs <= CORE_WAITING_MS && nowMs - sinceMs <= agoMs) count++
    }
    return count
  }
}
