import type { RunErrorCode } from '../../run.ts'
import { OPERATIONS_PENDING, OPERATIONS_PER_RUN } from '../limits.ts'
import type { Operation, ProgramLimits, ProgramRequest, RecordedAnswer } from '../program-host.ts'
import { ProtocolError } from '../protocol.ts'
import { LiveOperations } from './live-operations.ts'
import { ReplayCursor } from './replay-cursor.ts'
import type { RunJournal } from './run-journal.ts'
import { UNKNOWN_END, divergence } from './run-messages.ts'

/** One answer on its way to the isolate: number 0 says that nothing is pending and nothing ever will be. */
export interface AnswerMessage {
  readonly id: number
  /** An error, a value, or a timer. */
  readonly kind: 0 | 1 | 2
  readonly json: string
}

/** What the operations tell the run. */
export interface RunOperationsDeps {
  readonly request: ProgramRequest
  readonly limits: ProgramLimits
  readonly journal: RunJournal
  readonly turn: () => Promise<void> | undefined
  readonly onDefect: (error: unknown) => void
  /** Whether there is a worker that answers can go to. */
  readonly hasWorker: () => boolean
  readonly hasEnded: () => boolean
  readonly isExecuting: () => boolean
  readonly send: (message: AnswerMessage, nowMs: number) => void
  readonly onLimit: (limit: string, used: number | undefined) => void
  /** The record has an end of its own, or the program asks for something else than it holds. */
  readonly onEnd: (code: RunErrorCode, message: string) => void
  /** A replay that was to stop after so many answers did. */
  readonly onStopped: (answers: number) => void
}

interface Asked {
  /** Undefined for a timer. */
  readonly operation: Operation | undefined
  readonly ms: number
}

/** What a program asks for and what it is given: the answers of a record first, then live ones, each once. */
export class RunOperations {
  readonly #deps: RunOperationsDeps
  readonly #live: LiveOperations
  readonly #startedMs = performance.now()
  #cursor: ReplayCursor | undefined
  #pending = new Set<number>()
  /** Asked for, and the record has no answer to it: live once the record is used up, and with it the last that may diverge. */
  #unanswered: (Asked & { readonly id: number })[] = []
  /** Live answers that came while an earlier part of the run is being replayed. */
  #held: { readonly id: number; readonly answer: RecordedAnswer }[] = []
  #operations = 0
  #calls = 0
  #answers = 0
  #lastId = 0
  #nowMs: number

  constructor(deps: RunOperationsDeps) {
    const { request, limits } = deps
    this.#deps = deps
    this.#nowMs = request.startMs
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
  }

  /** The end that the record holds. */
  get recordedEnd(): ReplayCursor['ended'] {
    return this.#cursor?.ended
  }

  /** The program starts anew, against what it was given so far. */
  restart(cursor: ReplayCursor): void {
    this.#cursor = cursor
    this.#pending = new Set()
    this.#unanswered = []
    this.#operations = 0
    this.#calls = 0
    this.#lastId = 0
  }

