import type { RunErrorCode } from '../../run.ts'
import { RUN_BYTES_OUT, SECTION_TIMEOUT_FACTOR } from '../limits.ts'
import type { ProgramEnd, ProgramLimits, ProgramRequest } from '../program-host.ts'
import type { ProgramMessage, WorkerCommand, WorkerEvent } from '../protocol.ts'
import { ProtocolError } from '../protocol.ts'
import { programSettings } from './program-settings.ts'
import type { RunEnding } from './run-ending.ts'
import { limitEnding, thrownEnding, valueEnding } from './run-ending.ts'
import { ReplayCursor } from './replay-cursor.ts'
import { RunJournal } from './run-journal.ts'
import { RunLog } from './run-log.ts'
import { lastLine, memoryMessage, timeoutMessage } from './run-messages.ts'
import type { AnswerMessage } from './run-operations.ts'
import { RunOperations } from './run-operations.ts'
import { RunUsage } from './run-usage.ts'
import { WallClock } from './wall-clock.ts'

/** The worker that a run has for itself, and the number of the run in it. */
export interface RunWorker {
  readonly run: number
  send(command: WorkerCommand): void
}

export interface RunDeps {
  readonly request: ProgramRequest
  readonly limits: ProgramLimits
  /** Another worker, after the first was lost while the program waited; undefined when none comes free. */
  readonly replaceWorker: () => Promise<RunWorker | undefined>
  /** A turn of the gateway's time among the runs of all tenants. */
  readonly turn: () => Promise<void> | undefined
  readonly onEnd: (end: ProgramEnd) => void
  /** An `answer` that rejected: a defect that neither model nor client may see. */
  readonly onDefect: (error: unknown) => void
}

/** One run of a program: its sections, log and limits, until its end. The worker may change under it. */
export class ProgramRun {
  readonly #deps: RunDeps
  readonly #limits: ProgramLimits
  readonly #operations: RunOperations
  readonly #clock: WallClock
  readonly #journal: RunJournal
  #worker: RunWorker | undefined
  #log: RunLog
  #executing = 0
  #idleSinceMs = performance.now()
  #awaited = 0
  readonly #usage = new RunUsage()
  #hasEnded = false

