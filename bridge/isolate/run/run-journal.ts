import { CARRY_ATTEMPTS, CARRY_JOURNAL_BYTES, CARRY_WORKERS } from '../limits.ts'
import type { JournalEvent, ProgramRequest } from '../program-host.ts'

/** Taken for an event that has no text of its own. */
const EVENT_BYTES = 64

/** What happened in one run: told to its record, and kept to carry the run over to another worker. */
export class RunJournal {
  readonly #record: ProgramRequest['record']
  /** Undefined once that is too much to keep. */
  #events: JournalEvent[] | undefined = []
  #bytes = 0
  /** What the run is carried over with, until the new worker says its first word: until then nothing of it is used up. */
  #carriedEvents: readonly JournalEvent[] | undefined
  /** What the record has already, when the run is brought to where it was: which operation was asked for, and answered. */
  #recordedBefore: ReadonlySet<string> = new Set()
  #carried = 0

  constructor(record: ProgramRequest['record']) {
    this.#record = record
  }

  note(event: JournalEvent): void {
    const isRecorded = this.#recordedBefore.size > 0 && this.#recordedBefore.has(keyOf(event))
    if (!isRecorded) this.#record?.(event)
    if (this.#events === undefined) return
    this.#bytes += bytesOf(event)
    if (this.#bytes > CARRY_JOURNAL_BYTES) this.#events = undefined
    else this.#events.push(event)
  }

  /** The worker that runs it now has said something. */
  onHeard(): void {
    this.#carriedEvents = undefined
  }

  /** What another worker can be brought to where this one was with; undefined when the run cannot go on elsewhere. */
  carriable(): readonly JournalEvent[] | undefined {
    // What kills one worker may kill all: one that was given to the run dead is no second loss of it.
    const attempts = this.#carriedEvents === undefined ? CARRY_ATTEMPTS : CARRY_WORKERS
    return this.#carried < attempts ? (this.#carriedEvents ?? this.#events) : undefined
  }

  /** The run starts again in another worker, against these events. */
  carryOver(events: readonly JournalEvent[]): void {
    this.#carried++
    this.#carriedEvents = events
    this.#recordedBefore = new Set(events.map(keyOf))
    this.#events = []
    this.#bytes = 0
  }
}

/** Each happens once in a run. */
function keyOf(event: JournalEvent): string {
  return event.kind === 'ended' ? event.kind : `${event.kind} ${event.id}`
}

function bytesOf(event: JournalEvent): number {
  if (event.kind === 'asked') return event.asked.length
  return EVENT_BYTES + (event.kind === 'answered' && event.answer.kind !== 'timer' ? event.answer.json.length : 0)
}