  onOperation(id: number, operation: Operation): void {
    const { limits, onLimit } = this.#deps
    if (operation.kind === 'call' && ++this.#calls > limits.calls) return onLimit('calls', undefined)
    this.#onAsked(id, JSON.stringify(operation), { operation, ms: 0 })
  }

  onTimer(id: number, ms: number): void {
    this.#onAsked(id, `timer:${ms}`, { operation: undefined, ms })
  }

  onClear(id: number): void {
    // In the record it was due before the program's word reached us: it moves the clock again, as it did then.
    if (this.#cursor?.isAnswered(id) === true) return
    this.#pending.delete(id)
    this.#unanswered = this.#unanswered.filter((entry) => entry.id !== id)
    this.#live.clearTimer(id)
  }

  /** The isolate has done all that it could: give it what is next, or find that nothing ever will be. */
  onIdle(): void {
    const { request, hasEnded, isExecuting, onStopped, send } = this.#deps
    const { untilAnswer } = request.replay ?? {}
    if (untilAnswer !== undefined && this.#answers >= untilAnswer) return onStopped(this.#answers)
    const due = this.#cursor?.due()
    if (this.#cursor !== undefined && due !== undefined) {
      if (!this.#pending.has(due.id)) return this.#diverge(due.id, this.#cursor.askedUnder(due.id), undefined)
      this.#cursor.advance()
      return this.#deliver(due.id, due.answer, due.nowMs)
    }
    if (this.#cursor !== undefined && this.#pending.size > 0) this.#finishReplay(this.#cursor)
    if (hasEnded() || isExecuting() || this.#pending.size > 0) return
    send({ id: 0, kind: 0, json: '' }, this.#nowMs)
  }

  /** Nothing is answered any more. */
  close(): void {
    this.#live.close()
  }

  #onAsked(id: number, asked: string, what: Asked): void {
    const { journal, onLimit } = this.#deps
    if (id !== ++this.#lastId) throw new ProtocolError('operation out of order')
    if (++this.#operations > OPERATIONS_PER_RUN) return onLimit('operations', OPERATIONS_PER_RUN)
    if (this.#pending.size >= OPERATIONS_PENDING) return onLimit('pending operations', OPERATIONS_PENDING)
    const recorded = this.#cursor?.askedUnder(id)
    const isBeyond = this.#cursor?.isBeyond(id) === true
    if (this.#cursor !== undefined && recorded !== asked && !(isBeyond && this.#cursor.afterLast === 'live')) {
      // It was ended from outside before it came to ask for this.
      if (isBeyond && this.#cursor.ended !== undefined) return this.#finishReplay(this.#cursor)
      return this.#diverge(id, recorded, asked)
    }
    this.#pending.add(id)
    journal.note({ kind: 'asked', id, asked })
    if (this.#cursor === undefined) return this.#startLive(id, what)
    if (this.#cursor.isAnswered(id) || this.#live.has(id) || this.#isHeld(id)) return
    this.#unanswered.push({ id, ...what })
  }

  #startLive(id: number, what: Asked): void {
    if (what.operation === undefined) this.#live.startTimer(id, what.ms)
    else this.#live.start(id, what.operation)
  }

  #settled(id: number, answer: RecordedAnswer): void {
    if (this.#deps.hasEnded()) return
    if (!this.#deps.hasWorker() || this.#cursor !== undefined) this.#held.push({ id, answer })
    else this.#deliver(id, answer, this.#liveNow())
  }

  /** The record is used up and the program waits. */
  #finishReplay(cursor: ReplayCursor): void {
    const { onEnd } = this.#deps
    if (cursor.afterLast === 'stop') {
      if (cursor.ended !== undefined) return onEnd(cursor.ended.code, cursor.ended.message)
      return onEnd('replay-diverged', 'the record ends while the program still waits for an answer')
    }
    this.#cursor = undefined
    const unanswered = this.#unanswered
    this.#unanswered = []
    for (const entry of unanswered) {
      const mayBeUnderWay = !cursor.isBeyond(entry.id) && !cursor.isRepeatable(entry.id)
      const isUnknown = entry.operation?.kind === 'call' && mayBeUnderWay
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
    const { journal, send } = this.#deps
    this.#answers++
    this.#nowMs = nowMs
    journal.note({ kind: 'answered', id, nowMs, answer })
    if (answer.kind === 'timer') send({ id, kind: 2, json: '' }, nowMs)
    else send({ id, kind: answer.kind === 'value' ? 1 : 0, json: answer.json }, nowMs)
  }

  /** The program's clock: real time since its start, never backwards. */
  #liveNow(): number {
    const { request } = this.#deps
    const elapsedMs = Math.floor(performance.now() - this.#startedMs)
    const live = request.replay === undefined ? request.startMs + elapsedMs : Date.now()
    return Math.max(this.#nowMs, live)
  }

  #diverge(id: number, recorded: string | undefined, asked: string | undefined): void {
    this.#deps.onEnd('replay-diverged', divergence(id, recorded, asked))
  }
}
