import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import type { Receipt } from '../../bridge/receipt.ts'
import type { Run } from '../../bridge/run.ts'
import type { ChatMessage } from '../providers/provider.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { ChainedReceipt, ChainEntry, ReceiptChain } from './receipt-chain.ts'
import type { McpPinStore } from './mcp-pin-store.ts'
import type { McpServerStore } from './mcp-server-store.ts'
import type { WaitingStore } from './waiting-store.ts'
import type { WebhookOutbox } from './webhook-outbox.ts'

export type Scope = 'chat' | 'tools' | 'approvals' | 'admin'

export interface TokenRecord {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly scopes: readonly Scope[]
  /** Agents that it may use; absent means all. */
  readonly agents?: readonly string[]
  /** Channels that it speaks for: what it says of their senders is believed. Absent: it speaks for none. */
  readonly channels?: readonly string[]
  /** SHA-256 of the token, hexadecimal. The token itself is never stored. */
  readonly hash: string
  readonly createdMs: number
  readonly revokedMs?: number
}

export interface SessionRecord {
  readonly tenant: string
  readonly id: string
  readonly agent: string
  readonly createdMs: number
  readonly updatedMs: number
}

/** One line of a session's log; `event` is past tense, e.g. `model-step-finished`, `call-settled`, `turn-finished`. */
export interface SessionEvent extends JsonObject {
  readonly event: string
  readonly atMs: number
}

/**
 * Whatever a user could lose. Every method rejects with a `StoreError`, and then nothing was done. Every read takes the tenant and never returns another tenant's rows. Everything but
 * sealed answers is redacted before it comes here.
 */
export interface Store {
  /** Whether another process may be at the same data, or has been: what it writes is only known by reading. Once true it stays so. */
  readonly isShared: boolean

  /** Adds it, or replaces the one with this id. */
  putToken(token: TokenRecord): Promise<void>
  findToken(hash: string): Promise<TokenRecord | undefined>
  /** By its id; revoked ones too. */
  getToken(id: string): Promise<TokenRecord | undefined>
  listTokens(): Promise<readonly TokenRecord[]>

  getSession(tenant: string, id: string): Promise<SessionRecord | undefined>
  /** Creates the session when it is new, and appends in one transaction. */
  appendMessages(
    session: Omit<SessionRecord, 'createdMs' | 'updatedMs'>,
    messages: readonly ChatMessage[],
    nowMs: number,
  ): Promise<void>
  listMessages(tenant: string, session: string): Promise<readonly ChatMessage[]>
  appendEvents(tenant: string, session: string, events: readonly SessionEvent[]): Promise<void>
  listEvents(tenant: string, session: string): Promise<readonly SessionEvent[]>

  /** Adds it at the end of its tenant's chain. Refuses an id that is there already: a receipt is never rewritten. */
  putReceipt(receipt: Receipt): Promise<void>
  /**
   * The same for an id that was made for it, sooner: it is kept when this resolves, over a kill of the process too, and in
   * its chain before anybody reads that. One whose id is there after all is left out.
   */
  keepReceipt(receipt: Receipt): Promise<void>
  /**
   * Its call is under way, and the receipt says that its end was not seen. Should none of that id be kept before the process
   * ends, this one is in its chain at the next start. It is kept when this returns: nobody waits for the promise.
   */
  noteReceipt(receipt: Receipt): Promise<void>
  /** Rejects where the receipt of a call could not be kept now: then the call is not to be made. Writes nothing of its own. */
  checkReceipts(): Promise<void>
  getReceipt(tenant: string, id: string): Promise<ChainEntry | undefined>
  /** The last written first; at most 1,000. */
  listReceipts(tenant: string, limit: number): Promise<readonly ChainEntry[]>
  /** In the order of the tenant's chain, after a place; at most 1,000. */
  readReceipts(tenant: string, afterSeq: number, limit: number): Promise<readonly ChainedReceipt[]>
  /** The chains of all tenants, by name of the tenant; for operators alone. */
  listReceiptChains(): Promise<readonly ReceiptChain[]>

  putRun(tenant: string, run: Run, record: RunRecord): Promise<void>
  getRun(tenant: string, id: string): Promise<StoredRun | undefined>
  /** Drops the journals of runs that started before; how many there were. */
  expireJournals(beforeMs: number): Promise<number>

  /** Small JSON values that programs of one session keep for each other. */
  getValue(tenant: string, session: string, key: string): Promise<JsonValue | undefined>
  /** Refuses, with the bytes used, when the session's values would exceed `maxBytes`. */
  setValue(entry: ValueEntry, maxBytes: number): Promise<{ readonly stored: boolean; readonly usedBytes: number }>

  /** The sessions whose id begins so and that have values, of every tenant. */
  listValueSessions(sessionStart: string): Promise<readonly Pick<ValueEntry, 'tenant' | 'session'>[]>

  /** Drops the values, written before a time, of all sessions whose id begins so; how many there were. */
  expireValues(sessionStart: string, beforeMs: number): Promise<number>

  readonly approvals: ApprovalStore
  readonly outbox: WebhookOutbox
  readonly mcpServers: McpServerStore
  readonly mcpPins: McpPinStore
  readonly waiting: WaitingStore

  /** Writes a row; for `/readyz`. */
  check(): Promise<void>
  /** Safe to call twice. */
  close(): Promise<void>
}

export interface StoredRun {
  readonly run: Run
  readonly record: RunRecord
}

export interface ValueEntry {
  readonly tenant: string
  readonly session: string
  readonly key: string
  readonly value: JsonValue
}

/** What a run is replayed from. */
export interface RunRecord {
  readonly agent: string
  readonly session?: string
  readonly code: string
  readonly seed: number
  readonly startMs: number
  /** Sealed journal of operations and answers, base64; absent once it has expired or was too large. */
  readonly journal?: string
}
