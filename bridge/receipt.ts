import type { Effect, OutcomeKind } from './outcome.ts'

/** The durable record of one call. Inputs and results are kept as hashes only. */
export interface Receipt {
  readonly id: string
  readonly tenant: string
  readonly callId: string
  readonly runId?: string
  readonly session?: string
  readonly agent: string
  /** Absent where no tool was resolved; then `requested` says what was asked for. */
  readonly toolId?: string
  readonly requested: string
  readonly catalogRevision: string
  readonly schemaHash?: string
  /** SHA-256 of the canonical final input; absent where there was none. */
  readonly inputHash?: string
  /** The search of the same turn that had found the tool, redacted; what learning from use is made of. */
  readonly query?: string
  /** What had been asked about it, whatever was decided. */
  readonly approval?: string
  readonly outcome: OutcomeKind
  readonly effect: Effect
  readonly startedMs: number
  /** 0 where its end was not seen. */
  readonly ms: number
}

/** Where receipts go; the gateway's store implements it. */
export type WriteReceipt = (receipt: Receipt) => Promise<void>
