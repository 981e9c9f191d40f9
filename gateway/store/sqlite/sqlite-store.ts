import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Receipt } from '../../../bridge/receipt.ts'
import type { Run } from '../../../bridge/run.ts'
import type { JsonValue } from '../../../catalog/json.ts'
import type { ChatMessage } from '../../providers/provider.ts'
import type { ApprovalStore } from '../approval-store.ts'
import { LIST_ROWS } from '../limits.ts'
import type { McpPinStore } from '../mcp-pin-store.ts'
import type { McpServerStore } from '../mcp-server-store.ts'
import type { ChainedReceipt, ChainEntry, ReceiptChain } from '../receipt-chain.ts'
import type { RunRecord, SessionEvent, SessionRecord, Store, StoredRun, ValueEntry } from '../store.ts'
import type { WaitingStore } from '../waiting-store.ts'
import type { WebhookOutbox } from '../webhook-outbox.ts'
import type { PendingReceipts } from '../pending-receipts.ts'
import { openPendingReceipts } from '../pending-receipts.ts'
import { createRoomWatch } from '../room-watch.ts'
import type { AppendReceipts } from './append-receipt.ts'
import { createAppendReceipts } from './append-receipt.ts'
import { encodeRow as encode } from './encode-row.ts'
import { createFileSharing } from './file-sharing.ts'
import { createSqliteApprovals } from './sqlite-approvals.ts'
import { createSqliteMcpPins } from './sqlite-mcp-pins.ts'
import { createSqliteMcpServers } from './sqlite-mcp-servers.ts'
import { createPutNotices, createSqliteOutbox } from './sqlite-outbox.ts'
import type { SqliteSteps } from './sqlite-steps.ts'
import { createSqliteSteps } from './sqlite-steps.ts'
import { createSqliteTokens } from './sqlite-tokens.ts'
import { createSqliteWaiting } from './sqlite-waiting.ts'
import type { Statements } from './statements.ts'
import { prepareStatements } from './statements.ts'

/**
 * The store in one SQLite file. Each method is one synchronous step inside, so that none sees another half done; what
 * it reads is JSON that only this class writes. Receipts may wait for their chains in a file beside, which is this store's alone.
 */
export class SqliteStore implements Store {
  readonly approvals: ApprovalStore
  readonly outbox: WebhookOutbox
  readonly mcpServers: McpServerStore
  readonly mcpPins: McpPinStore
  readonly waiting: WaitingStore
  readonly putToken: Store['putToken']
  readonly findToken: Store['findToken']
  readonly getToken: Store['getToken']
  readonly listTokens: Store['listTokens']
  readonly #database: DatabaseSync
  readonly #isShared: () => boolean
  readonly #statements: Statements
  readonly #steps: SqliteSteps
  readonly #receipts: AppendReceipts
  readonly #pending: PendingReceipts | undefined
  readonly #checkRoom: () => void

