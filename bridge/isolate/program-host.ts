import type { JsonValue } from '../../catalog/json.ts'
import type { LogEntry, RunErrorCode } from '../run.ts'

/** What a program asks of the gateway. Everything in it is hostile: ids and arguments are checked by who answers. */
export type Operation =
  | { readonly kind: 'search'; readonly query: JsonValue; readonly options: JsonValue }
  | { readonly kind: 'describe'; readonly ids: JsonValue; readonly options: JsonValue }
  /** `selector` is an id or name, or what the program wrote as `tools.<owner>.<name>`. */
  | { readonly kind: 'call'; readonly selector: CallSelector; readonly args: JsonValue; readonly options: JsonValue }
  /** A part of a result or value that was too large to hand over. */
  | { readonly kind: 'artifact-read'; readonly id: JsonValue; readonly options: JsonValue }
  | { readonly kind: 'store-get'; readonly key: JsonValue }
  | { readonly kind: 'store-set'; readonly key: JsonValue; readonly value: JsonValue }

export type CallSelector =
  | { readonly kind: 'text'; readonly text: JsonValue }
  | { readonly kind: 'path'; readonly owner: string; readonly name: string }

/** An answer to one operation. An `error` rejects the program's promise with these fields on an Error of its realm. */
export type Answer =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | {
      readonly kind: 'error'
      /** The outcome's kind, or `invalid-input` for a bad search or describe. */
      readonly code: string
      readonly message: string
      readonly effect?: string
      /** Further own fields for the program: suggestions, problems, signature. */
      readonly details?: JsonValue
    }

export interface ProgramLimits {
  readonly cpuMs: number
  readonly wallMs: number
  readonly memoryMb: number
  readonly calls: number
  readonly callsInFlight: number
  readonly argumentBytes: number
  readonly resultIntoIsolateBytes: number
  /** Beyond it the run ends `limit`. */
  readonly outputBytes: number
  readonly logBytes: number
}

export interface ProgramRequest {
  readonly runId: string
  readonly tenant: string
  /**
   * JavaScript, the body of an async function, as `bridge/program` made it; `bridge/program` also turns positions in
   * it into positions in the model's own text.
   */
  readonly code: string
  readonly limits: ProgramLimits
  /** Seed of `Math.random`. */
  readonly seed: number
  /** Start of the program's clock, Unix milliseconds. */
  readonly startMs: number
  /** Answers one operation. Aborted when the run ends; never rejects for an expected ending. */
  readonly answer: (operation: Operation, operationId: number, signal: AbortSignal) => Promise<Answer>
  /** Gets the run's wall clock when the program starts, so that waiting for a person does not count. */
  readonly onClock?: (clock: RunClock) => void
  /** Gets each event of the run as it happens: what a replay needs. */
  readonly record?: (event: JournalEvent) => void
  /** Runs against recorded answers instead of asking for them. */
  readonly replay?: ReplaySource
}

/** The wall clock of one run. Calls nest: it ticks again when every `pause` has had its `resume`. */
export interface RunClock {
  pause(): void
  resume(): void
}

/**
 * What happened in a run, in order. A program is deterministic given its code, seed, start and the answers in the order
 * of their delivery.
 */
export type JournalEvent =
  /** `asked` is the canonical JSON of the operation, or `timer:<ms>`. */
  | { readonly kind: 'asked'; readonly id: number; readonly asked: string }
  /** `json` is the text that the isolate got; absent for a timer. `nowMs` is the program's clock from then on. */
  | { readonly kind: 'answered'; readonly id: number; readonly nowMs: number; readonly answer: RecordedAnswer }
  /** An end that came from outside the program; absent when it returned or threw. */
  | { readonly kind: 'ended'; readonly code: RunErrorCode; readonly message: string }

export type RecordedAnswer =
  | { readonly kind: 'value'; readonly json: string }
  | { readonly kind: 'error'; readonly json: string }
  | { readonly kind: 'timer' }

export interface ReplaySource {
  readonly events: readonly JournalEvent[]
  /**
   * When the recorded answers are used up: `stop` ends the run as the record does, `live` goes on with `answer`. A call
   * that was asked and never answered is then reported to the program as `effect: unknown`, and not repeated.
   */
  readonly afterLast: 'stop' | 'live'
  /** Numbers of calls without an answer that had not been begun, or that waited: these are asked for again. */
  readonly again?: readonly number[]
  /** Stops after this many answers, timers included, and gives the log so far. */
  readonly untilAnswer?: number
}

/** What was undefined in a program's value, and is null in its JSON. */
export interface AbsentMembers {
  readonly count: number
  /** The first of them, e.g. `$[0].sum, $[1].sum`; `$` for the value itself. */
  readonly places: string
}

/** How a program ended in its isolate. */
export type ProgramEnd = {
  readonly logs: readonly LogEntry[]
  /** Log text that was dropped at the bound, in bytes; 0 when all is there. */
  readonly logBytesDropped: number
  readonly cpuMs: number
  readonly wallMs: number
  readonly heapPeakBytes: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** What became of the worker: `kept` for further runs or `retired`. */
  readonly worker: 'kept' | 'retired'
  /** Calls that were still in flight when the program returned, and were awaited. */
  readonly awaitedAfterReturn: number
} & (
  | { readonly kind: 'value'; readonly value: JsonValue; readonly absent?: AbsentMembers }
  | {
      readonly kind: 'error'
      readonly code: RunErrorCode
      readonly name?: string
      readonly message: string
      /** Position in `code`, from 1. */
      readonly line?: number
      readonly column?: number
    }
  /** No worker or slot came free in time; nothing was run. */
  | { readonly kind: 'busy'; readonly message: string }
  /** A replay that was to stop after so many answers did. */
  | { readonly kind: 'stopped'; readonly answers: number }
)

export interface ProgramHostStatus {
  readonly workers: number
  readonly busy: number
  readonly queued: number
  /** Layers of isolation that are active on this machine, by name, e.g. `permission`, `network-namespace`, `other-uid`. */
  readonly layers: Readonly<Record<string, boolean>>
  /** Resident size of the largest worker; absent where it cannot be read. */
  readonly residentBytes?: number
}

/** Runs programs in isolates inside worker processes. */
export interface ProgramHost {
  run(request: ProgramRequest, signal: AbortSignal): Promise<ProgramEnd>
  status(): ProgramHostStatus
  /** Safe to call twice; kills every worker. */
  close(): Promise<void>
}
