import type { JsonObject } from '../../catalog/json.ts'
import type { ApprovalRequest } from '../approval.ts'
import type { Notice } from '../outcome.ts'

/** What a person is asked about a call. */
export type Question = Pick<
  ApprovalRequest,
  'title' | 'description' | 'severity' | 'allowedDecisions' | 'timeoutMs' | 'cause'
>

/**
 * A call that waits, with all that making it later needs: nothing of it is worked out a second time, so that what was
 * asked about is what runs. It holds the input whole; wherever it is kept it lies sealed.
 */
export interface FrozenCall {
  readonly callId: string
  /** Of the receipt that its end will leave. */
  readonly receiptId: string
  readonly requested: string
  readonly toolId: string
  readonly schemaHash: string
  /** After hooks, repair and validation. */
  readonly input: JsonObject
  /** Absent where only the client is waited for. */
  readonly question?: Question
  /** Id of the approval, once it was asked for. */
  readonly approval?: string
  readonly notices: readonly Notice[]
  /** The handlers that had their say before it was asked about. */
  readonly hooks?: readonly string[]
}
