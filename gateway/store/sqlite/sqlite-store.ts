import type { DatabaseSync } from 'node:sqlite'
import type { Receipt } from '../../../bridge/receipt.ts'
import type { Run } from '../../../bridge/run.ts'
import type { JsonValue } from '../../../catalog/json.ts'
import type { ChatMessage } from '../../providers/provider.ts'
import { StoreError } from '../errors.ts'
import { LIST_ROWS, ROW_BYTES } from '../limits.ts'
import type { ChainedReceipt, ReceiptChain } from '../receipt-chain.ts'
import { CHAIN_START, chainHash, receiptText } from '../receipt-chain.ts'
import type { RunRecord, SessionEvent, SessionRecord, Store, StoredRun, TokenRecord, ValueEntry } from '../store.ts'
import { toStoreError } from './sqlite-error.ts'
import type { Statements } from './statements.ts'
import { prepareStatements } from './statements.ts'

/**
 * The store in one SQLite file. Each method is one synchronous step inside, so that none sees another half done; what
 * it reads is JSON that only this class writes.
 */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync
  readonly #statements: Statements
  readonly #file: string

  constructor(database: DatabaseSync, file: string) {
    this.#database = database
    this.#statements = prepareStatements(database)
    this.#file = file
  }

  putToken(token: TokenRecord): Promise<void> {
    return this.#do(({ putToken }) => void putToken.run(token.hash, token.id, token.createdMs, encode(token)))
  }

  findToken(hash: string): Promise<TokenRecord | undefined> {
    return this.#do(({ findToken }) => decodeOne(findToken.get(hash)))
  }

  listTokens(): Promise<readonly TokenRecord[]> {
    return this.#do(({ listTokens }) => decodeAll(listTokens.all()))
  }

  getSession(tenant: string, id: string): Promise<SessionRecord | undefined> {
    return this.#do(({ getSession }) => {
      const row = getSession.get(tenant, id)
      if (!row) return undefined
      const [createdMs, updatedMs] = [Number(row['created_ms']), Number(row['updated_ms'])]
      return { tenant, id, agent: String(row['agent']), createdMs, updatedMs }
    })
  }

  appendMessages(
    session: Omit<SessionRecord, 'createdMs' | 'updatedMs'>,
    messages: readonly ChatMessage[],
    nowMs: number,
  ): Promise<void> {
    const { tenant, id, agent } = session
    return this.#transact(({ touchSession, addMessage }) => {
      touchSession.run(tenant, id, agent, nowMs, nowMs)
      for (const message of messages) addMessage.run(tenant, id, encode(message))
    })
  }

  listMessages(tenant: string, session: string): Promise<readonly ChatMessage[]> {
    return this.#do(({ listMessages }) => decodeAll(listMessages.all(tenant, session)))
  }

  appendEvents(tenant: string, session: string, events: readonly SessionEvent[]): Promise<void> {
    return this.#transact(({ addEvent }) => {
      for (const event of events) addEvent.run(tenant, session, encode(event))
    })
  }

  listEvents(tenant: string, session: string): Promise<readonly SessionEvent[]> {
    return this.#do(({ listEvents }) => decodeAll(listEvents.all(tenant, session)))
  }

  putReceipt(receipt: Receipt): Promise<void> {
    const { tenant, id } = receipt
    return this.#do(({ getChainEnd, putReceipt }) => {
      const text = bounded(receiptText(receipt))
      const end = getChainEnd.get(tenant)
      // Of two writers that read the same end the second is refused: a place is given once.
      const link = { seq: Number(end?.['seq'] ?? 0) + 1, previous: String(end?.['hash'] ?? CHAIN_START) }
      putReceipt.run(tenant, link.seq, id, link.previous, chainHash(link, text), text)
    })
  }

  getReceipt(tenant: string, id: string): Promise<Receipt | undefined> {
    return this.#do(({ getReceipt }) => decodeOne(getReceipt.get(tenant, id)))
  }

  listReceipts(tenant: string, limit: number): Promise<readonly Receipt[]> {
    const rows = Math.max(0, Math.min(Math.trunc(limit), LIST_ROWS))
    return this.#do(({ listReceipts }) => decodeAll(listReceipts.all(tenant, rows)))
  }

  readReceipts(tenant: string, afterSeq: number, limit: number): Promise<readonly ChainedReceipt[]> {
    const rows = Math.max(0, Math.min(Math.trunc(limit), LIST_ROWS))
    return this.#do(({ readReceipts }) => readReceipts.all(tenant, afterSeq, rows).map(chainedOf))
  }

  listReceiptChains(): Promise<readonly ReceiptChain[]> {
    return this.#do(({ listChains }) => listChains.all().map(chainOf))
  }

  putRun(tenant: string, run: Run, record: RunRecord): Promise<void> {
    const { journal = null, ...rest } = record
    return this.#do(({ putRun }) => void putRun.run(tenant, run.id, record.startMs, encode(run), encode(rest), journal))
  }

  getRun(tenant: string, id: string): Promise<StoredRun | undefined> {
    return this.#do(({ getRun }) => {
      const row = getRun.get(tenant, id)
      if (!row) return undefined
      const run: Run = JSON.parse(String(row['run']))
      const record: RunRecord = JSON.parse(String(row['record']))
      const { journal } = row
      return { run, record: typeof journal === 'string' ? { ...record, journal } : record }
    })
  }

  expireJournals(beforeMs: number): Promise<number> {
    return this.#do(({ expireJournals }) => Number(expireJournals.run(beforeMs).changes))
  }

  getValue(tenant: string, session: string, key: string): Promise<JsonValue | undefined> {
    return this.#do(({ getValue }) => decodeOne(getValue.get(tenant, session, key)))
  }

  setValue(entry: ValueEntry, maxBytes: number): Promise<{ readonly stored: boolean; readonly usedBytes: number }> {
    const { tenant, session, key, value } = entry
    return this.#transact(({ usedBytes, setValue }) => {
      const body = encode(value)
      const bytes = Buffer.byteLength(key) + Buffer.byteLength(body)
      const used = usedBytes.get(key, tenant, session)
      const [all, own] = [Number(used?.['all_bytes']), Number(used?.['own_bytes'])]
      if (all - own + bytes > maxBytes) return { stored: false, usedBytes: all }
      setValue.run(tenant, session, key, body, bytes)
      return { stored: true, usedBytes: all - own + bytes }
    })
  }

  check(): Promise<void> {
    return this.#do(({ probe }) => void probe.run())
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }

  #transact<Value>(work: (statements: Statements) => Value): Promise<Value> {
    return this.#do((statements) => {
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        const value = work(statements)
        this.#database.exec('COMMIT')
        return value
      } catch (error) {
        // A full disk rolls back by itself.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
        throw error
      }
    })
  }

  async #do<Value>(work: (statements: Statements) => Value): Promise<Value> {
    try {
      return work(this.#statements)
    } catch (error) {
      throw toStoreError(error, this.#file)
    }
  }
}

function encode(value: unknown): string {
  return bounded(JSON.stringify(value))
}

function bounded(text: string): string {
  if (text.length <= ROW_BYTES) return text
  throw new StoreError('row-too-large', `a row of ${text.length} characters was refused; at most ${ROW_BYTES} are kept`)
}

function decodeOne(row: Readonly<Record<string, unknown>> | undefined) {
  return row === undefined ? undefined : JSON.parse(String(row['body']))
}

function decodeAll(rows: readonly Readonly<Record<string, unknown>>[]) {
  return rows.map((row) => JSON.parse(String(row['body'])))
}

type Row = Readonly<Record<string, unknown>>

function chainedOf(row: Row): ChainedReceipt {
  const { seq, id, previous, hash, body } = row
  return { seq: Number(seq), id: String(id), previous: String(previous), hash: String(hash), text: String(body) }
}

function chainOf({ tenant, seq, hash }: Row): ReceiptChain {
  return { tenant: String(tenant), ...(typeof hash === 'string' && { end: { seq: Number(seq), hash } }) }
}