  constructor(database: DatabaseSync, file: string, pendingReceipts?: string) {
    this.#database = database
    this.#isShared = createFileSharing(database, pendingReceipts === undefined || !liesBeside(file, pendingReceipts))
    this.#statements = prepareStatements(database)
    const steps = createSqliteSteps(database, file)
    const receipts = createAppendReceipts(database)
    const putNotices = createPutNotices(database)
    this.#steps = steps
    const tokens = createSqliteTokens({ statements: this.#statements, steps, isShared: this.#isShared })
    this.putToken = tokens.putToken
    this.findToken = tokens.findToken
    this.getToken = tokens.getToken
    this.listTokens = tokens.listTokens
    this.#receipts = receipts
    const chain = (entries: readonly ChainEntry[]): void => steps.transactNow(() => entries.forEach(receipts.appendNew))
    this.#pending = pendingReceipts === undefined ? undefined : openPendingReceipts({ file: pendingReceipts, chain })
    this.#checkRoom = createRoomWatch(file)
    const parts = { steps: this.#settledSteps(steps), appendReceipt: receipts.append, putNotices }
    this.approvals = createSqliteApprovals(database, parts)
    this.outbox = createSqliteOutbox(database, { steps, putNotices })
    this.mcpServers = createSqliteMcpServers(database, steps)
    this.mcpPins = createSqliteMcpPins(database, steps)
    this.waiting = createSqliteWaiting(database, steps)
  }

  get isShared(): boolean {
    return this.#isShared()
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
    return this.#doSettled(() => this.#receipts.append(receipt))
  }

  keepReceipt(receipt: Receipt): Promise<void> {
    const pending = this.#pending
    return pending === undefined ? this.putReceipt(receipt) : this.#steps.run(() => pending.keep(receipt))
  }

  noteReceipt(receipt: Receipt): Promise<void> {
    return this.#steps.run(() => this.#pending?.note(receipt))
  }

  checkReceipts(): Promise<void> {
    return this.#steps.run(() => {
      this.#checkRoom()
      this.#pending?.check()
    })
  }

  getReceipt(tenant: string, id: string): Promise<ChainEntry | undefined> {
    return this.#doSettled(({ getReceipt }) => decodeOne(getReceipt.get(tenant, id)))
  }

  listReceipts(tenant: string, limit: number): Promise<readonly ChainEntry[]> {
    const rows = Math.max(0, Math.min(Math.trunc(limit), LIST_ROWS))
    return this.#doSettled(({ listReceipts }) => decodeAll(listReceipts.all(tenant, rows)))
  }

  readReceipts(tenant: string, afterSeq: number, limit: number): Promise<readonly ChainedReceipt[]> {
    const rows = Math.max(0, Math.min(Math.trunc(limit), LIST_ROWS))
    return this.#doSettled(({ readReceipts }) => readReceipts.all(tenant, afterSeq, rows).map(chainedOf))
  }

  listReceiptChains(): Promise<readonly ReceiptChain[]> {
    return this.#doSettled(({ listChains }) => listChains.all().map(chainOf))
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

  listValueSessions(sessionStart: string): Promise<readonly Pick<ValueEntry, 'tenant' | 'session'>[]> {
    return this.#do(({ listValueSessions }) =>
      listValueSessions
        .all([...sessionStart].length, sessionStart)
        .map((row) => ({ tenant: String(row['tenant']), session: String(row['session']) })),
    )
  }

  expireValues(sessionStart: string, beforeMs: number): Promise<number> {
    return this.#do(({ expireValues }) =>
      Number(expireValues.run([...sessionStart].length, sessionStart, beforeMs).changes),
    )
  }

  check(): Promise<void> {
    return this.#doSettled(({ probe }) => void probe.run())
  }

  async close(): Promise<void> {
    if (!this.#database.isOpen) return
    this.#pending?.close()
    this.#database.close()
  }

  #transact<Value>(work: (statements: Statements) => Value): Promise<Value> {
    return this.#steps.transact(() => work(this.#statements))
  }

  /** Receipts that wait come first. */
  #doSettled<Value>(work: (statements: Statements) => Value): Promise<Value> {
    return this.#do((statements) => {
      this.#pending?.settle()
      return work(statements)
    })
  }

  #settledSteps({ run, transactNow }: SqliteSteps): SqliteSteps {
    const settled: SqliteSteps['transactNow'] = (work) => {
      this.#pending?.settle()
      return transactNow(work)
    }
    return { run, transact: (work) => run(() => settled(work)), transactNow: settled }
  }

  #do<Value>(work: (statements: Statements) => Value): Promise<Value> {
    return this.#steps.run(() => work(this.#statements))
  }
}

/** In the folder of what is one process's alone: what links lead elsewhere does not count. */
function liesBeside(file: string, own: string): boolean {
  const folder = realpathSync(path.dirname(own))
  return path.dirname(realpathSync(file)) === folder
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
