import { setImmediate as breathe } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Approval, ApprovalDesk, ApprovalRequest, NoRoom, SettledApproval } from '../../bridge/approval.ts'
import type { SchemaChecker } from '../../catalog/schema.ts'
import type { Seal } from '../state/seal.ts'
import type { EndedApproval } from '../store/approval-store.ts'
import type { Store } from '../store/store.ts'
import { decideApprovals } from './decide-approvals.ts'
import type { Decided, Decider, Decision } from './decision.ts'
import type { DueTimer } from './due-timer.ts'
import { createDueTimer } from './due-timer.ts'
import type { EndPending } from './end-pending.ts'
import { createEndPending } from './end-pending.ts'
import type { GivenAnswers } from './answers/given-answers.ts'
import { createGivenAnswers } from './answers/given-answers.ts'
import type { HeldDeadlines } from './held/held-deadlines.ts'
import { createHeldDeadlines } from './held/held-deadlines.ts'
import type { HeldWatch } from './held/held-watch.ts'
import { createHeldWatch } from './held/held-watch.ts'
import type { PendingBounds } from './no-room.ts'
import { factsOf } from './facts-of.ts'
import type { RequestApproval } from './request-approval.ts'
import { createRequestApproval } from './request-approval.ts'
import type { Waiters } from './held/waiters.ts'
import { createWaiters } from './held/waiters.ts'
import type { NoticesOf } from './webhooks/webhook-notices.ts'

export interface DeskSettings extends PendingBounds {
  readonly timeoutMs: number
  readonly parkedTimeoutMs: number
}

export interface ApprovalDeskDeps {
  readonly store: Pick<Store, 'approvals'>
  /** Names this gateway, also after a restart, among those on the store. */
  readonly holder: string
  readonly seal: Pick<Seal, 'seal' | 'open'>
  readonly settings: () => DeskSettings
  readonly schemas: Pick<SchemaChecker, 'validateOutput'>
  /** Of the rule at a place of the configuration in force; undefined where none stands there. */
  readonly ruleHash: (where: string) => string | undefined
  readonly redactText: (text: string) => string
  readonly redactShape: <T>(value: T) => T
  readonly noticesOf: NoticesOf
  /** Messages were put into the outbox. */
  readonly onNotices: () => void
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly now: () => number
}

/** The desk of a gateway: where calls ask, and where people answer. */
export interface GatewayDesk extends ApprovalDesk {
  /**
   * Answers, at most one to an approval, all kept in one step; each gets its own result, in their order. Rejects when
   * the store cannot keep them, and then nothing is decided.
   */
  decide(decisions: readonly Decision[], by: Decider): Promise<readonly Decided[]>
  /** Called for each approval that leaves `pending`, however, once that is kept. Must not throw. */
  whenEnded(listener: (approval: Approval) => void): void
  /** Held ones end as cancelled, parked ones stay. Safe to call twice. */
  close(): Promise<void>
}

/**
 * Opens the desk over the store. Held approvals of a gateway that has ended are cancelled, not those of another one that
 * runs on the same store, and what ran out meanwhile expires, before anything is asked.
 */
export async function openApprovalDesk(deps: ApprovalDeskDeps): Promise<GatewayDesk> {
  const desk = new StoreDesk(deps)
  await desk.begin()
  return desk
}

class StoreDesk implements GatewayDesk {
  readonly #deps: ApprovalDeskDeps
  readonly #waiters: Waiters = createWaiters()
  readonly #answers: GivenAnswers
  readonly #held: HeldWatch
  readonly #deadlines: HeldDeadlines
  readonly #listeners = new Set<(approval: Approval) => void>()
  readonly #expiry: DueTimer
  readonly #pending: EndPending
  readonly #request: RequestApproval
  #closing: Promise<void> | undefined

