import type { Caller } from '../../catalog/caller.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { Sample } from './sample.ts'

/** A request that a person has allowed. */
export interface AllowedSample {
  readonly sample: Sample
  readonly callId: string
  readonly caller: Caller
  readonly tool: Tool
  readonly approval: string
}

export type WrittenSample =
  | {
      readonly kind: 'written'
      readonly text: string
      readonly model: string
      readonly stopReason: 'endTurn' | 'maxTokens'
    }
  | { readonly kind: 'failed'; readonly reason: string }

/** The gateway's own model, for callers whose client has none to offer. */
export interface SampleWriter {
  /** Its name for a caller; undefined where none is configured: then nobody is asked. */
  modelFor(caller: Caller): string | undefined
  /** Rejects with the signal's reason; every other end is a value. */
  write(allowed: AllowedSample, signal: AbortSignal): Promise<WrittenSample>
}
