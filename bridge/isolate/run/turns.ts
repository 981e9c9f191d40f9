import { FairQueue } from '../queue.ts'

/**
 * Lets one piece of work start in each turn of the event loop, tenants one after the other. A search over a large catalog
 * takes milliseconds of the gateway's only thread, and so do suggestions for a wrong id: a program that asks for a hundred
 * at once must not have them back to back, with every other client waiting behind.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>()
  #isTaken = false

  /** @returns undefined when the work may start at once */
  take(tenant: string): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.add(tenant, resolve))
    this.#isTaken = true
    setImmediate(() => this.#next())
    return undefined
  }

  #next(): void {
    const start = this.#waiting.take(() => true)
    if (start === undefined) {
      this.#isTaken = false
      return
    }
    start()
    // In the next turn: what clients have sent meanwhile comes first.
    setImmediate(() => this.#next())
  }
}