  constructor(deps: ApprovalDeskDeps) {
    this.#deps = deps
    this.#pending = createEndPending({
      ...deps,
      store: deps.store.approvals,
      onEnded: (ended) => this.#tell(ended),
    })
    this.#expiry = createDueTimer({
      work: () => this.#pending.expire(),
      nextMs: () => deps.store.approvals.nextExpiryMs(),
      onError: (error) => deps.log.error({ err: error }, 'approvals whose time is over could not be ended'),
      now: deps.now,
    })
    this.#answers = createGivenAnswers({
      store: deps.store.approvals,
      seal: deps.seal,
      onError: (error) => deps.log.error({ err: error }, 'an answer that another gateway was given cannot be read'),
    })
    this.#held = createHeldWatch({
      store: deps.store.approvals,
      holder: deps.holder,
      waiting: () => this.#waiters.all(),
      onEnded: (approval) => {
        this.#deadlines.end(approval.tenant, approval.id)
        this.#waiters.wake(approval)
      },
      onError: (error) => deps.log.error({ err: error }, 'approvals that are held could not be looked at'),
      now: deps.now,
    })
    this.#deadlines = createHeldDeadlines((tenant, id) => {
      this.#pending
        .expireHeld(tenant, id)
        .catch((error: unknown) =>
          deps.log.error({ err: error, approval: id }, 'an approval whose time is over could not be ended'),
        )
    })
    this.#request = createRequestApproval({
      ...deps,
      store: deps.store.approvals,
      pending: this.#pending,
      heldUntilMs: () => this.#held.untilMs(),
      onRequested: (approval) => {
        this.#deadlines.begin(approval)
        this.#expiry.look()
        deps.onNotices()
      },
    })
  }

  async begin(): Promise<void> {
    await this.#pending.cancelHeld('the gateway ended while this was pending', this.#deps.now())
    await this.#held.forgetAnswers()
    this.#expiry.look()
  }

  open(request: ApprovalRequest): Promise<Approval | NoRoom> {
    return this.#request(request)
  }

  async settled(tenant: string, id: string, signal: AbortSignal): Promise<SettledApproval> {
    const stop = new AbortController()
    // Before the row is read: what ends between the two is heard.
    const woken = this.#waiters.wait(tenant, id, AbortSignal.any([signal, stop.signal]))
    // Where the row answers first, nobody listens to this one any more.
    woken.catch(() => undefined)
    this.#held.look()
    try {
      const row = await this.#deps.store.approvals.get(tenant, id)
      if (row === undefined) throw new TypeError(`there is no approval "${id}" to wait for`)
      const settled = row.approval.state === 'pending' ? await woken : row.approval
      // Decided in this very moment: the answer is put away right after the row has ended.
      if (settled === row.approval) await breathe()
      const answer = await this.#answers.take(settled)
      return answer === undefined ? settled : { ...settled, answer }
    } finally {
      stop.abort()
    }
  }

  async park(tenant: string, ids: readonly string[]): Promise<void> {
    const expiresMs = this.#deps.now() + this.#deps.settings().parkedTimeoutMs
    await this.#deps.store.approvals.park(tenant, ids, expiresMs)
    for (const id of ids) this.#deadlines.end(tenant, id)
    this.#expiry.look()
  }

  async cancel(tenant: string, ids: readonly string[], reason: string): Promise<void> {
    const rows = await Promise.all(ids.map((id) => this.#deps.store.approvals.get(tenant, id)))
    const pending = rows.flatMap((row) => (row?.approval.state === 'pending' ? [row.approval] : []))
    await this.#pending.cancel(pending, this.#deps.redactText(reason))
  }

  decide(decisions: readonly Decision[], by: Decider): Promise<readonly Decided[]> {
    const { store, holder, noticesOf, now } = this.#deps
    return decideApprovals(decisions, by, {
      store: store.approvals,
      holder,
      answers: this.#answers,
      noticesOf,
      expire: () => this.#pending.expire(),
      onEnded: (ended) => this.#tell(ended),
      now,
    })
  }

  whenEnded(listener: (approval: Approval) => void): void {
    this.#listeners.add(listener)
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeOnce()
    return this.#closing
  }

  async #closeOnce(): Promise<void> {
    await this.#expiry.stop()
    try {
      // What others hold is theirs to end.
      await this.#pending.cancelHeld('the gateway stopped', 0)
    } catch (error) {
      // The next start cancels them.
      this.#deps.log.error({ err: error }, 'held approvals could not be cancelled')
    }
    this.#deadlines.stop()
    await this.#held.stop()
  }

  #tell(ended: readonly (EndedApproval | undefined)[]): void {
    for (const each of ended) {
      if (each?.kind !== 'ended') continue
      this.#deps.log.info(factsOf(each.approval), 'approval ended')
      this.#deadlines.end(each.approval.tenant, each.approval.id)
      this.#waiters.wake(each.approval)
      for (const listener of this.#listeners) listener(each.approval)
    }
    this.#deps.onNotices()
  }
}
