import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import type { Approval, ApprovalRequest } from '../../../bridge/approval.ts'
import { createRedactor } from '../../../bridge/redact.ts'
import type { Caller } from '../../../catalog/caller.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import { hashJson } from '../../../catalog/json.ts'
import { createSchemaChecker } from '../../../catalog/schema.ts'
import type { Tool } from '../../../catalog/tool.ts'
import { createTool } from '../../../catalog/tool.ts'
import { migrate } from '../../store/sqlite/migrations.ts'
import { SqliteStore } from '../../store/sqlite/sqlite-store.ts'
import type { GatewayDesk } from '../approval-desk.ts'
import { openApprovalDesk } from '../approval-desk.ts'
import type { WebhookEvent } from '../webhooks/webhook-notices.ts'

interface DeskOptions {
  /** Of a desk that was there before: the same store. */
  readonly folder?: string
  /** Another gateway's desk on that store. */
  readonly holder?: string
  readonly clock?: () => number
  readonly timeoutMs?: number
  readonly parkedTimeoutMs?: number
  readonly maxPending?: number
  readonly maxPendingPerToken?: number
}

/** A desk over a real store, until the test ends. */
export async function openDesk({ folder: known, holder = 'one', clock = Date.now, ...given }: DeskOptions = {}) {
  const bounds = { timeoutMs: 120_000, parkedTimeoutMs: 86_400_000, maxPending: 1_000, maxPendingPerToken: 1_000 }
  const folder = known ?? (await mkdtemp(path.join(os.tmpdir(), 'drawbridge-desk-')))
  const file = path.join(folder, 'desk.db')
  const store = openStore(file)
  const ended: Approval[] = []
  const notices: WebhookEvent[] = []
  const rules = new Map<string, string>()
  const redactor = createRedactor({ patterns: [], secrets: [] })
  const desk = await openApprovalDesk({
    store,
    holder,
    seal: SHIFTED,
    settings: () => ({ ...bounds, ...given }),
    schemas: createSchemaChecker(),
    ruleHash: (where) => rules.get(where),
    redactText: (text) => redactor.text(text),
    redactShape: (value) => JSON.parse(JSON.stringify(redactor.json(JSON.parse(JSON.stringify(value))))),
    noticesOf: (event) => {
      notices.push(event)
      return []
    },
    onNotices: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    now: clock,
  })
  desk.whenEnded((approval) => ended.push(approval))
  onTestFinished(async () => {
    await desk.close()
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    desk: withRoom(desk),
    /** As it is: it may have no room. */
    ask: (request: ApprovalRequest) => desk.open(request),
    store,
    ended,
    notices,
    rules,
    folder,
    clock,
    lock: () => lockFile(file),
    fill: () => store.fill(),
  }
}

/** Reads as nothing else, and opens again. */
const SHIFTED = {
  seal: (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1),
  open: (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1),
}

/** For tests that ask for far less than may wait. */
function withRoom(desk: GatewayDesk) {
  const open = async (request: ApprovalRequest): Promise<Approval> => {
    const opened = await desk.open(request)
    if (opened.state === 'no-room') throw new Error(opened.reason)
    return opened
  }
  return {
    open,
    settled: (...asked: Parameters<GatewayDesk['settled']>) => desk.settled(...asked),
    park: (...parked: Parameters<GatewayDesk['park']>) => desk.park(...parked),
    cancel: (...cancelled: Parameters<GatewayDesk['cancel']>) => desk.cancel(...cancelled),
    decide: (...decided: Parameters<GatewayDesk['decide']>) => desk.decide(...decided),
    whenEnded: (listener: (approval: Approval) => void) => desk.whenEnded(listener),
    close: () => desk.close(),
  }
}

/** The real store, over a connection that can be told that its disk is full. */
function openStore(file: string) {
  const database = new DatabaseSync(file, { timeout: LOCK_WAIT_MS })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
  migrate(database, file)
  return new FillableStore(database, file)
}

class FillableStore extends SqliteStore {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync, file: string) {
    super(database, file)
    this.#database = database
  }

  /** No page more than it has now, until the function that is given is called. */
  fill(): () => void {
    this.#database.exec('VACUUM')
    const pages = Number(this.#database.prepare('PRAGMA page_count').get()?.['page_count'])
    this.#database.exec(`PRAGMA max_page_count = ${pages}`)
    return () => this.#database.exec('PRAGMA max_page_count = 1000000')
  }
}

/** A lock that another holds is waited for so long. */
const LOCK_WAIT_MS = 50

/** Another program holds the file, until the function that is given is called. */
function lockFile(file: string): () => void {
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  return () => other.close()
}

export function aTool(properties: JsonObject = { amount: { type: 'number' } }, name = 'send'): Tool {
  return createTool('plugin', 'pay', { name, description: 'Pays', inputSchema: { type: 'object', properties } })
}

type Asked = Partial<ApprovalRequest> & Partial<Pick<Caller, 'tenant' | 'agent' | 'token'>>

export function aRequest({ tenant = 'default', agent = 'default', token, ...given }: Asked): ApprovalRequest {
  const input = given.input ?? { amount: 1 }
  return {
    callId: 'call_1',
    caller: { tenant, agent, ...(token !== undefined && { token }) },
    tool: aTool(),
    input,
    inputHash: hashJson(input),
    title: 'Pay',
    description: 'Pays money',
    severity: 'warning',
    allowedDecisions: ['allow-once', 'allow-always', 'deny'],
    cause: { by: 'default', where: 'tools.approvals' },
    ...given,
  }
}
