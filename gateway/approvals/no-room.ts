import type { NoRoom } from '../../bridge/approval.ts'
import type { NoRoomLeft, Room } from '../store/approval-store.ts'

export interface PendingBounds {
  /** How many may wait at one time, of one agent and of one token. */
  readonly maxPending: number
  readonly maxPendingPerToken: number
}

export function roomOf({ maxPending, maxPendingPerToken }: PendingBounds): Room {
  return { ofAgent: maxPending, ofToken: maxPendingPerToken }
}

/** What is said where nobody is asked any more, with the bound and the way out. */
export function noRoomFor({ of }: NoRoomLeft, agent: string, bounds: PendingBounds): NoRoom {
  const { maxPending, maxPendingPerToken } = bounds
  const full =
    of === 'ofAgent'
      ? `${maxPending} calls of agent ${JSON.stringify(agent)} wait for a decision already, as many as may (approvals.maxPending)`
      : `${maxPendingPerToken} calls of this token wait for a decision already, as many as may (approvals.maxPendingPerToken)`
  return {
    state: 'no-room',
    reason: `${full}; try again when some are decided, which "drawbridge approvals pending" lists`,
  }
}
