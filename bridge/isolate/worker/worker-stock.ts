import type { Confinement } from './worker-command.ts'
import {
  DEFAULT_LIMITS,
  SPARE_ISOLATES,
  START_LOOK_MS,
  START_PATIENCE_MS,
  WATCHDOG_INTERVAL_MS,
  WORKERS_STARTING,
  WORKER_IDLE_MS,
  WORKER_START_FAILURES,
  WORKER_START_PAUSE_MS,
} from '../limits.ts'
import { PRELUDE_NAME, WARM_UP, loadPrelude } from '../prelude.ts'
import { programSettings } from '../run/program-settings.ts'
import { canReturn } from './cpu-priority.ts'
import type { Layers } from './layers.ts'
import { readLayers } from './layers.ts'
import { createUsageReader } from './process-usage.ts'
import { WorkerSlot } from './worker-slot.ts'

export interface WorkerStockDeps {
  readonly confinement: Confinement
  readonly jit: boolean
  /** Memory limit that isolates are made ahead with, MiB. */
  readonly memoryMb: number
  /** Workers kept ready, and workers at most. */
  readonly min: number
  readonly max: number
  /** How long a worker above the floor may be idle; 30 s where it is not said. */
  readonly idleMs?: number
  /** Runs that would start now if there were workers for them. */
  readonly waiting: () => number
  /** A worker can take a run; called for each time that one becomes able to. */
  readonly onIdle: (slot: WorkerSlot) => void
  /** Gets how a worker ended that nobody killed. */
  readonly onDefect: (error: unknown) => void
}

/** The workers: a floor of them kept ready, more while runs wait, fewer again after a while without work. */
export class WorkerStock {
  readonly #deps: WorkerStockDeps
  readonly #source = loadPrelude()
  readonly #readUsage = createUsageReader()
  readonly #slots = new Set<WorkerSlot>()
  /** Idle workers, the longest idle first. */
  readonly #idle: WorkerSlot[] = []
  #started = 0
  #failures = 0
  #layers: Layers = {}
  #canYield = false
  #watch: NodeJS.Timeout | undefined
  #restart: NodeJS.Timeout | undefined
  #shrinking: NodeJS.Timeout | undefined
  #starting: NodeJS.Timeout | undefined
  #isClosed = false
  #onFirstIdle: ((problem: string | undefined) => void) | undefined

  constructor(deps: WorkerStockDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#slots.size
  }

  get busy(): number {
    return [...this.#slots].filter((slot) => slot.state === 'running').length
  }

  get hasIdle(): boolean {
    return this.#idle.length > 0
  }

  /** What confines the workers, read from the first that was ready. */
  get layers(): Layers {
    return this.#layers
  }

  /** Resident memory of the largest worker, bytes; undefined where the machine does not say. */
  get residentBytes(): number | undefined {
    const sizes = [...this.#slots].flatMap((slot) => this.#readUsage?.(slot.pid)?.residentBytes ?? [])
    return sizes.length === 0 ? undefined : Math.max(...sizes)
  }

  /** @returns why none starts; undefined once one is ready */
  start(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#onFirstIdle = resolve
      this.grow()
    })
  }

  /** The worker that was busy last: its caches are warm, and those that load no longer needs come to rest. */
  take(): WorkerSlot | undefined {
    return this.#idle.pop()
  }

  giveBack(slot: WorkerSlot): void {
    this.#idle.push(slot)
  }

