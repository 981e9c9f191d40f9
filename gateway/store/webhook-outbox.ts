import type { JsonObject } from '../../catalog/json.ts'

/** One message to one address that has not arrived there yet. */
export interface OutboxEntry {
  /** The same at every attempt: by it a receiver knows a message that came twice. */
  readonly id: string
  readonly tenant: string
  readonly url: string
  /** What is sent, byte for byte; redacted. */
  readonly body: JsonObject
  readonly createdMs: number
  readonly dueMs: number
  /** Rounds of attempts that failed. */
  readonly failedRounds: number
}

/** Messages wait here until they arrived, over restarts too; each address has its own queue. */
export interface WebhookOutbox {
  put(entries: readonly OutboxEntry[]): Promise<void>
  /** Addresses that something is due to, without those. */
  listDueUrls(nowMs: number, except: readonly string[]): Promise<readonly string[]>
  /** What is due to one address, in the order in which it came. */
  listDue(url: string, nowMs: number, limit: number): Promise<readonly OutboxEntry[]>
  /** When something is due next to an address other than those; undefined where nothing waits. */
  nextDueMs(except: readonly string[]): Promise<number | undefined>
  /** A round failed: the message, and all others to its address, wait until then. */
  postpone(entry: Pick<OutboxEntry, 'id' | 'url'>, dueMs: number): Promise<void>
  /** It arrived, or was given up. */
  remove(id: string): Promise<void>
  /** Of each address that more than so many wait for, the oldest above that; how many of which. */
  dropOldest(maxCount: number): Promise<readonly { readonly url: string; readonly count: number }[]>
  /** Nobody receives there any more. How many there were. */
  removeAllTo(url: string): Promise<number>
}
