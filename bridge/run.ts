import type { JsonValue } from '../catalog/json.ts'
import type { Pending } from './approval.ts'
import type { Effect, Notice, OutcomeKind } from './outcome.ts'

export type RunErrorCode =
  | 'program-error'
  | 'timeout'
  | 'memory'
  | 'limit'
  | 'worker-lost'
  | 'cancelled'
  | 'replay-diverged'

export interface RunError {
  readonly code: RunErrorCode
  /** What was wrong, which limit, what was used, what to do; at most 4 KB. */
  readonly message: string
  /** Position in the model's own source, from 1. */
  readonly line?: number
  readonly column?: number
  readonly hint?: string
}

export interface LogEntry {
  readonly level: 'debug' | 'info' | 'log' | 'warn' | 'error'
  readonly text: string
}

export interface RunCall {
  readonly id: string
  readonly tool: string
  readonly outcome: OutcomeKind
  readonly effect: Effect
  readonly ms: number
}

export interface RunTelemetry {
  readonly catalogSize: number
  readonly sources: Readonly<Record<string, number>>
  readonly searches: number
  readonly describes: number
  readonly calls: number
  readonly cpuMs: number
  readonly wallMs: number
  readonly heapPeakBytes: number
  /** Bytes of answers into the isolate, and of requests, log and value out of it. */
  readonly bytesIn: number
  readonly bytesOut: number
  /** What became of the worker that ran it: `kept` for further runs, `retired`, or `none` where nothing ran. */
  readonly worker: 'kept' | 'retired' | 'none'
}

/** A value too large to hand to the model whole. */
export interface Artifact {
  readonly id: string
  readonly bytes: number
  readonly mimeType: string
  /** The first part, whole characters. */
  readonly preview: string
}

interface RunCommon {
  readonly id: string
  readonly notices: readonly Notice[]
  readonly logs: readonly LogEntry[]
  readonly calls: readonly RunCall[]
  readonly artifacts: readonly Artifact[]
  readonly telemetry: RunTelemetry
}

/** One execution of a program, whatever its end: log, calls and telemetry are never lost. */
export type Run =
  | (RunCommon & { readonly status: 'completed'; readonly value: JsonValue })
  | (RunCommon & { readonly status: 'failed'; readonly error: RunError })
  /** Parked: it goes on by itself once all of this is decided or answered, under the same id. */
  | (RunCommon & { readonly status: 'waiting'; readonly pending: readonly Pending[] })
