import {
  CREEP_CHECK_RUNS,
  CPU_SLACK_MS,
  RESIDENT_SLACK_BYTES,
  RUNS_PER_WORKER,
  WORKER_CREEP_BYTES,
  WORKER_START_MS,
  YIELD_CPU_MS,
} from '../limits.ts'
import type { ProgramLimits } from '../program-host.ts'
import type { WorkerCommand, WorkerEvent } from '../protocol.ts'
import { ProtocolError } from '../protocol.ts'
import type { ProgramRun, RunWorker } from '../run/program-run.ts'
import { memoryMessage, timeoutMessage } from '../run/run-messages.ts'
import { setBehind } from './cpu-priority.ts'
import type { ProcessUsage } from './process-usage.ts'
import type { WorkerCommandLine } from './worker-command.ts'
import type { WorkerExit, WorkerProcess } from './worker-process.ts'
import { startWorkerProcess } from './worker-process.ts'

export interface SlotDeps {
  readonly commandLine: WorkerCommandLine
  readonly configure: Extract<WorkerCommand, { t: 'configure' }>
  readonly readUsage: ((pid: number) => ProcessUsage | undefined) | undefined
  /** Whether a worker that was put behind others can be brought back. */
  readonly canYield: () => boolean
  readonly onIdle: (slot: WorkerSlot) => void
  readonly onGone: (slot: WorkerSlot, end: { readonly reason: string; readonly wasStarting: boolean }) => void
}

interface CurrentRun {
  readonly number: number
  readonly run: ProgramRun
  readonly limits: ProgramLimits
  cpuMsBefore: number | undefined
  /** At the last look. */
  cpuMsSeen: number
  isPrepared: boolean
}

/** One worker's life: starting, then idle and running in turn, until it is killed. It never comes back. */
export class WorkerSlot {
  readonly #deps: SlotDeps
  readonly #process: WorkerProcess
  readonly #startTimer: NodeJS.Timeout
  #state: 'starting' | 'idle' | 'running' | 'preparing' | 'gone' = 'starting'
  #current: CurrentRun | undefined
  #runs = 0
  #spares = 0
  #baseBytes: number | undefined
  #idleSinceMs = 0
  #isBehind = false

  constructor(deps: SlotDeps) {
    this.#deps = deps
    this.#process = startWorkerProcess(deps.commandLine, {
      onEvent: (event, bytes) => this.#onEvent(event, bytes),
      onExit: (exit) => this.#onExit(exit),
    })
    this.#startTimer = setTimeout(() => this.#process.kill(), WORKER_START_MS)
    this.#process.send(deps.configure)
  }

  get state(): 'starting' | 'idle' | 'running' | 'preparing' | 'gone' {
    return this.#state
  }

  /** How long its program has waited for answers; 0 while it computes, or makes isolates. */
  get waitingMs(): number {
    return this.#current?.run.waitingMs ?? 0
  }

  get pid(): number {
    return this.#process.pid
  }

  get idleSinceMs(): number {
    return this.#idleSinceMs
  }

  /** Gives the worker to a run; the run then starts itself. */
  assign(run: ProgramRun, limits: ProgramLimits): RunWorker {
    const number = ++this.#runs
    // A run with another memory limit takes none of the isolates made ahead: then one more is left than is counted here,
    // which harms nothing.
    this.#spares = Math.max(0, this.#spares - 1)
    this.#state = 'running'
    this.#current = { number, run, limits, cpuMsBefore: undefined, cpuMsSeen: Infinity, isPrepared: false }
    return { run: number, send: (command) => this.#process.send(command) }
  }

  /** The run has ended: the worker makes itself ready again, or ends. */
  release(fate: 'kept' | 'retired'): void {
    this.#current = undefined
    if (fate === 'retired' || this.#runs >= RUNS_PER_WORKER || this.#creeps()) return this.kill()
    // Later, so that whoever waits for this run, or for a worker that is ready, is served before this one gets busy.
    if (this.#spares > 0) {
      setImmediate(() => this.#process.send({ t: 'dispose' }))
      return this.#becomeIdle()
    }
    this.#state = 'preparing'
    setImmediate(() => this.#process.send({ t: 'prepare' }))
  }

  /** A look from outside, every few milliseconds while it runs. */
  watch(): void {
    const current = this.#current
    if (current === undefined) return
    const usage = this.#deps.readUsage?.(this.pid)
    if (usage !== undefined) {
      const maxBytes = (this.#baseBytes ?? 0) + 2 * current.limits.memoryMb * 1024 * 1024 + RESIDENT_SLACK_BYTES
      if (usage.residentBytes > maxBytes) {
        return current.run.endFromOutside('memory', memoryMessage(current.limits.memoryMb))
      }
      current.cpuMsBefore ??= usage.cpuMs
      this.#yield(current.run.isExecuting && usage.cpuMs - current.cpuMsSeen >= YIELD_CPU_MS)
      current.cpuMsSeen = usage.cpuMs
      current.run.onWatched(usage.cpuMs - current.cpuMsBefore)
      if (usage.cpuMs - current.cpuMsBefore > current.limits.cpuMs + CPU_SLACK_MS) {
        return current.run.endFromOutside('timeout', timeoutMessage('CPU', current.limits.cpuMs))
      }
    }
    if (current.run.isExecuting || current.isPrepared || this.#spares > 0) return
    // It waits for slow operations: the time is good for making the next isolate.
    current.isPrepared = true
    this.#process.send({ t: 'prepare' })
  }

  kill(): void {
    if (this.#state === 'gone') return
    this.#process.kill()
    this.#onExit({ reason: 'killed', wasKilled: true })
  }

  #onEvent(event: WorkerEvent, bytes: number): void {
    if (this.#state === 'gone') return
    // A worker that was asked nothing says nothing: a broken one could else keep the gateway busy for good.
    if (this.#state === 'idle') throw new ProtocolError('frame of an idle worker')
    if (event.t === 'ready') return this.#onReady(event.spares)
    const current = this.#current
    // Late frames of a run that has ended are dropped: its worker is being killed, or this is the last that it says.
    if (current === undefined || event.run !== current.number) return
    this.#yield(false)
    current.run.onEvent(event, bytes)
  }

  /** Who computes for long goes behind those who have to answer: the gateway, and the programs of others. */
  #yield(isBehind: boolean): void {
    if (isBehind === this.#isBehind || !this.#deps.canYield()) return
    this.#isBehind = isBehind
    setBehind(this.pid, isBehind)
  }

  #onReady(spares: number): void {
    this.#spares = spares
    if (this.#state !== 'starting' && this.#state !== 'preparing') return
    clearTimeout(this.#startTimer)
    this.#baseBytes ??= this.#deps.readUsage?.(this.pid)?.residentBytes
    this.#becomeIdle()
  }

  #becomeIdle(): void {
    this.#state = 'idle'
    this.#idleSinceMs = performance.now()
    this.#deps.onIdle(this)
  }

  #onExit(exit: WorkerExit): void {
    if (this.#state === 'gone') return
    const wasStarting = this.#state === 'starting'
    this.#state = 'gone'
    clearTimeout(this.#startTimer)
    const current = this.#current
    this.#current = undefined
    this.#deps.onGone(this, { reason: exit.reason, wasStarting })
    if (current !== undefined) void current.run.onWorkerLost(exit)
  }

  #creeps(): boolean {
    if (this.#runs % CREEP_CHECK_RUNS !== 0 || this.#baseBytes === undefined) return false
    const usage = this.#deps.readUsage?.(this.pid)
    return usage !== undefined && usage.residentBytes > this.#baseBytes + WORKER_CREEP_BYTES
  }
}
