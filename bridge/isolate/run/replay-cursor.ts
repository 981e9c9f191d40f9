import type { JournalEvent, RecordedAnswer, ReplaySource } from '../program-host.ts'
import type { RunErrorCode } from '../../run.ts'

export interface DueAnswer {
  readonly id: number
  readonly nowMs: number
  readonly answer: RecordedAnswer
}

/** Walks through a record: what was asked under each number, and the answers in the order of their delivery. */
export class ReplayCursor {
  readonly afterLast: ReplaySource['afterLast']
  readonly #asked = new Map<number, string>()
  readonly #answers: readonly DueAnswer[]
  readonly #answered: ReadonlySet<number>
  readonly #again: ReadonlySet<number>
  readonly ended: { readonly code: RunErrorCode; readonly message: string } | undefined
  readonly #lastAsked: number
  #next = 0

  constructor(source: Pick<ReplaySource, 'events' | 'afterLast' | 'again'>) {
    this.afterLast = source.afterLast
    for (const event of source.events) if (event.kind === 'asked') this.#asked.set(event.id, event.asked)
    this.#lastAsked = Math.max(0, ...this.#asked.keys())
    this.#answers = source.events.filter((event) => event.kind === 'answered')
    this.#answered = new Set(this.#answers.map((answer) => answer.id))
    this.#again = new Set(source.again)
    this.ended = source.events.findLast(
      (event): event is Extract<JournalEvent, { kind: 'ended' }> => event.kind === 'ended',
    )
  }

  /** What the record says was asked under this number. */
  askedUnder(id: number): string | undefined {
    return this.#asked.get(id)
  }

  isAnswered(id: number): boolean {
    return this.#answered.has(id)
  }

  /** Whether a call without an answer can be asked for again: nothing can have come of it. */
  isRepeatable(id: number): boolean {
    return this.#again.has(id)
  }

  /** The answer that comes next; undefined when all were given. */
  due(): DueAnswer | undefined {
    return this.#answers[this.#next]
  }

  /**
   * Whether it follows all that was heard of the program. Answers are sent without waiting for what it makes of the one
   * before: at the end of a record there may be several of them, and what was asked between went unheard.
   */
  isBeyond(id: number): boolean {
    return id > this.#lastAsked
  }

  advance(): void {
    this.#next++
  }
}
