import type { CallProgress } from '../../catalog/tool.ts'
import type { Approval, Pending } from '../approval.ts'
import { askApproval } from '../approving/ask-approval.ts'
import type { CallHold } from '../approving/call-hold.ts'
import type { FrozenCall } from '../approving/frozen-call.ts'
import type { Outcome } from '../outcome.ts'
import { CallerLeft } from '../parking/caller-left.ts'
import { cancelledForClient, cancelledUnbegun, clientTool, denied, notBegun, waiting } from '../refusals.ts'
import type { Admission, Admitted } from './admit-call.ts'
import { admitFrozen, toolEvent } from './admit-call.ts'
import type { CallRequest, DispatcherDeps } from './call-request.ts'

export interface AdmittedCall {
  readonly request: CallRequest
  readonly admission: Admitted & Admission
  readonly frozen: FrozenCall
  /** Called just before the tool is given the call, with what was asked about it. */
  readonly onUnderWay: (approval: Approval['id'] | undefined) => void
}

export interface MadeCall {
  readonly outcome: Outcome
  /** What was asked about it. */
  readonly approval?: Approval['id']
  /** Whether the tool was given it: then its end is told to who watches. */
  readonly wasMade: boolean
}

/** Asks where it has to be asked, looks again at catalog and policy, and makes the call: nothing changes it between. */
export async function makeCall(at: AdmittedCall, deps: DispatcherDeps, signal: AbortSignal): Promise<MadeCall> {
  const { frozen, request, admission } = at
  const { question } = frozen
  if (question === undefined) return toTool({ ...at, tool: admission.tool }, deps, signal)
  const { caller, runId, turnId, hold } = request
  const of = { ...(runId !== undefined && { runId }), ...(turnId !== undefined && { turnId }), ...(hold && { hold }) }
  const asking = { call: { ...frozen, question }, tool: admission.tool, caller, ...of }
  const answered = await askApproval(asking, deps, signal)
  const { approval } = answered
  const about = approval === undefined ? {} : { approval }
  if (answered.kind === 'ended') {
    if (answered.outcome.kind !== 'waiting') await hold?.end(frozen.callId)
    return { outcome: answered.outcome, wasMade: false, ...about }
  }
  // While a person thought about it, either may have changed.
  const still = await admitAgain(at, deps, signal)
  if (still.kind === 'refused') {
    await hold?.end(frozen.callId)
    return { outcome: still.outcome, wasMade: false, ...about }
  }
  return { ...(await toTool({ ...at, tool: still.tool, ...about }, deps, signal)), ...about }
}

/** Guards that came meanwhile first, so that catalog and policy are those of the last moment. */
async function admitAgain(
  { frozen, request, admission }: AdmittedCall,
  deps: DispatcherDeps,
  signal: AbortSignal,
): Promise<Admission> {
  const event = toolEvent(request, admission.tool, frozen.input)
  const missed = await deps.hooks.missed(admission.tool, { event, asked: frozen.hooks ?? [] }, signal)
  const { tool } = admission
  const { notices } = frozen
  if (signal.aborted) return { kind: 'refused', tool, outcome: cancelledUnbegun(tool), notices }
  if (missed.kind === 'go') return admitFrozen(frozen, request, deps)
  return { kind: 'refused', tool, outcome: denied(tool, deps.redact(missed.reason)), notices }
}

interface ToolCall extends AdmittedCall {
  readonly tool: Admitted['tool']
  readonly approval?: Approval['id']
}

async function toTool(at: ToolCall, deps: DispatcherDeps, signal: AbortSignal): Promise<MadeCall> {
  const { request, frozen } = at
  const { target, callId } = request
  const answer = target.kind === 'frozen' ? target.answer : undefined
  if (at.tool.execute === undefined && answer === undefined) return toClient(at, deps, signal)
  // From here on it is under way: after a crash its effect is unknown, and it is not made again.
  if (!(await isRecordable(at, deps)) || !(await leave(at, deps))) return { outcome: notBegun(at.tool), wasMade: false }
  const execute = answer === undefined ? (request.execute ?? at.tool.execute) : () => answeredBy(answer)
  const tool = { ...at.tool, ...(execute && { execute }) }
  const event = toolEvent(request, tool, frozen.input)
  const { caller, onProgress, askClient, hold } = request
  const told = {
    ...(onProgress && { onProgress: (step: CallProgress) => onProgress(step, tool.id) }),
    ...(askClient && { askClient }),
    ...(hold?.pause && { pause: hold.pause }),
  }
  at.onUnderWay(at.approval)
  const outcome = await deps.execute({ tool, input: frozen.input, callId, caller, event, ...told }, signal)
  return { outcome, wasMade: true }
}

/** An effect without a receipt would be one that nobody can be shown. */
async function isRecordable(
  { frozen: { callId } }: ToolCall,
  { checkReceipts, warn }: DispatcherDeps,
): Promise<boolean> {
  try {
    await checkReceipts()
    return true
  } catch (error) {
    warn(`call ${callId} was not made, since its receipt could not be written down`, error)
    return false
  }
}

/** Whether it is written down that the call waits no longer; where it cannot be, nothing may be done. */
async function leave({ request: { hold, callId } }: ToolCall, { warn }: DispatcherDeps): Promise<boolean> {
  try {
    await hold?.end(callId)
    return true
  } catch (error) {
    warn(`call ${callId} was not made, since its beginning could not be written down`, error)
    return false
  }
}

/** What a client sends back is its tool's result: a text. */
async function answeredBy(
  text: string,
): Promise<{ readonly content: readonly [{ readonly type: 'text'; readonly text: string }] }> {
  return { content: [{ type: 'text', text }] }
}

/** The call leaves with the answer to the client; its result comes back in a request of its own. */
async function toClient(
  { request, frozen, tool }: ToolCall,
  deps: DispatcherDeps,
  signal: AbortSignal,
): Promise<MadeCall> {
  const { hold } = request
  if (hold === undefined || !hold.reachesClient) return { outcome: clientTool(tool), wasMade: false }
  const pending = await beginWait(hold, frozen, deps)
  // What cannot be kept cannot be answered.
  if (pending === undefined) return { outcome: clientTool(tool), wasMade: false }
  await aborted(hold, signal)
  if (hold.parked.aborted) return { outcome: waiting(tool, pending), wasMade: false }
  await hold.end(frozen.callId)
  return { outcome: cancelledForClient(tool), wasMade: false }
}

async function beginWait(hold: CallHold, call: FrozenCall, { warn }: DispatcherDeps): Promise<Pending | undefined> {
  try {
    return await hold.begin({ call })
  } catch (error) {
    warn(`call ${call.callId} could not be kept for its client`, error)
    return undefined
  }
}

function aborted(hold: CallHold, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      // Who holds it parks it when whoever asked has left.
      const isCancelled = signal.aborted && !(signal.reason instanceof CallerLeft)
      if (hold.parked.aborted || isCancelled) resolve()
    }
    look()
    for (const each of [hold.parked, signal]) each.addEventListener('abort', look, { once: true })
  })
}
