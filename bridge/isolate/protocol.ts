import type { JsonValue } from '../../catalog/json.ts'
import type { LogEntry } from '../run.ts'
import type { AbsentMembers, Operation } from './program-host.ts'

/** What the gateway sends to a worker. */
export type WorkerCommand =
  | {
      readonly t: 'configure'
      readonly memoryMb: number
      readonly source: string
      readonly name: string
      readonly spares: number
      readonly warmUp: WarmUp
    }
  /** Frees the isolate of the run that is over. */
  | { readonly t: 'dispose' }
  /** Does that, and makes isolates ahead; answered by `ready`. */
  | { readonly t: 'prepare' }
  | {
      readonly t: 'start'
      readonly run: number
      readonly code: string
      /** JSON of what the prelude needs: seed, start of the clock, limits. */
      readonly settings: string
      readonly memoryMb: number
      readonly timeoutMs: number
    }
  | {
      readonly t: 'answer'
      readonly run: number
      /** 0 says that nothing is pending: the program can never go on. */
      readonly id: number
      /** 0 an error, 1 a value, 2 a timer that is due. */
      readonly kind: 0 | 1 | 2
      readonly json: string
      readonly now: number
      readonly timeoutMs: number
    }

/** A program, and the arguments of `deliver` for each of its answers. */
export interface WarmUp {
  readonly code: string
  /** JSON of what the prelude needs at its start. */
  readonly settings: string
  readonly answers: readonly (readonly [what: number, json: string])[]
}

/** What the prelude says. */
export type ProgramMessage =
  | { readonly kind: 'operation'; readonly id: number; readonly operation: Operation }
  | { readonly kind: 'timer'; readonly id: number; readonly ms: number }
  | { readonly kind: 'clear'; readonly id: number }
  | { readonly kind: 'log'; readonly entry: LogEntry }
  | { readonly kind: 'unhandled'; readonly text: string }
  | { readonly kind: 'closed'; readonly awaited: number }
  | { readonly kind: 'limit'; readonly limit: string; readonly droppedLog: number }
  | {
      readonly kind: 'value'
      readonly value: JsonValue
      readonly absent?: AbsentMembers
      readonly droppedLog: number
    }
  | {
      readonly kind: 'thrown'
      readonly name: string
      readonly message: string
      readonly line?: number
      readonly column?: number
      readonly droppedLog: number
    }

/** What a worker says; `step` ends a section: the isolate is idle. */
export type WorkerEvent =
  | { readonly t: 'ready'; readonly spares: number }
  | { readonly t: 'part'; readonly run: number; readonly messages: readonly ProgramMessage[] }
  | {
      readonly t: 'step'
      readonly run: number
      readonly messages: readonly ProgramMessage[]
      readonly cpuUs: number
      readonly heapBytes: number
      readonly cause?: 'memory' | 'timeout'
    }

/** A worker broke the protocol: it is hostile or broken, and is killed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly code = 'worker-protocol'
}
