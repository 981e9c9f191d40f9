import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { IsolateError } from './errors.ts'
import {
  DEFAULT_LIMITS,
  QUEUE_MAX,
  QUEUE_MAX_PER_TENANT,
  QUEUE_WAIT_MS,
  SOURCE_MAX_BYTES,
  SPARE_ISOLATES,
  WATCHDOG_INTERVAL_MS,
  WORKERS_MIN,
  WORKERS_PER_CORE,
  WORKERS_STARTING,
  WORKER_IDLE_MS,
  WORKER_START_FAILURES,
  WORKER_START_PAUSE_MS,
} from './limits.ts'
import { PRELUDE_NAME, WARM_UP, loadPrelude } from './prelude.ts'
import type { ProgramEnd, ProgramHost, ProgramHostStatus, ProgramRequest } from './program-host.ts'
import { FairQueue } from './queue.ts'
import { clampLimits } from './run/clamp-limits.ts'
import { notRun } from './run/not-run.ts'
import { ProgramRun } from './run/program-run.ts'
import { programSettings } from './run/program-settings.ts'
import { Turns } from './run/turns.ts'
import type { Layers } from './worker/layers.ts'
import { readLayers } from './worker/layers.ts'
import { createUsageReader } from './worker/process-usage.ts'
import { confine } from './worker/self-check.ts'
import type { Confinement } from './worker/worker-command.ts'
import { findAddon } from './worker/worker-command.ts'
import { WorkerSlot } from './worker/worker-slot.ts'

export interface IsolatePoolOptions {
  /** Workers kept ready, default 2. */
  readonly workersMin?: number
  /** Workers at most, default 4 a core. */
  readonly workersMax?: number
  /** Memory limit that isolates are made ahead with, MiB, default 64. */
  readonly memoryMb?: number
  /** Compile programs to machine code: faster in loops, and a larger attack surface. Default false. */
  readonly jit?: boolean
  /** How long a run waits for a worker before it ends `busy`, default 10 s. */
  readonly queueWaitMs?: number
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

interface Waiting {
  readonly tenant: string
  readonly give: (slot: WorkerSlot | undefined) => void
}

class IsolatePool implements ProgramHost {
  readonly #options: IsolatePoolOptions & { readonly jit: boolean }
  readonly #confinement: Confinement
  readonly #source = loadPrelude()
  readonly #readUsage = createUsageReader()
  readonly #slots = new Set<WorkerSlot>()
  /** Idle workers, the longest idle first. */
  readonly #idle: WorkerSlot[] = []
  readonly #queue = new FairQueue<Waiting>()
  readonly #runs = new Set<ProgramRun>()
  readonly #turns = new Turns()
  readonly #runningOf = new Map<string, number>()
  readonly #min: number
  readonly #max: number
  #started = 0
  #failures = 0
  #layers: Layers = {}
  #watch: NodeJS.Timeout | undefined
  #restart: NodeJS.Timeout | undefined
  #isClosed = false
  #onFirstIdle: ((problem: string | undefined) => void) | undefined

  constructor(options: IsolatePoolOptions & { readonly jit: boolean }, confinement: Confinement) {
    this.#options = options
    this.#confinement = confinement
    this.#max = Math.max(1, options.workersMax ?? WORKERS_PER_CORE * availableParallelism())
    this.#min = Math.min(this.#max, Math.max(1, options.workersMin ?? WORKERS_MIN))
  }

  async start(): Promise<void> {
    const problem = await new Promise<string | undefined>((resolve) => {
      this.#onFirstIdle = resolve
      this.#grow()
    })
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
    const slot = await this.#acquireLive(request.tenant, signal)
    if (slot === undefined) {
      if (signal.aborted || this.#isClosed) return notRun('error', 'cancelled', STOPPED)
      return notRun('busy', 'cancelled', 'no worker came free in time; try again in a few seconds')
    }
    return this.#runOn(slot, request, signal)
  }

  status(): ProgramHostStatus {
    const sizes = [...this.#slots].flatMap((slot) => this.#readUsage?.(slot.pid)?.residentBytes ?? [])
    return {
      ...(sizes.length === 0 ? {} : { residentBytes: Math.max(...sizes) }),
      workers: this.#slots.size,
      busy: [...this.#slots].filter((slot) => slot.state === 'running').length,
      queued: this.#queue.size,
      layers: this.#layers,
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#restart)
    for (const run of this.#runs) run.endFromOutside('cancelled', 'the gateway stops')
    for (let waiting = this.#queue.take(() => true); waiting !== undefined; waiting = this.#queue.take(() => true)) {
      waiting.give(undefined)
    }
    for (const slot of this.#slots) slot.kill()
    clearInterval(this.#watch)
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
          this.#count(tenant, -1)
          current = await this.#acquireLive(tenant, signal)
          if (current !== undefined && run.hasEnded) {
            this.#count(tenant, -1)
            this.#giveBack(current)
            current = undefined
          }
          return current?.assign(run, limits)
        },
        onEnd: (end) => {
          signal.removeEventListener('abort', cancel)
          this.#runs.delete(run)
          if (current !== undefined) this.#count(tenant, -1)
          if (current?.state === 'running') current.release(end.worker)
          current = undefined
          resolve(end)
        },
        onDefect: (error) => this.#options.onDefect?.(error),
      })
      this.#runs.add(run)
      signal.addEventListener('abort', cancel, { once: true })
      run.start(slot.assign(run, limits))
      this.#startWatching()
    })
  }

  /** A worker may die, or the pool be closed, between being given and being used. */
  async #acquireLive(tenant: string, signal: AbortSignal): Promise<WorkerSlot | undefined> {
    for (;;) {
      const slot = await this.#acquire(tenant, signal)
      if (slot === undefined || (slot.state === 'idle' && !signal.aborted)) return slot
      this.#count(tenant, -1)
      if (slot.state === 'idle') this.#giveBack(slot)
      if (signal.aborted) return undefined
    }
  }

  /** A worker for one run of this tenant, at once or after its turn in the queue; undefined when there is none in time. */
  #acquire(tenant: string, signal: AbortSignal): Promise<WorkerSlot | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    if (this.#queue.size === 0 && this.#mayRun(tenant)) {
      const slot = this.#idle.shift()
      if (slot !== undefined) {
        this.#count(tenant, 1)
        return Promise.resolve(slot)
      }
    }
    const isFull = this.#queue.size >= QUEUE_MAX || this.#queue.sizeOf(tenant) >= QUEUE_MAX_PER_TENANT
    if (isFull) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const giveUp = (): void => {
        if (this.#queue.remove(tenant, waiting)) waiting.give(undefined)
      }
      const timer = setTimeout(giveUp, this.#options.queueWaitMs ?? QUEUE_WAIT_MS)
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
      this.#grow()
    })
  }