  /** Starts workers until the floor is ready and those who wait are served, within the bounds. */
  grow(): void {
    if (this.#isClosed || this.#restart !== undefined || this.#missing() === 0) return
    if (this.#count(['idle', 'preparing']) === 0 || this.#deps.waiting() > 0) this.#startMissing()
    else this.#startSoon(performance.now() + START_PATIENCE_MS)
  }

  /** Workers to be started now. */
  #missing(): number {
    const { min, max, waiting } = this.#deps
    const starting = this.#count(['starting'])
    const wanted = min + waiting() - this.#count(['idle', 'preparing'])
    return Math.max(0, Math.min(WORKERS_STARTING, wanted, max - this.#slots.size + starting) - starting)
  }

  #count(states: readonly WorkerSlot['state'][]): number {
    let count = 0
    for (const { state } of this.#slots) if (states.includes(state)) count++
    return count
  }

  #startMissing(): void {
    for (let count = this.#missing(); count > 0; count--) this.#slots.add(this.#newSlot())
  }

  /**
   * Between two runs: the system copies the gateway's page tables for a new process, which takes its thread for 5 ms and
   * more, and a run that is under way would wait for that.
   */
  #startSoon(untilMs: number): void {
    this.#starting ??= setTimeout(() => {
      this.#starting = undefined
      if (this.#isClosed || this.#restart !== undefined) return
      if (this.busy > 0 && performance.now() < untilMs) this.#startSoon(untilMs)
      else this.#startMissing()
    }, START_LOOK_MS)
  }

  /** Looks at the workers from outside every few milliseconds, for as long as there are runs. */
  watchWhile(hasRuns: () => boolean): void {
    if (this.#watch !== undefined) return
    this.#watch = setInterval(() => {
      for (const slot of this.#slots) slot.watch()
      if (hasRuns()) return
      clearInterval(this.#watch)
      this.#watch = undefined
    }, WATCHDOG_INTERVAL_MS)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#restart)
    clearTimeout(this.#shrinking)
    clearTimeout(this.#starting)
    for (const slot of this.#slots) slot.kill()
    clearInterval(this.#watch)
  }

  #newSlot(): WorkerSlot {
    return new WorkerSlot({
      commandLine: this.#deps.confinement.commandLine(this.#started++),
      configure: {
        t: 'configure',
        memoryMb: this.#deps.memoryMb,
        source: this.#source,
        name: PRELUDE_NAME,
        spares: SPARE_ISOLATES,
        warmUp: { ...WARM_UP, settings: programSettings(DEFAULT_LIMITS, { seed: 0, nowMs: 0 }) },
      },
      readUsage: this.#readUsage,
      canYield: () => this.#canYield,
      onIdle: (slot) => this.#onIdle(slot),
      onGone: (slot, end) => this.#onGone(slot, end),
    })
  }

  #onIdle(slot: WorkerSlot): void {
    this.#failures = 0
    if (this.#onFirstIdle !== undefined) {
      this.#layers = readLayers(slot.pid, this.#deps.jit)
      this.#canYield = canReturn(slot.pid)
      this.#onFirstIdle(undefined)
      this.#onFirstIdle = undefined
    }
    this.#idle.push(slot)
    this.#deps.onIdle(slot)
    this.#shrinkLater()
    this.grow()
  }

  #onGone(slot: WorkerSlot, end: { readonly reason: string; readonly wasStarting: boolean }): void {
    this.#slots.delete(slot)
    const index = this.#idle.indexOf(slot)
    if (index !== -1) this.#idle.splice(index, 1)
    if (this.#isClosed) return
    if (end.reason !== 'killed') this.#deps.onDefect(new Error(`worker ${slot.pid} ended: ${end.reason}`))
    if (end.wasStarting && ++this.#failures >= WORKER_START_FAILURES) return this.#pauseStarting(end.reason)
    this.grow()
  }

  /** Something is wrong with the machine: not in a loop. */
  #pauseStarting(reason: string): void {
    this.#onFirstIdle?.(reason)
    this.#onFirstIdle = undefined
    this.#restart = setTimeout(() => {
      this.#restart = undefined
      this.#failures = 0
      this.grow()
    }, WORKER_START_PAUSE_MS)
  }

  /** By a timer of its own: after the last program of a rush there is no other that would tell. */
  #shrinkLater(): void {
    const { min, idleMs = WORKER_IDLE_MS } = this.#deps
    if (this.#shrinking !== undefined || this.#idle.length <= min || this.#isClosed) return
    this.#shrinking = setTimeout(() => {
      this.#shrinking = undefined
      this.#shrink(idleMs)
      this.#shrinkLater()
    }, idleMs).unref()
  }

  #shrink(idleMs: number): void {
    const now = performance.now()
    while (this.#idle.length > this.#deps.min) {
      const oldest = this.#idle[0]
      if (oldest === undefined || now - oldest.idleSinceMs < idleMs) return
      oldest.kill()
    }
  }
}
