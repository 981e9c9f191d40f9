import type { RunClock } from '../program-host.ts'

/** Time that a run may take; it stands still while a person or the client is waited for. */
export class WallClock implements RunClock {
  readonly #onExpired: () => void
  #leftMs: number
  #usedMs = 0
  #tickingSinceMs: number | undefined
  #pauses = 0
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(limitMs: number, onExpired: () => void) {
    this.#leftMs = limitMs
    this.#onExpired = onExpired
    this.#tick()
  }

  pause(): void {
    this.#pauses++
    this.#hold()
  }

  resume(): void {
    if (this.#pauses === 0 || --this.#pauses > 0 || this.#isStopped) return
    this.#tick()
  }

  stop(): void {
    this.#hold()
    this.#isStopped = true
  }

  /** Milliseconds that counted so far. */
  usedMs(): number {
    const running = this.#tickingSinceMs === undefined ? 0 : performance.now() - this.#tickingSinceMs
    return this.#usedMs + running
  }

  #tick(): void {
    this.#tickingSinceMs = performance.now()
    this.#timer = setTimeout(this.#onExpired, Math.max(0, this.#leftMs))
  }

  #hold(): void {
    clearTimeout(this.#timer)
    if (this.#tickingSinceMs === undefined) return
    const ticked = performance.now() - this.#tickingSinceMs
    this.#tickingSinceMs = undefined
    this.#usedMs += ticked
    this.#leftMs -= ticked
  }
}
