import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ChainEntry } from '../receipt-chain.ts'
import { CHAIN_START, chainHash, receiptText } from '../receipt-chain.ts'
import { boundedRow } from './encode-row.ts'

/** Adds an entry at the end of its tenant's chain, within the step that calls it. */
export type AppendReceipt = (entry: ChainEntry) => void

export interface AppendReceipts {
  /** Fails where its id is there. */
  readonly append: AppendReceipt
  /** Leaves out one whose id is there. */
  readonly appendNew: AppendReceipt
}

export function createAppendReceipts(database: DatabaseSync): AppendReceipts {
  const getChainEnd = database.prepare('SELECT seq, hash FROM receipt_ends WHERE tenant = ?')
  // A trigger moves the chain's end in the same step.
  const sql = 'INSERT INTO receipts (tenant, seq, id, previous, hash, body) VALUES (?, ?, ?, ?, ?, ?)'
  const [insert, insertNew] = [database.prepare(sql), database.prepare(`${sql} ON CONFLICT (tenant, id) DO NOTHING`)]
  const append = (statement: StatementSync, entry: ChainEntry): void => {
    const text = boundedRow(receiptText(entry))
    const end = getChainEnd.get(entry.tenant)
    // Of two writers that read the same end the second is refused: a place is given once.
    const link = { seq: Number(end?.['seq'] ?? 0) + 1, previous: String(end?.['hash'] ?? CHAIN_START) }
    statement.run(entry.tenant, link.seq, entry.id, link.previous, chainHash(link, text), text)
  }
  return { append: (entry) => append(insert, entry), appendNew: (entry) => append(insertNew, entry) }
}
