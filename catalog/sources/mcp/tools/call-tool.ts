import type { ToolResult } from '../../../tool.ts'
import { ToolUnavailable } from '../../../tool.ts'
import { isHarmlessTwice } from '../connection/session/send-when-ready.ts'
import type { Session, SessionCall } from '../connection/session/session.ts'
import type { SessionSuccession } from '../connection/session/session-succession.ts'
import { McpCallError } from '../errors.ts'
import type { CallFault } from './call-fault.ts'

/** The server, by its sessions. */
export interface SessionHolder {
  readonly sessions: Pick<SessionSuccession<Session>, 'current' | 'reopened' | 'following'>
  /** Why there is no session now. */
  absence(): string
  /** Longest wait for a session that is being opened again. */
  readonly reopenMs: number
}

/**
 * Calls a tool in the session that stands, or that is being opened again. A call that cannot have reached the server, and
 * one whose session the server has forgotten if its author says that twice does no harm, goes out once more in the next.
 * @throws {ToolUnavailable} when nothing can have happened
 * @throws {McpCallError} when the call went out and its end is not known
 */
export async function callTool(holder: SessionHolder, call: SessionCall, signal: AbortSignal): Promise<ToolResult> {
  const { sessions } = holder
  const patienceMs = Math.min(holder.reopenMs, call.idleMs)
  const session = sessions.current ?? (await sessions.reopened(undefined, patienceMs, signal))
  if (session === undefined) throw new ToolUnavailable(`${holder.absence()}; nothing was run`)
  const first = await session.call(call, signal)
  if (first.kind === 'result') return first.result
  const { fault } = first
  const standing = await standingAfter(session, fault, signal)
  if (standing === 'kept') throw fault.refusal ?? fault.error
  session.retire(fault.error.message)
  if (standing === 'gone') {
    if (!(fault.error instanceof ToolUnavailable)) throw fault.error
    const next = await sessions.reopened(session, patienceMs, signal)
    if (next === undefined) throw fault.error
    return callAgain(next, call, signal)
  }
  if (!isHarmlessTwice(call.annotations)) {
    const message = `${forgottenWords(fault)}; a new session is opened, and the call was not repeated, because that may act twice`
    throw new McpCallError('session-forgotten', message)
  }
  const following = await sessions.following(session, patienceMs, signal)
  if (following === undefined) throw new ToolUnavailable(`${holder.absence()}; the session was not opened again`)
  return callAgain(following, call, signal)
}

/** What the server said of the call is kept: of one that is ill as a whole it is all that tells why. */
function forgottenWords({ error, refusal }: CallFault): string {
  return refusal === undefined ? error.message : `${refusal.message}, and did not know our session any more`
}

/** A ping tells where the fault leaves it open. */
async function standingAfter(
  session: Session,
  fault: CallFault,
  signal: AbortSignal,
): Promise<'kept' | 'gone' | 'forgotten'> {
  if (fault.session !== 'doubtful') return fault.session
  if (await session.answersPing(signal)) return 'kept'
  // A caller that left has cut off the ping, which says nothing of the session that others use.
  signal.throwIfAborted()
  return fault.error instanceof ToolUnavailable ? 'gone' : 'forgotten'
}

async function callAgain(session: Session, call: SessionCall, signal: AbortSignal): Promise<ToolResult> {
  const second = await session.call(call, signal)
  if (second.kind === 'result') return second.result
  const { fault } = second
  if (fault.session === 'gone' || fault.session === 'forgotten') session.retire(fault.error.message)
  throw fault.refusal ?? fault.error
}
