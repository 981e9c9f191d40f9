import type { Logger } from 'pino'
import type { Approval, ApprovalCause, ApprovalRequest, NoRoom } from '../../bridge/approval.ts'
import type { Store } from '../store/store.ts'
import { decisionReceipt, BY_GATEWAY, endedApproval } from './end-approval.ts'
import type { EndPending } from './end-pending.ts'
import { factsOf } from './facts-of.ts'
import type { FindGrantDeps } from './find-grant.ts'
import { findGrant } from './find-grant.ts'
import type { PendingBounds } from './no-room.ts'
import { noRoomFor, roomOf } from './no-room.ts'
import { CHANGED_REASON, grantedApproval, isAbout, newApproval } from './open-approval.ts'
import type { NoticesOf } from './webhooks/webhook-notices.ts'

export interface RequestApprovalDeps extends Omit<FindGrantDeps, 'store'> {
  readonly store: Store['approvals']
  readonly pending: Pick<EndPending, 'cancel'>
  /** Names this gateway among those on the store; what it holds is its own until then, Unix milliseconds. */
  readonly holder: string
  readonly heldUntilMs: () => number
  readonly settings: () => PendingBounds & { readonly timeoutMs: number }
  /** Of the rule at a place of the configuration in force; undefined where none stands there. */
  readonly ruleHash: (where: string) => string | undefined
  readonly redactText: (text: string) => string
  readonly redactShape: <T>(value: T) => T
  readonly noticesOf: NoticesOf
  /** Somebody is asked from now on. */
  readonly onRequested: (approval: Approval) => void
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** The row of a call: the one that it has, one that a grant allows at once, or a new one that waits. */
export type RequestApproval = (request: ApprovalRequest) => Promise<Approval | NoRoom>

export function createRequestApproval(deps: RequestApprovalDeps): RequestApproval {
  const { store, settings, log } = deps
  return async (asked) => {
    const request = { ...asked, cause: causeOf(asked, deps) }
    const known = await store.getOfCall(request.caller.tenant, request.callId)
    if (known !== undefined) return standing(known.approval, request, deps)
    const { redactText, redactShape: redactInput, noticesOf } = deps
    const common = { redactText, redactInput, nowMs: deps.now(), timeoutMs: settings().timeoutMs }
    const pending = newApproval(request, common)
    const grant = await findGrant(request, deps)
    const approval = grant === undefined ? pending : grantedApproval(pending, grant)
    const { token } = request.caller
    const holder = { by: deps.holder, untilMs: deps.heldUntilMs() }
    const row = { approval, isParked: false, holder, ...(token !== undefined && { token }) }
    const added =
      grant === undefined
        ? await store.addWithin(roomOf(settings()), row, noticesOf(requested(approval)))
        : await store.add(row, [], decisionReceipt(approval))
    if ('kind' in added) {
      log.warn(factsOf(approval), 'an approval was not asked for: too many wait')
      return noRoomFor(added, approval.agent, settings())
    }
    const kept = added.approval
    // The same call asked twice at once: the other one's row is this call's too.
    if (kept.id !== approval.id) return standing(kept, request, deps)
    if (kept.state === 'pending') {
      deps.onRequested(kept)
      log.info(factsOf(kept), 'approval requested')
    }
    return kept
  }
}

function causeOf({ cause }: ApprovalRequest, { ruleHash }: RequestApprovalDeps): ApprovalCause {
  const hash = cause.by === 'rule' ? ruleHash(cause.where) : undefined
  return hash === undefined ? cause : { ...cause, hash }
}

async function standing(
  approval: Approval,
  request: ApprovalRequest,
  { pending, now }: RequestApprovalDeps,
): Promise<Approval> {
  if (isAbout(approval, request)) return approval
  if (approval.state === 'pending') await pending.cancel([approval], CHANGED_REASON)
  // The row stays as it was decided; the call that it was not about is not allowed by it.
  const refusal = { state: 'cancelled', by: BY_GATEWAY, atMs: now(), reason: CHANGED_REASON } as const
  return endedApproval(approval, refusal)
}

function requested(approval: Approval): Parameters<NoticesOf>[0] {
  return { type: 'approval.requested', tenant: approval.tenant, data: approval }
}
