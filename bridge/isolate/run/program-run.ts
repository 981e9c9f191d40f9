import type { RunErrorCode } from '../../run.ts'
import { OPERATIONS_PENDING, OPERATIONS_PER_RUN, RUN_BYTES_OUT, SECTION_TIMEOUT_FACTOR } from '../limits.ts'
import type { Operation, ProgramEnd, ProgramLimits, ProgramRequest, RecordedAnswer } from '../program-host.ts'
import type { ProgramMessage, WorkerCommand, WorkerEvent } from '../protocol.ts'
import { ProtocolError } from '../protocol.ts'
import { programSettings } from './program-settings.ts'
import { LiveOperations } from './live-operations.ts'
import type { RunEnding } from './run-ending.ts'
import { endingOf, limitEnding, thrownEnding } from './run-ending.ts'
import { ReplayCursor } from './replay-cursor.ts'
import { RunJournal } from './run-journal.ts'
import { RunLog } from './run-log.ts'
import { UNKNOWN_END, divergence, lastLine, memoryMessage, timeoutMessage } from './run-messages.ts'
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

/** One run of a program: its operations, answers and limits, until its end. The worker may change under it. */
export class ProgramRun {
  readonly #deps: RunDeps
  readonly #limits: ProgramLimits
  readonly #live: LiveOperations
  readonly #clock: WallClock
  readonly #startedMs = performance.now()
  #worker: RunWorker | undefined
  #cursor: ReplayCursor | undefined
  #log: RunLog
  readonly #journal: RunJournal
  #pending = new Set<number>()
  #unanswered: { readonly id: number; readonly operation: Operation | undefined; readonly ms: number }[] = []
  /** Live answers that came while an earlier part of the run is being replayed. */
  #held: { readonly id: number; readonly answer: RecordedAnswer }[] = []
  #executing = 0
  #idleSinceMs = performance.now()
  #operations = 0
  #calls = 0
  #answers = 0
  #lastId = 0
  #nowMs: number
  #awaited = 0
  readonly #usage = new RunUsage()
  #hasEnded = false

