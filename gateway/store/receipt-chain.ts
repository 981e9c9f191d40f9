import { hash } from 'node:crypto'
import type { ApprovalState } from '../../bridge/approval.ts'
import type { Receipt } from '../../bridge/receipt.ts'
import { canonicalJson, isJsonObject } from '../../catalog/json.ts'
import { readJson } from '../../catalog/read-json.ts'

/** The durable record of how one approval ended. */
export interface DecisionReceipt {
  readonly kind: 'decision'
  readonly id: string
  readonly tenant: string
  readonly approval: string
  readonly callId: string
  readonly runId?: string
  readonly session?: string
  readonly agent: string
  readonly toolId: string
  readonly schemaHash: string
  readonly inputHash: string
  readonly state: ApprovalState
  /** A token's id, `chat:<channel>:<sender>`, `grant:<id>` …, as the approval says it. */
  readonly decidedBy: string
  readonly reason?: string
  readonly startedMs: number
  /** From asking to the end. */
  readonly ms: number
}

/** What a chain holds: a call, or the decision on one. */
export type ChainEntry = Receipt | DecisionReceipt

/** An entry in the chain of its tenant. */
export interface ChainedReceipt {
  /** From 1, without gaps. */
  readonly seq: number
  readonly id: string
  /** Hash of the receipt before it; `CHAIN_START` for the first. */
  readonly previous: string
  readonly hash: string
  /** JSON of the receipt as it is stored; of a damaged row it may be anything. */
  readonly text: string
}

export interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

/** The receipts of one tenant. */
export interface ReceiptChain {
  readonly tenant: string
  /** As it was recorded with the last receipt; absent when that record was removed. */
  readonly end?: ChainEnd
}

/** Stands for the hash before the first receipt. */
export const CHAIN_START = '0'.repeat(64)

export function isDecision(entry: ChainEntry): entry is DecisionReceipt {
  return 'kind' in entry
}

/** The text that is hashed: the same for equal receipts, whoever stored or exported them. */
export function receiptText(receipt: ChainEntry): string {
  return canonicalJson({ ...receipt })
}

/** SHA-256 over place, predecessor and canonical JSON, hexadecimal. */
export function chainHash({ seq, previous }: Pick<ChainedReceipt, 'seq' | 'previous'>, text: string): string {
  return hash('sha256', `${seq}\n${previous}\n${text}`)
}

/** The receipt of a row; undefined when what stands there is not a JSON object. */
export function readReceipt(text: string): ChainEntry | undefined {
  const value: unknown = readJson(text)
  // Written by someone else: the row is reported as damaged.
  return isReceipt(value) ? value : undefined
}

function isReceipt(value: unknown): value is ChainEntry {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['tenant'] === 'string'
}
