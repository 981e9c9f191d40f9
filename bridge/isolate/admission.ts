import { availableParallelism } from 'node:os'
import { Cores } from './cores.ts'
import { CORES_MIN, QUEUE_MAX, QUEUE_MAX_PER_TENANT } from './limits.ts'
import { FairQueue } from './queue.ts'
import type { WorkerSlot } from './worker/worker-slot.ts'
import type { WorkerStock } from './worker/worker-stock.ts'

interface Waiting {
  readonly tenant: string
  readonly give: (slot: WorkerSlot | undefined) => void
}

/** Who gets a worker, and who waits: tenants in turn, within bounds, and none of them ever holds the last one. */
export class Admission {
  readonly #stock: WorkerStock
  readonly #max: number
  readonly #queueWaitMs: number
  readonly #queue = new FairQueue<Waiting>()
  readonly #runningOf = new Map<string, number>()
  readonly #cores = new Cores(Math.max(CORES_MIN, availableParallelism()), () => this.serve())
  #isClosed = false

  constructor(stock: WorkerStock, options: { readonly max: number; readonly queueWaitMs: number }) {
    this.#stock = stock
    this.#max = options.max
    this.#queueWaitMs = options.queueWaitMs
  }

  get queued(): number {
    return this.#queue.size
  }

  /** Runs that would start if there were workers for them. */
  get wanting(): number {
    return this.#cores.isCrowded ? 0 : Math.min(this.#queue.size, this.#cores.free)
  }

  /**
   * A live worker for one run of this tenant, at once or after its turn in the queue; undefined when there is none in
   * time. It counts as the tenant's until `leave`.
   */
  async acquire(tenant: string, signal: AbortSignal): Promise<WorkerSlot | undefined> {
    for (;;) {
      const slot = await this.#acquireAny(tenant, signal)
      // A worker may die, or the pool be closed, between being given and being used.
      if (slot === undefined || (slot.state === 'idle' && !signal.aborted)) return slot
      this.leave(tenant)
      if (slot.state === 'idle') this.giveBack(slot)
      if (signal.aborted) return undefined
    }
  }

  /** One run of the tenant holds its worker no longer. */
  leave(tenant: string): void {
    this.#count(tenant, -1)
    this.serve()
  }

  /** A worker that was acquired and not used. */
  giveBack(slot: WorkerSlot): void {
    this.#cores.release(slot)
    this.#stock.giveBack(slot)
    this.serve()
  }

  /** A worker computes no more. */
  onIdle(slot: WorkerSlot): void {
    this.#cores.release(slot)
    this.serve()
  }

  /** Gives idle workers to those who wait. */
  serve(): void {
    while (this.#queue.size > 0 && this.#stock.hasIdle && this.#cores.free > 0) {
      const waiting = this.#queue.take((tenant) => this.#mayRun(tenant))
      if (waiting === undefined) break
      waiting.give(this.#take(waiting.tenant))
    }
    if (this.#queue.size > 0) this.#stir()
  }

  /** Whoever waits gets nothing. */
  close(): void {
    this.#isClosed = true
    this.#cores.close()
    for (let waiting = this.#queue.take(() => true); waiting !== undefined; waiting = this.#queue.take(() => true)) {
      waiting.give(undefined)
    }
  }

  #acquireAny(tenant: string, signal: AbortSignal): Promise<WorkerSlot | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    if (this.#queue.size === 0 && this.#mayRun(tenant) && this.#cores.free > 0) {
      const slot = this.#take(tenant)
      if (slot !== undefined) return Promise.resolve(slot)
    }
    const isFull = this.#queue.size >= QUEUE_MAX || this.#queue.sizeOf(tenant) >= QUEUE_MAX_PER_TENANT
    if (isFull) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const giveUp = (): void => {
        if (this.#queue.remove(tenant, waiting)) waiting.give(undefined)
      }
      const timer = setTimeout(giveUp, this.#queueWaitMs)
      const waiting: Waiting = {
        tenant,
        give: (slot) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', giveUp)
          resolve(slot)
        },
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#queue.add(tenant, waiting)
      this.serve()
    })
  }

  #take(tenant: string): WorkerSlot | undefined {
    const slot = this.#stock.take()
    if (slot === undefined) return undefined
    this.#count(tenant, 1)
    this.#cores.hold(slot)
    return slot
  }

  /** What those who wait lack: a core, or a worker. */
  #stir(): void {
    const { free, isCrowded } = this.#cores
    if (free === 0 || isCrowded) this.#cores.wait()
    if (free > 0) this.#stock.grow()
  }

  /**
   * One tenant never holds the last worker, nor all the time of the cores: others' programs start even while all of its own
   * wait for slow tools, or compute.
   */
  #mayRun(tenant: string): boolean {
    const running = this.#runningOf.get(tenant) ?? 0
    if (running === 0) return true
    return running < this.#max - 1 && !this.#cores.isCrowded
  }

  #count(tenant: string, change: 1 | -1): void {
    const count = (this.#runningOf.get(tenant) ?? 0) + change
    if (count <= 0) this.#runningOf.delete(tenant)
    else this.#runningOf.set(tenant, count)
  }
}
