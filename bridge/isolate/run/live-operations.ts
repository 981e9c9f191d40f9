import type { Operation, ProgramRequest, RecordedAnswer } from '../program-host.ts'
import { answerText, errorText } from './answer-text.ts'

export interface LiveOperationsDeps {
  readonly answer: ProgramRequest['answer']
  /** Waited for before an operation takes the gateway's time; undefined when it may start at once. */
  readonly turn: () => Promise<void> | undefined
  readonly inFlightMax: number
  readonly argumentBytesMax: number
  readonly resultBytesMax: number
  readonly onSettled: (id: number, answer: RecordedAnswer) => void
  readonly onDefect: (error: unknown) => void
}

/** Operations that the gateway is answering now: so many at one time, the rest in the order in which they were asked. */
export class LiveOperations {
  readonly #deps: LiveOperationsDeps
  readonly #abort = new AbortController()
  readonly #queue: { readonly id: number; readonly operation: Operation }[] = []
  readonly #timers = new Map<number, NodeJS.Timeout>()
  readonly #open = new Set<number>()
  #inFlight = 0
  #isClosed = false

  constructor(deps: LiveOperationsDeps) {
    this.#deps = deps
  }

  has(id: number): boolean {
    return this.#open.has(id)
  }

  start(id: number, operation: Operation): void {
    this.#open.add(id)
    this.#queue.push({ id, operation })
    this.#next()
  }

  startTimer(id: number, ms: number): void {
    this.#open.add(id)
    this.#timers.set(
      id,
      setTimeout(() => {
        this.#timers.delete(id)
        this.#settle(id, { kind: 'timer' })
      }, ms),
    )
  }

  clearTimer(id: number): void {
    const timer = this.#timers.get(id)
    if (timer === undefined) return
    clearTimeout(timer)
    this.#timers.delete(id)
    this.#open.delete(id)
  }

  /** Aborts what is under way; nothing settles any more. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#queue.length = 0
    // Making the reason of an abort, with its stack, costs more than all else here, and most runs end with nothing open.
    if (this.#inFlight > 0) this.#abort.abort()
  }

  #next(): void {
    while (!this.#isClosed && this.#inFlight < this.#deps.inFlightMax) {
      const entry = this.#queue.shift()
      if (entry === undefined) return
      this.#inFlight++
      void this.#run(entry.id, entry.operation)
    }
  }

  async #run(id: number, operation: Operation): Promise<void> {
    const answer = await this.#answer(id, operation)
    this.#inFlight--
    this.#settle(id, answer)
    this.#next()
  }

  async #answer(id: number, operation: Operation): Promise<RecordedAnswer> {
    const bytes = argumentBytes(operation)
    if (bytes > this.#deps.argumentBytesMax) return tooLarge(bytes, this.#deps.argumentBytesMax)
    try {
      await this.#deps.turn()
      // The run may have ended while this one waited: after its end it causes nothing.
      if (this.#isClosed) return ENDED
      const answer = await this.#deps.answer(operation, id, this.#abort.signal)
      return answerText(answer, operation, this.#deps.resultBytesMax)
    } catch (error) {
      if (!this.#isClosed) this.#deps.onDefect(error)
      const effect = operation.kind === 'call' ? 'unknown' : 'none'
      return errorText({ kind: 'error', code: 'failed', message: 'internal error of the gateway', effect })
    }
  }

  #settle(id: number, answer: RecordedAnswer): void {
    if (this.#isClosed) return
    this.#open.delete(id)
    this.#deps.onSettled(id, answer)
  }
}

const ENDED = errorText({ kind: 'error', code: 'cancelled', message: 'the run has ended', effect: 'none' })

function argumentBytes(operation: Operation): number {
  return Buffer.byteLength(JSON.stringify(operation))
}

function tooLarge(bytes: number, maxBytes: number): RecordedAnswer {
  const message = `${bytes} bytes are more than the ${maxBytes} that one operation may carry; give less, or page through it`
  return errorText({ kind: 'error', code: 'invalid-input', message, effect: 'none' })
}