  constructor(deps: RunDeps) {
    const { request, limits } = deps
    this.#deps = deps
    this.#limits = limits
    this.#nowMs = request.startMs
    this.#log = new RunLog(limits.logBytes)
    this.#journal = new RunJournal(request.record)
    this.#cursor = request.replay === undefined ? undefined : new ReplayCursor(request.replay)
    this.#live = new LiveOperations({
      answer: request.answer,
      turn: deps.turn,
      inFlightMax: limits.callsInFlight,
      argumentBytesMax: limits.argumentBytes,
      resultBytesMax: limits.resultIntoIsolateBytes,
      onSettled: (id, answer) => this.#settled(id, answer),
      onDefect: deps.onDefect,
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
      // One for each section and no more: else a program would run that nobody thinks is running.
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
    if (this.#executing === 0) this.#onIdle()
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
    this.#cursor = new ReplayCursor({ events, afterLast: 'live' })
    this.#log = new RunLog(this.#limits.logBytes)
    this.#pending = new Set()
    this.#unanswered = []
    this.#operations = 0
    this.#calls = 0
    this.#lastId = 0
    this.start(worker)
  }

  /** What the watchdog saw of a section that has not ended. */
  onWatched(cpuMs: number): void {
    this.#usage.atLeastCpu(cpuMs)
  }

  /** An end that the program did not choose. */
  endFromOutside(code: RunErrorCode, message: string): void {
    const recorded = this.#cursor?.ended
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
        return this.#onOperation(message.id, message.operation)
      case 'timer':
        return this.#onAsked(message.id, `timer:${message.ms}`, { operation: undefined, ms: message.ms })
      case 'clear':
        // In the record it was due before the program's word reached us: it moves the clock again, as it did then.
        if (this.#cursor?.isAnswered(message.id) === true) return
        this.#pending.delete(message.id)
        this.#unanswered = this.#unanswered.filter((entry) => entry.id !== message.id)
        return this.#live.clearTimer(message.id)
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
        return this.#end(endingOf(message.value, bytes, this.#limits.outputBytes), 'kept')
      case 'thrown':
        this.#log.reportDropped(message.droppedLog)
        return this.#end(thrownEnding(message), 'kept')
    }
  }

  #onOperation(id: number, operation: Operation): void {
    if (operation.kind === 'call' && ++this.#calls > this.#limits.calls) return this.#endByLimit('calls', undefined)
    this.#onAsked(id, JSON.stringify(operation), { operation, ms: 0 })
  }

  #onAsked(id: number, asked: string, what: { readonly operation: Operation | undefined; readonly ms: number }): void {
    if (id !== ++this.#lastId) throw new ProtocolError('operation out of order')
    if (++this.#operations > OPERATIONS_PER_RUN) return this.#endByLimit('operations', OPERATIONS_PER_RUN)
    if (this.#pending.size >= OPERATIONS_PENDING) return this.#endByLimit('pending operations', OPERATIONS_PENDING)
    const recorded = this.#cursor?.askedUnder(id)
    const isPast = this.#cursor?.due() !== undefined || this.#cursor?.afterLast === 'stop'
    if (this.#cursor !== undefined && recorded !== asked && (recorded !== undefined || isPast)) {
      return this.#diverge(id, recorded, asked)
    }
    this.#pending.add(id)
    this.#journal.note({ kind: 'asked', id, asked })
    if (this.#cursor !== undefined && recorded !== undefined) {
      if (this.#cursor.isAnswered(id) || this.#live.has(id) || this.#isHeld(id)) return
      this.#unanswered.push({ id, ...what })
      return
    }
    this.#startLive(id, what)
  }

  #startLive(id: number, what: { readonly operation: Operation | undefined; readonly ms: number }): void {
    if (what.operation === undefined) this.#live.startTimer(id, what.ms)
    else this.#live.start(id, what.operation)
  }

  #settled(id: number, answer: RecordedAnswer): void {
    if (this.#hasEnded) return
    if (this.#worker === undefined || this.#cursor !== undefined) this.#held.push({ id, answer })
    else this.#deliver(id, answer, this.#liveNow())
  }

  /** The isolate has done all that it could: give it what is next, or find that nothing ever will be. */
  #onIdle(): void {
    const { untilAnswer } = this.#deps.request.replay ?? {}
    if (untilAnswer !== undefined && this.#answers >= untilAnswer) {
      return this.#end({ kind: 'stopped', answers: this.#answers }, 'retired')
    }
    const due = this.#cursor?.due()
    if (this.#cursor !== undefined && due !== undefined) {
      if (!this.#pending.has(due.id)) return this.#diverge(due.id, this.#cursor.askedUnder(due.id), undefined)
      this.#cursor.advance()
      return this.#deliver(due.id, due.answer, due.nowMs)
    }
    if (this.#cursor !== undefined && this.#pending.size > 0) this.#finishReplay(this.#cursor)
    if (this.#hasEnded || this.#executing > 0 || this.#pending.size > 0) return
    this.#send({ id: 0, kind: 0, json: '' }, this.#nowMs)
  }

  /** The record is used up and the program waits. */
  #finishReplay(cursor: ReplayCursor): void {
    if (cursor.afterLast === 'stop') {
      if (cursor.ended !== undefined) return this.endFromOutside(cursor.ended.code, cursor.ended.message)
      return this.endFromOutside('replay-diverged', 'the record ends while the program still waits for an answer')
    }
    this.#cursor = undefined
    const unanswered = this.#unanswered
    this.#unanswered = []
    for (const entry of unanswered) {
      const isUnknown = entry.operation?.kind === 'call' && !cursor.isRepeatable(entry.id)
      if (isUnknown) this.#deliver(entry.id, UNKNOWN_END, this.#liveNow())
      else this.#startLive(entry.id, entry)
    }
    const held = this.#held
    this.#held = []
    for (const { id, answer } of held) this.#deliver(id, answer, this.#liveNow())
  }

  #isHeld(id: number): boolean {
    return this.#held.some((entry) => entry.id === id)
  }

  #deliver(id: number, answer: RecordedAnswer, nowMs: number): void {
    if (!this.#pending.delete(id)) return
    this.#answers++
    this.#journal.note({ kind: 'answered', id, nowMs, answer })
    if (answer.kind === 'timer') this.#send({ id, kind: 2, json: '' }, nowMs)
    else this.#send({ id, kind: answer.kind === 'value' ? 1 : 0, json: answer.json }, nowMs)
  }

  #send(message: { readonly id: number; readonly kind: 0 | 1 | 2; readonly json: string }, nowMs: number): void {
    const worker = this.#worker
    if (worker === undefined) return
    this.#executing++
    this.#usage.bytesIn += message.json.length
    this.#nowMs = nowMs
    worker.send({ t: 'answer', run: worker.run, ...message, now: nowMs, timeoutMs: this.#sectionMs() })
  }

  /** The program's clock: real time since its start, never backwards. */
  #liveNow(): number {
    const elapsedMs = Math.floor(performance.now() - this.#startedMs)
    const live = this.#deps.request.replay === undefined ? this.#deps.request.startMs + elapsedMs : Date.now()
    return Math.max(this.#nowMs, live)
  }

  #diverge(id: number, recorded: string | undefined, asked: string | undefined): void {
    this.endFromOutside('replay-diverged', divergence(id, recorded, asked))
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
    this.#live.close()
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

/** What still runs after its end and is stopped has not ended so; and what was stopped leaves no worker to keep. */
function withoutEnd(messages: readonly ProgramMessage[]): readonly ProgramMessage[] {
  return messages.filter(({ kind }) => kind !== 'value' && kind !== 'thrown')
}
