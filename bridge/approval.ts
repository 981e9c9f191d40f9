import type { Caller } from '../catalog/caller.ts'
import type { JsonObject } from '../catalog/json.ts'
import type { Tool } from '../catalog/tool.ts'
import type { FormField } from './asking/form-field.ts'

export type ApprovalDecision = 'allow-once' | 'allow-always' | 'deny'

/** Only `pending` changes; each of the others is for ever. */
export type ApprovalState = 'pending' | 'allowed-once' | 'allowed-always' | 'denied' | 'expired' | 'cancelled'

export type ApprovalSeverity = 'info' | 'warning' | 'critical'

/** Why a person is asked. */
export interface ApprovalCause {
  readonly by: 'rule' | 'default' | 'hook'
  /** Place in the configuration, e.g. `tools.rules[2]` or `tools.approvals`, or the plugin's id. */
  readonly where: string
  readonly reason?: string
  /** SHA-256 of the rule that stands there, filled in by the desk: what is always allowed is allowed by this rule alone. */
  readonly hash?: string
}

/** What a tool asks while it runs, as people are shown it: screened, bounded, and without secrets of ours. */
export type ApprovalQuestion =
  /** Who allows it gives the fields' values as the `answer`; a yes by itself is enough where nothing else is required. */
  | { readonly kind: 'form'; readonly asker: string; readonly fields: readonly FormField[] }
  /** Who allows it has opened the address, which nobody here does. */
  | { readonly kind: 'url'; readonly asker: string; readonly url: string; readonly host: string }
  /** Who allows it lets the gateway's own model write the answer. */
  | { readonly kind: 'sample'; readonly asker: string; readonly maxTokens: number; readonly model: string }

/** One call that may not run before somebody allows it: what is approved, by these hashes, is what runs. */
export interface ApprovalRequest {
  /** One approval a call: asked again, after a restart too, it is the same row. */
  readonly callId: string
  readonly runId?: string
  readonly turnId?: string
  readonly caller: Caller
  readonly tool: Tool
  /** Final: after hooks, repair and validation. */
  readonly input: JsonObject
  /** SHA-256 of the canonical input. */
  readonly inputHash: string
  /** At most 80 characters. */
  readonly title: string
  /** At most 512 characters. */
  readonly description: string
  readonly severity: ApprovalSeverity
  readonly allowedDecisions: readonly ApprovalDecision[]
  /** While the call is held; the configured 120 s where it is absent. A parked call waits as configured (24 h). */
  readonly timeoutMs?: number
  readonly cause: ApprovalCause
  /** Absent where the call itself is what is asked about. */
  readonly question?: ApprovalQuestion
}

/** A row of the store, as it is shown to people: the input is redacted. */
export interface Approval {
  readonly id: string
  readonly tenant: string
  readonly agent: string
  readonly state: ApprovalState
  readonly callId: string
  readonly runId?: string
  readonly turnId?: string
  readonly session?: string
  readonly channel?: string
  readonly sender?: string
  /** Of channel and sender: the channel's own token said so; otherwise they are what a client says of itself. Absent without them. */
  readonly isVouched?: boolean
  readonly toolId: string
  readonly schemaHash: string
  readonly inputHash: string
  /** Redacted; for the eyes of who decides. */
  readonly input: JsonObject
  readonly title: string
  readonly description: string
  readonly severity: ApprovalSeverity
  readonly allowedDecisions: readonly ApprovalDecision[]
  readonly cause: ApprovalCause
  readonly question?: ApprovalQuestion
  readonly createdMs: number
  readonly expiresMs: number
  readonly decidedMs?: number
  /** Who decided: a token's id, `chat:<channel>:<sender>`, `elicitation:<…>`, `grant:<id>`, or `drawbridge` (timeout, stop, cancel). */
  readonly decidedBy?: string
  readonly reason?: string
}

/** So many wait already that nobody is asked about one more; nothing was kept. `reason` says what is full, and the way out. */
export interface NoRoom {
  readonly state: 'no-room'
  readonly reason: string
}

/** An approval as whoever waits for it is told of it: what a person filled into a form is nowhere else, and not kept. */
export interface SettledApproval extends Approval {
  readonly answer?: JsonObject
}

/** Where the dispatcher asks for a decision; the gateway implements it over the store. */
export interface ApprovalDesk {
  /**
   * The approval of this call: as it stands where there is a row for tenant and call id with the same tool, schema hash
   * and input hash (another hash is refused: `cancelled`), `allowed-always` where a grant covers it, else a new
   * pending row, as long as there is room for one. Rejects when the store cannot keep it; then the call is not made.
   */
  open(request: ApprovalRequest): Promise<Approval | NoRoom>
  /** Resolves with the first state that is not `pending`; rejects with the signal's reason when that aborts. */
  settled(tenant: string, id: string, signal: AbortSignal): Promise<SettledApproval>
  /** The run or turn is parked: from now on the long timeout counts. */
  park(tenant: string, ids: readonly string[]): Promise<void>
  /** Pending ones become `cancelled`; the others stay. */
  cancel(tenant: string, ids: readonly string[], reason: string): Promise<void>
}

/** What a waiting run or turn waits for; the machine-readable half of what a client is told. */
export type Pending =
  | {
      readonly approval: string
      readonly callId: string
      readonly tool: string
      readonly title: string
      readonly expiresMs: number
    }
  /** A call of the client's own tool, that a program made. */
  | { readonly clientCall: string; readonly tool: string; readonly name: string; readonly args: JsonObject }
