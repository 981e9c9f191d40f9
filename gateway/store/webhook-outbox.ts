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

/** Messages wait here until they arrived, over restarts too. */
export interface WebhookOutbox {
  put(entries: readonly OutboxEntry[]): Promise<void>
  /** The longest due first. */
  listDue(nowMs: number, limit: number): Promise<readonly OutboxEntry[]>
  /** When the next one is due; undefined where none waits. */
  nextDueMs(): Promise<number | undefined>
  postpone(id: string, dueMs: number): Promise<void>
  /** It arrived, or was given up. */
  remove(id: string): Promise<void>
}
