import type { Caller } from '../../catalog/caller.ts'
import { hashJson } from '../../catalog/json.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { Approval, ApprovalDesk, ApprovalRequest, NoRoom, Pending } from '../approval.ts'
import type { Outcome } from '../outcome.ts'
import { cancelledWhileAsked, expired, noRoomToAsk, notAsked, rejected, waiting } from '../refusals.ts'
import { CallerLeft } from '../parking/caller-left.ts'
import type { CallHold } from './call-hold.ts'
import type { FrozenCall, Question } from './frozen-call.ts'

export interface AskingCall {
  readonly call: FrozenCall & { readonly question: Question }
  readonly tool: Tool
  readonly caller: Caller
  readonly runId?: string
  readonly turnId?: string
  /** Absent where nobody can keep the call: then it waits here, until decided or too late. */
  readonly hold?: CallHold
}

export interface AskDeps {
  readonly desk: ApprovalDesk
  readonly redact: (text: string) => string
  readonly warn: (message: string, error: unknown) => void
}

export type Answered =
  | { readonly kind: 'allowed'; readonly approval: string }
  /** Nothing was done. The approval is absent where there is none. */
  | { readonly kind: 'ended'; readonly outcome: Outcome; readonly approval?: string }

/** Asks for a decision and waits for it; whatever is not a clear yes ends the call. */
export async function askApproval(asking: AskingCall, deps: AskDeps, signal: AbortSignal): Promise<Answered> {
  const { tool, hold, call } = asking
  const opened = await open(asking, deps)
  if (opened === undefined) return { kind: 'ended', outcome: notAsked(tool) }
  if (opened.state === 'no-room') return { kind: 'ended', outcome: noRoomToAsk(tool, opened.reason) }
  if (opened.state !== 'pending') return answerOf(opened, asking, deps)
  const pending =
    hold === undefined
      ? pendingOf(opened)
      : await begin({ call: { ...call, approval: opened.id }, approval: opened }, hold, deps)
  const stop = hold === undefined ? signal : unlessLeft(signal)
  const left = hold === undefined ? stop : AbortSignal.any([stop, hold.parked])
  try {
    const decided = await deps.desk.settled(opened.tenant, opened.id, left)
    // What was parked in this very moment is made by who goes on with it, and by nobody else.
    if (hold?.parked.aborted !== true) return answerOf(decided, asking, deps)
  } catch (error) {
    if (hold?.parked.aborted !== true) {
      if (!stop.aborted) deps.warn(`approval ${opened.id} could not be waited for`, error)
      await cancel(opened, deps)
      const outcome = stop.aborted ? cancelledWhileAsked(tool) : notAsked(tool)
      return { kind: 'ended', outcome, approval: opened.id }
    }
  }
  return { kind: 'ended', outcome: waiting(tool, pending), approval: opened.id }
}

/** Aborted as the signal is, but not because whoever asked has left: who holds the call parks it then. */
function unlessLeft(signal: AbortSignal): AbortSignal {
  const stop = new AbortController()
  const pass = (): void => {
    if (!(signal.reason instanceof CallerLeft)) stop.abort(signal.reason)
  }
  if (signal.aborted) pass()
  else signal.addEventListener('abort', pass, { once: true })
  return stop.signal
}

/** What is said of an approval that a call waits for. */
export function pendingOf({ id, callId, toolId, title, expiresMs }: Approval): Pending {
  return { approval: id, callId, tool: toolId, title, expiresMs }
}

/** The row of this call; undefined when it cannot be kept: then nobody was asked, and nothing runs. */
async function open(
  { call, tool, caller, runId, turnId }: AskingCall,
  deps: AskDeps,
): Promise<Approval | NoRoom | undefined> {
  const { callId, input, question } = call
  const request: ApprovalRequest = {
    callId,
    caller,
    tool,
    input,
    inputHash: hashJson(input),
    ...question,
    ...(runId !== undefined && { runId }),
    ...(turnId !== undefined && { turnId }),
  }
  try {
    return await deps.desk.open(request)
  } catch (error) {
    deps.warn(`no approval of call ${callId} could be asked for`, error)
    return undefined
  }
}

/** A call that cannot be kept is still held: it is lost with the process, as every call under way is. */
async function begin(
  wait: { readonly call: FrozenCall; readonly approval: Approval },
  hold: CallHold,
  { warn }: AskDeps,
): Promise<Pending> {
  try {
    return await hold.begin(wait)
  } catch (error) {
    warn(`call ${wait.call.callId} waits without being kept`, error)
    return pendingOf(wait.approval)
  }
}

function answerOf(approval: Approval, { tool }: AskingCall, { redact }: AskDeps): Answered {
  const { id, state } = approval
  const who = approval.decidedBy ?? 'drawbridge'
  const why = approval.reason === undefined ? '' : redact(approval.reason)
  switch (state) {
    case 'allowed-once':
    case 'allowed-always':
      return { kind: 'allowed', approval: id }
    case 'denied':
      return { kind: 'ended', outcome: rejected(tool, { verb: 'denied', who, why }), approval: id }
    case 'cancelled':
      return { kind: 'ended', outcome: rejected(tool, { verb: 'cancelled', who, why }), approval: id }
    case 'expired':
      return { kind: 'ended', outcome: expired(tool), approval: id }
    case 'pending':
      // A desk that calls a pending one settled has not decided it.
      return { kind: 'ended', outcome: notAsked(tool), approval: id }
  }
}

async function cancel({ tenant, id }: Approval, { desk, warn }: AskDeps): Promise<void> {
  try {
    await desk.cancel(tenant, [id], 'the call was cancelled')
  } catch (error) {
    warn(`approval ${id} could not be cancelled`, error)
  }
}
