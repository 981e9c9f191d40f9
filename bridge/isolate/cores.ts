import { CORE_HOLD_MS, CORE_LOOK_MS, CORE_WAITING_MS } from './limits.ts'

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

  get free(): number {
    const nowMs = performance.now()
    for (const [worker, sinceMs] of this.#heldSinceMs) {
      const isOver = nowMs - sinceMs > CORE_HOLD_MS || worker.waitingMs > CORE_WAITING_MS || worker.state === 'gone'
      if (isOver) this.#heldSinceMs.delete(worker)
    }
    return Math.max(0, this.#count - this.#heldSinceMs.size)
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
}
