import type { Caller } from '../../../../caller.ts'
import { GIVEN_UP_MAY_ASK_MS, GIVEN_UP_WORK_MAX } from '../../limits.ts'
import type { RequestId } from '../../transport/answer-guard.ts'

/** What one caller wants of a server; without a caller it is nobody's in particular. */
export interface CallersWork {
  readonly caller: Caller | undefined
  /** The tool that is called, or the method of what is asked for beside tools. */
  readonly tool?: string
}

/** What of a session nobody waits for any more, while its server may still be at it and ask about it. */
export interface GivenUpWork {
  /** A request went out for it. */
  sent(id: RequestId, work: CallersWork): void
  /** The server has said how a request ended, in time or late. */
  answered(id: RequestId): void
  /** Nobody waits for it any more; what the server has not answered of it may go on there. */
  giveUp(work: CallersWork): void
  /** Nothing of it can go on at the server. */
  forget(work: CallersWork): void
  /**
   * Tools of this caller's calls that were given up and that the server may still be at; undefined where it may be at
   * something of another caller.
   */
  ownTools(caller: Caller | undefined): readonly string[] | undefined
}

/**
 * A server that heeds a cancellation sends no answer to what was cancelled, as the specification wants it, so that only
 * time can say that it is done; one that does not heed it answers late, and is done then.
 */
export function createGivenUpWork(now: () => number): GivenUpWork {
  const open = new Map<RequestId, CallersWork>()
  const given = new Map<RequestId, CallersWork & { readonly untilMs: number }>()
  /** Until when there is more than is remembered, and it may be anybody's. */
  let moreUntilMs = Number.NEGATIVE_INFINITY
  const eachOf = (work: CallersWork, use: (id: RequestId) => void): void => {
    for (const [id, each] of open) {
      if (each !== work) continue
      open.delete(id)
      use(id)
    }
  }
  return {
    sent: (id, work) => void open.set(id, work),
    answered(id) {
      open.delete(id)
      given.delete(id)
    },
    giveUp(work) {
      const untilMs = now() + GIVEN_UP_MAY_ASK_MS
      eachOf(work, (id) => {
        if (given.size < GIVEN_UP_WORK_MAX) given.set(id, { ...work, untilMs })
        else moreUntilMs = untilMs
      })
    },
    forget: (work) => eachOf(work, () => undefined),
    ownTools(caller) {
      const nowMs = now()
      if (moreUntilMs > nowMs) return undefined
      const tools = new Set<string>()
      for (const [id, { untilMs, tool, caller: other }] of given) {
        if (untilMs <= nowMs) given.delete(id)
        else if (caller === undefined || other === undefined || !isSameCaller(other, caller)) return undefined
        else if (tool !== undefined) tools.add(tool)
      }
      return [...tools]
    },
  }
}

/** One person, as far as anybody can tell: by one token, in one conversation, whichever of its agents each asks. */
function isSameCaller(one: Caller, other: Caller): boolean {
  return WHO.every((part) => one[part] === other[part])
}

const WHO = ['tenant', 'channel', 'sender', 'session', 'token'] as const
