import type { Approval, ApprovalCause, ApprovalState } from '../../bridge/approval.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { DecisionReceipt } from './receipt-chain.ts'
import type { OutboxEntry } from './webhook-outbox.ts'

/** An approval with what only the gateway has to know of it. */
export interface ApprovalRow {
  readonly approval: Approval
  /** Parked ones outlive the gateway; held ones end with the request that holds them. */
  readonly isParked: boolean
  /** Of the token that asked; absent where nobody's did. */
  readonly token?: string
  /** The gateway whose request is held open for it; of a parked one that no longer counts. */
  readonly holder?: Holder
}

export interface Holder {
  readonly by: string
  /** Not renewed until then, it has ended. */
  readonly untilMs: number
}

/** How many may wait at one time. */
export interface Room {
  readonly ofAgent: number
  readonly ofToken: number
}

/** What was full. */
export interface NoRoomLeft {
  readonly kind: 'no-room'
  readonly of: keyof Room
}

/** What allows further calls like one that a person always allowed. It is never changed but to end it. */
export interface Grant {
  readonly id: string
  readonly tenant: string
  readonly agent: string
  readonly toolId: string
  /** Of the tool as it was when it was allowed; another one is not covered. */
  readonly schemaHash: string
  /** JSON Schema that the arguments of a covered call match; absent: any. */
  readonly args?: JsonObject
  /** Why the call had to be asked for; a call that is asked for by something else is not covered. */
  readonly cause: Pick<ApprovalCause, 'by' | 'where' | 'hash'>
  /** The approval that made it. */
  readonly approval: string
  readonly grantedBy: string
  readonly reason?: string
  readonly createdMs: number
  readonly untilMs?: number
  readonly ended?: GrantEnd
}

export interface GrantEnd {
  readonly kind: 'revoked' | 'voided'
  readonly atMs: number
  readonly by: string
  readonly reason?: string
}

/** How one approval ends; all of it is kept in one step, or nothing. */
export interface ApprovalEnding {
  /** As it will stand: ended, with who, when and why. */
  readonly approval: Approval
  readonly grant?: Grant
  readonly receipt: DecisionReceipt
  readonly notices: readonly OutboxEntry[]
  /** What was filled into its form, sealed, for the gateway that holds it. */
  readonly answer?: string
}

/** `ended`: by this ending. `stood`: it had ended before, as the approval says; nothing was kept. */
export interface EndedApproval {
  readonly kind: 'ended' | 'stood'
  readonly approval: Approval
}

export interface ApprovalQuery {
  readonly state?: ApprovalState
  readonly runId?: string
  /** Any of them; absent: all. */
  readonly agents?: readonly string[]
  /** Those that were asked before this one; none where there is none with this id. */
  readonly before?: string
  readonly limit: number
}

/** Approvals and grants. As everywhere in the store: what rejects did nothing, and a tenant sees its own rows alone. */
export interface ApprovalStore extends HeldApprovals {
  /** Adds it; a call that has an approval already keeps that one, which is then given, and nothing is added. */
  add(row: ApprovalRow, notices: readonly OutboxEntry[], receipt?: DecisionReceipt): Promise<ApprovalRow>
  /** The same while fewer than that wait of the same tenant and agent, and of those of the same token; all in one step. */
  addWithin(room: Room, row: ApprovalRow, notices: readonly OutboxEntry[]): Promise<ApprovalRow | NoRoomLeft>
  get(tenant: string, id: string): Promise<ApprovalRow | undefined>
  getOfCall(tenant: string, callId: string): Promise<ApprovalRow | undefined>
  /** The last asked first; at most 1,000. */
  list(tenant: string, query: ApprovalQuery): Promise<readonly Approval[]>
  /** Ends the pending ones among them: compare and set, all in one step, in the order of what is given. */
  end(endings: readonly ApprovalEnding[]): Promise<readonly (EndedApproval | undefined)[]>
  /** Pending ones wait until then, whatever becomes of the gateway meanwhile. */
  park(tenant: string, ids: readonly string[], expiresMs: number): Promise<void>
  /** Of all tenants: pending ones whose time is over, the longest over first. */
  listDue(nowMs: number, limit: number): Promise<readonly Approval[]>
  /** Drops what ended before a time, grants too, at most so many of each; how many there were. */
  dropEnded(beforeMs: number, limit: number): Promise<number>
  /** When the next pending one is over; undefined where none is pending. */
  nextExpiryMs(): Promise<number | undefined>

  getGrant(tenant: string, id: string): Promise<Grant | undefined>
  /** The last made first; at most 1,000. */
  listGrants(tenant: string): Promise<readonly Grant[]>
  /** Those of one agent and tool that nobody ended; `until` is not looked at. */
  listGrantsInForce(tenant: string, agent: string, toolId: string): Promise<readonly Grant[]>
  /** Ends one that has not ended: compare and set. Gives it as it then stands. */
  endGrant(tenant: string, id: string, end: GrantEnd): Promise<Grant | undefined>
}

/** What several gateways on one store have to know of each other's approvals. */
export interface HeldApprovals {
  /** Of all tenants: pending ones that are not parked, of one gateway and of those that have not renewed theirs. */
  listHeld(query: HeldQuery): Promise<readonly Approval[]>
  /** All that one gateway holds. */
  renewHeld(holder: string, untilMs: number): Promise<void>
  /** Another number than before once anybody else has written into the store; cheap, to be asked twice a second. */
  versionOfOthers(): Promise<number>
  /** Those among them that are not pending any more, whoever ended them. */
  listEnded(asked: readonly Pick<Approval, 'tenant' | 'id'>[]): Promise<readonly Approval[]>
  /** The answer that an ending brought, once. */
  takeAnswer(tenant: string, id: string): Promise<string | undefined>
  /** Those that nobody came for. */
  dropAnswers(beforeMs: number): Promise<void>
}

export interface HeldQuery {
  readonly holder: string
  /** Of what other gateways hold, what was renewed until then is theirs. */
  readonly nowMs: number
  readonly limit: number
}