  constructor(deps: RunDeps) {
    const { request, limits } = deps
    this.#deps = deps
    this.#limits = limits
    this.#log = new RunLog(limits.logBytes)
    this.#journal = new RunJournal(request.record)
    this.#operations = new RunOperations({
      request,
      limits,
      journal: this.#journal,
      turn: deps.turn,
      onDefect: deps.onDefect,
      hasWorker: () => this.#worker !== undefined,
      hasEnded: () => this.#hasEnded,
      isExecuting: () => this.#executing > 0,
      send: (message, nowMs) => this.#send(message, nowMs),
      onLimit: (limit, used) => this.#endByLimit(limit, used),
      onEnd: (code, message) => this.endFromOutside(code, message),
      onStopped: (answers) => this.#end({ kind: 'stopped', answers }, 'retired'),
    })
    this.#clock = new WallClock(limits.wallMs, () =>
      this.endFromOutside('timeout', timeoutMessage('wall', limits.wallMs)),
    )
    request.onClock?.(this.#clock)
  }

  /** Whether the program itself runs now, as far as is known: then its CPU time and memory are watched. */
  get isExecuting(): boolean {
    return this.#executing > 0
  }

  /** How long it has waited for answers. */
  get waitingMs(): number {
    return this.isExecuting ? 0 : performance.now() - this.#idleSinceMs
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  start(worker: RunWorker): void {
    const { request } = this.#deps
    this.#worker = worker
    this.#executing = 1
    this.#usage.bytesIn += request.code.length
    worker.send({
      t: 'start',
      run: worker.run,
      code: request.code,
      settings: programSettings(this.#limits, { seed: request.seed, nowMs: request.startMs }),
      memoryMb: this.#limits.memoryMb,
      timeoutMs: this.#sectionMs(),
    })
  }

  /** What the worker says of this run. */
  onEvent(event: Exclude<WorkerEvent, { t: 'ready' }>, bytes: number): void {
    if (this.#hasEnded) return
    this.#usage.bytesOut += bytes
    this.#journal.onHeard()
    if (event.t === 'step') {
      // A worker reports one step for each section that was started. One too many would make the count say that nothing
      // runs while a program does, and nobody would watch that.
      if (this.#executing === 0) throw new ProtocolError('step of a section that was not started')
      // Before its messages: one of them may be the end.
      this.#usage.addSection(event.cpuUs, event.heapBytes)
    }
    if (this.#usage.bytesOut > RUN_BYTES_OUT) return this.#endByLimit('frames', RUN_BYTES_OUT)
    this.#onMessages(
      event.t === 'step' && event.cause !== undefined ? withoutEnd(event.messages) : event.messages,
      bytes,
    )
    if (this.#hasEnded || event.t === 'part') return
    this.#executing--
    this.#idleSinceMs = performance.now()
    if (event.cause === 'memory') return this.endFromOutside('memory', memoryMessage(this.#limits.memoryMb))
    if (event.cause === 'timeout') return this.endFromOutside('timeout', timeoutMessage('CPU', this.#limits.cpuMs))
    if (this.#executing === 0) this.#operations.onIdle()
  }

  /** The worker is gone. A program that only waited is started again elsewhere and brought to where it was. */
  async onWorkerLost(exit: { readonly reason: string; readonly wasKilled: boolean }): Promise<void> {
    if (this.#hasEnded) return
    // A program that makes its worker crash would do so again.
    const isInnocent = this.#executing === 0 || exit.wasKilled
    const events = isInnocent ? this.#journal.carriable() : undefined
    this.#worker = undefined
    const worker = events === undefined ? undefined : await this.#deps.replaceWorker()
    if (this.#hasEnded) return
    if (events === undefined || worker === undefined) {
      return this.endFromOutside(
        'worker-lost',
        `the worker died while it ran the program (${lastLine(exit.reason)}); try again`,
      )
    }
    this.#journal.carryOver(events)
    this.#operations.restart(new ReplayCursor({ events, afterLast: 'live' }))
    this.#log = new RunLog(this.#limits.logBytes)
    this.start(worker)
  }

  /** What the watchdog saw of a section that has not ended. */
  onWatched(cpuMs: number): void {
    this.#usage.atLeastCpu(cpuMs)
  }

  /** An end that the program did not choose. */
  endFromOutside(code: RunErrorCode, message: string): void {
    const recorded = this.#operations.recordedEnd
    const text = recorded?.code === code ? recorded.message : message
    this.#journal.note({ kind: 'ended', code, message: text })
    this.#end({ kind: 'error', code, message: text }, 'retired')
  }

  #onMessages(messages: readonly ProgramMessage[], bytes: number): void {
    const limit = messages.find((message) => message.kind === 'limit')
    for (const message of messages) {
      if (this.#hasEnded) return
      // The step that broke a limit starts nothing: better no effect than a part of one.
      if (limit !== undefined && message.kind === 'operation') continue
      this.#onMessage(message, bytes)
    }
  }

  #onMessage(message: ProgramMessage, bytes: number): void {
    switch (message.kind) {
      case 'operation':
        return this.#operations.onOperation(message.id, message.operation)
      case 'timer':
        return this.#operations.onTimer(message.id, message.ms)
      case 'clear':
        return this.#operations.onClear(message.id)
      case 'log':
        return this.#log.add(message.entry)
      case 'unhandled':
        return this.#log.add({ level: 'error', text: `a promise was rejected and nothing handled it: ${message.text}` })
      case 'closed':
        this.#awaited = message.awaited
        return
      case 'limit':
        this.#log.reportDropped(message.droppedLog)
        return this.#endByLimit(message.limit, undefined)
      case 'value':
        this.#log.reportDropped(message.droppedLog)
        return this.#end(valueEnding(message, bytes, this.#limits.outputBytes), 'kept')
      case 'thrown':
        this.#log.reportDropped(message.droppedLog)
        return this.#end(thrownEnding(message), 'kept')
    }
  }

  #send(message: AnswerMessage, nowMs: number): void {
    const worker = this.#worker
    if (worker === undefined) return
    this.#executing++
    this.#usage.bytesIn += message.json.length
    worker.send({ t: 'answer', run: worker.run, ...message, now: nowMs, timeoutMs: this.#sectionMs() })
  }

  #endByLimit(limit: string, used: number | undefined): void {
    const ending = limitEnding(limit, this.#limits, used)
    this.endFromOutside('limit', ending)
  }

  #sectionMs(): number {
    const left = this.#limits.cpuMs - this.#usage.cpuMs
    return Math.ceil(Math.max(1, left) * SECTION_TIMEOUT_FACTOR)
  }

  #end(ending: RunEnding, worker: 'kept' | 'retired'): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#clock.stop()
    this.#operations.close()
    this.#deps.onEnd({
      ...ending,
      logs: this.#log.entries(),
      logBytesDropped: this.#log.droppedBytes(),
      cpuMs: this.#usage.cpuMs,
      wallMs: Math.round(this.#clock.usedMs() * 1000) / 1000,
      heapPeakBytes: this.#usage.heapPeakBytes,
      bytesIn: this.#usage.bytesIn,
      bytesOut: this.#usage.bytesOut,
      worker,
      awaitedAfterReturn: this.#awaited,
    })
  }
}

/**
 * A section that was cut off may hold the program's own end, from before it ran on. That end does not count: what cut it
 * off is how the run ended, and the worker is not kept.
 */
function withoutEnd(messages: readonly ProgramMessage[]): readonly ProgramMessage[] {
  return messages.filter(({ kind }) => kind !== 'value' && kind !== 'thrown')
}