  /** One tenant never holds the last worker: others' programs start even while all of its own wait for slow tools. */
  #mayRun(tenant: string): boolean {
    return (this.#runningOf.get(tenant) ?? 0) < Math.max(1, this.#max - 1)
  }

  #count(tenant: string, change: 1 | -1): void {
    const count = (this.#runningOf.get(tenant) ?? 0) + change
    if (count <= 0) this.#runningOf.delete(tenant)
    else this.#runningOf.set(tenant, count)
    if (change === -1 && this.#queue.size > 0) this.#serve()
  }

  #serve(): void {
    while (this.#queue.size > 0) {
      const slot = this.#idle[0]
      if (slot === undefined) return
      const waiting = this.#queue.take((tenant) => this.#mayRun(tenant))
      if (waiting === undefined) return
      this.#idle.shift()
      this.#count(waiting.tenant, 1)
      waiting.give(slot)
    }
  }

  #giveBack(slot: WorkerSlot): void {
    this.#idle.push(slot)
    this.#serve()
  }

  /** Starts workers until the floor is ready and the queue is served, within the bounds. */
  #grow(): void {
    if (this.#isClosed || this.#restart !== undefined) return
    let starting = 0
    let ready = 0
    for (const slot of this.#slots) {
      if (slot.state === 'starting') starting++
      if (slot.state === 'idle' || slot.state === 'preparing') ready++
    }
    const wanted = this.#min + this.#queue.size - ready
    while (starting < WORKERS_STARTING && starting < wanted && this.#slots.size < this.#max) {
      this.#slots.add(this.#newSlot())
      starting++
    }
  }

  #newSlot(): WorkerSlot {
    return new WorkerSlot({
      commandLine: this.#confinement.commandLine(this.#started++),
      configure: {
        t: 'configure',
        memoryMb: this.#options.memoryMb ?? DEFAULT_LIMITS.memoryMb,
        source: this.#source,
        name: PRELUDE_NAME,
        spares: SPARE_ISOLATES,
        warmUp: { ...WARM_UP, settings: programSettings(DEFAULT_LIMITS, { seed: 0, nowMs: 0 }) },
      },
      readUsage: this.#readUsage,
      onIdle: (slot) => this.#onIdle(slot),
      onGone: (slot, end) => this.#onGone(slot, end),
    })
  }

  #onIdle(slot: WorkerSlot): void {
    this.#failures = 0
    if (this.#onFirstIdle !== undefined) {
      this.#layers = readLayers(slot.pid, this.#options.jit)
      this.#onFirstIdle(undefined)
      this.#onFirstIdle = undefined
    }
    this.#idle.push(slot)
    this.#serve()
    if (this.#idle.length > 0) this.#shrink()
    this.#grow()
  }

  #onGone(slot: WorkerSlot, end: { readonly reason: string; readonly wasStarting: boolean }): void {
    this.#slots.delete(slot)
    const index = this.#idle.indexOf(slot)
    if (index !== -1) this.#idle.splice(index, 1)
    if (this.#isClosed) return
    if (end.reason !== 'killed') this.#options.onDefect?.(new Error(`worker ${slot.pid} ended: ${end.reason}`))
    if (end.wasStarting && ++this.#failures >= WORKER_START_FAILURES) return this.#pauseStarting(end.reason)
    this.#grow()
  }

  /** Something is wrong with the machine: not in a loop. */
  #pauseStarting(reason: string): void {
    this.#onFirstIdle?.(reason)
    this.#onFirstIdle = undefined
    this.#restart = setTimeout(() => {
      this.#restart = undefined
      this.#failures = 0
      this.#grow()
    }, WORKER_START_PAUSE_MS)
  }

  #shrink(): void {
    const now = performance.now()
    while (this.#idle.length > this.#min) {
      const oldest = this.#idle[0]
      if (oldest === undefined || now - oldest.idleSinceMs < WORKER_IDLE_MS) return
      oldest.kill()
    }
  }

  #startWatching(): void {
    if (this.#watch !== undefined) return
    this.#watch = setInterval(() => {
      for (const slot of this.#slots) slot.watch()
      if (this.#runs.size > 0) return
      clearInterval(this.#watch)
      this.#watch = undefined
    }, WATCHDOG_INTERVAL_MS)
  }
}
