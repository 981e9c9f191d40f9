import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Admission } from './admission.ts'
import { IsolateError } from './errors.ts'
import { DEFAULT_LIMITS, QUEUE_WAIT_MS, SOURCE_MAX_BYTES, WORKERS_MIN, WORKERS_PER_CORE } from './limits.ts'
import type { ProgramEnd, ProgramHost, ProgramHostStatus, ProgramRequest } from './program-host.ts'
import { clampLimits } from './run/clamp-limits.ts'
import { notRun } from './run/not-run.ts'
import { ProgramRun } from './run/program-run.ts'
import { Turns } from './run/turns.ts'
import { confine } from './worker/self-check.ts'
import type { Confinement } from './worker/worker-command.ts'
import { findAddon } from './worker/worker-command.ts'
import type { WorkerSlot } from './worker/worker-slot.ts'
import { WorkerStock } from './worker/worker-stock.ts'

export interface IsolatePoolOptions {
  /** Workers kept ready, default 2. */
  readonly workersMin?: number
  /** Workers at most, default 8 a core: so many programs can wait for their tools at one time. */
  readonly workersMax?: number
  /** Memory limit that isolates are made ahead with, MiB, default 64. */
  readonly memoryMb?: number
  /** Compile programs to machine code: faster in loops, and a larger attack surface. Default false. */
  readonly jit?: boolean
  /** How long a run waits for a worker before it ends `busy`, default 10 s. */
  readonly queueWaitMs?: number
  /** How long a worker above those that are kept ready may be idle before it ends, default 30 s. */
  readonly idleMs?: number
  /** The Node that runs workers, default the running one. */
  readonly node?: string
  /** Gets what neither model nor client may see: a rejected `answer`, a worker that could not start. */
  readonly onDefect?: (error: unknown) => void
}

/**
 * Starts workers and checks that they are confined.
 * @throws {IsolateError} when none can start, or when one could do what it must not
 */
export async function createIsolatePool(options: IsolatePoolOptions = {}): Promise<ProgramHost> {
  const jit = options.jit ?? false
  const files = {
    node: options.node ?? process.execPath,
    addon: findAddon(),
    worker: fileURLToPath(new URL('worker.mjs', import.meta.url)),
  }
  const confinement = await confine(files, jit)
  const pool = new IsolatePool({ ...options, jit }, confinement)
  await pool.start()
  return pool
}

const STOPPED = 'the run was cancelled before it started'

class IsolatePool implements ProgramHost {
  readonly #onDefect: (error: unknown) => void
  readonly #stock: WorkerStock
  readonly #admission: Admission
  readonly #runs = new Set<ProgramRun>()
  readonly #turns = new Turns()
  #isClosed = false

  constructor(options: IsolatePoolOptions & { readonly jit: boolean }, confinement: Confinement) {
    const max = Math.max(1, options.workersMax ?? WORKERS_PER_CORE * availableParallelism())
    this.#onDefect = (error) => options.onDefect?.(error)
    this.#stock = new WorkerStock({
      confinement,
      jit: options.jit,
      memoryMb: options.memoryMb ?? DEFAULT_LIMITS.memoryMb,
      min: Math.min(max, Math.max(1, options.workersMin ?? WORKERS_MIN)),
      max,
      ...(options.idleMs !== undefined && { idleMs: options.idleMs }),
      waiting: () => this.#admission.wanting,
      onIdle: (slot) => this.#admission.onIdle(slot),
      onDefect: this.#onDefect,
    })
    this.#admission = new Admission(this.#stock, { max, queueWaitMs: options.queueWaitMs ?? QUEUE_WAIT_MS })
  }

  async start(): Promise<void> {
    const problem = await this.#stock.start()
    if (problem === undefined) return
    await this.close()
    throw new IsolateError('isolate-worker-failed', `no worker starts: ${problem}`)
  }

  async run(request: ProgramRequest, signal: AbortSignal): Promise<ProgramEnd> {
    if (signal.aborted || this.#isClosed) return notRun(this.#isClosed ? 'busy' : 'error', 'cancelled', STOPPED)
    const bytes = Buffer.byteLength(request.code)
    if (bytes > SOURCE_MAX_BYTES) {
      return notRun('error', 'limit', `the program has ${bytes} bytes, more than ${SOURCE_MAX_BYTES}; send less`)
    }
    const slot = await this.#admission.acquire(request.tenant, signal)
    if (slot === undefined) {
      if (signal.aborted || this.#isClosed) return notRun('error', 'cancelled', STOPPED)
      return notRun('busy', 'cancelled', 'no worker came free in time; try again in a few seconds')
    }
    return this.#runOn(slot, request, signal)
  }

  status(): ProgramHostStatus {
    const { residentBytes, size: workers, busy, layers } = this.#stock
    return {
      ...(residentBytes === undefined ? {} : { residentBytes }),
      workers,
      busy,
      queued: this.#admission.queued,
      layers,
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    // First, so that no run that ends hands its worker to one that waits.
    this.#admission.close()
    for (const run of this.#runs) run.endFromOutside('cancelled', 'the gateway stops')
    this.#stock.close()
  }

  #runOn(slot: WorkerSlot, request: ProgramRequest, signal: AbortSignal): Promise<ProgramEnd> {
    const limits = clampLimits(request.limits)
    const { tenant } = request
    return new Promise((resolve) => {
      let current: WorkerSlot | undefined = slot
      const cancel = (): void => run.endFromOutside('cancelled', 'the run was cancelled')
      const run = new ProgramRun({
        request,
        limits,
        turn: () => this.#turns.take(tenant),
        replaceWorker: async () => {
          this.#admission.leave(tenant)
          current = await this.#admission.acquire(tenant, signal)
          if (current !== undefined && run.hasEnded) {
            this.#admission.leave(tenant)
            this.#admission.giveBack(current)
            current = undefined
          }
          return current?.assign(run, limits)
        },
        onEnd: (end) => {
          signal.removeEventListener('abort', cancel)
          this.#runs.delete(run)
          if (current !== undefined) this.#admission.leave(tenant)
          if (current?.state === 'running') current.release(end.worker)
          current = undefined
          resolve(end)
        },
        onDefect: (error) => this.#onDefect(error),
      })
      this.#runs.add(run)
      signal.addEventListener('abort', cancel, { once: true })
      run.start(slot.assign(run, limits))
      this.#stock.watchWhile(() => this.#runs.size > 0)
    })
  }
}
