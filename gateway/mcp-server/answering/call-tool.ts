import { randomUUID } from 'node:crypto'
import type { CallToolResult, Server } from '@modelcontextprotocol/server'
import { inputRequired } from '@modelcontextprotocol/server'
import type { Approval } from '../../../bridge/approval.ts'
import type { Mode, ModelResult } from '../../../bridge/presentation/presentation.ts'
import type { Caller } from '../../../catalog/caller.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { View } from '../../../catalog/view.ts'
import type { Decided, Decider, Decision } from '../../approvals/decision.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { Holding } from '../../parking/waiting-calls.ts'
import type { Presenter } from '../../presenting/presenter.ts'
import type { TokenRecord } from '../../store/store.ts'
import { readAnswers } from '../approving/elicitation.ts'
import type { FollowDeps, Parked } from '../approving/follow-end.ts'
import { followEnd, parkedOf } from '../approving/follow-end.ts'
import type { HeldCall } from '../approving/held-call.ts'
import { beginHeldCall } from '../approving/held-call.ts'
import type { HeldCalls } from '../approving/held-calls.ts'
import { callKey } from '../approving/held-calls.ts'
import type { ParkedCalls } from '../approving/parked-calls.ts'
import {
  askedAnswer,
  endAnswer,
  goneOnAnswer,
  lostAnswer,
  otherCallAnswer,
  pendingAnswer,
} from '../approving/pending-answer.ts'
import { abilitiesOf } from '../asking/client-abilities.ts'
import { createClientQuestions } from '../asking/client-questions.ts'
import type { Askable } from '../asking/next-step.ts'
import { isStateless, nextStep, readState, requestsOf, stateOf } from '../asking/next-step.ts'
import type { Answer, CallContext } from './call-context.ts'
import { createProgressNotes } from './progress-notes.ts'
import type { SearchMemories } from './search-memories.ts'
import { shownOutput } from './shown-output.ts'
import { toolAnswer } from './tool-answer.ts'

export interface AnswerDeps extends FollowDeps {
  readonly presenter: Presenter
  readonly viewFor: (caller: Caller) => View
  readonly modeOf: (caller: Caller) => Mode
  readonly memories: SearchMemories
  readonly held: HeldCalls
  readonly parkedCalls: ParkedCalls
  /** Whether what this token's client says of an approval counts as a person's decision. */
  readonly mayDecide: (token: TokenRecord) => boolean
  readonly decide: (decisions: readonly Decision[], by: Decider) => Promise<readonly Decided[]>
  readonly getApproval: (tenant: string, id: string) => Promise<Approval | undefined>
  /** Keeps a call while it waits: in this process for so long, then until it is decided. */
  readonly hold: (caller: Caller, holdMs: number) => Holding
  readonly holdMs: () => number
  /** How long a client's person may think about what a tool asks. */
  readonly questionMs: () => number
  readonly redact: (text: string) => string
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** The request that is being answered, and for whom. */
export interface Asking {
  readonly server: Pick<Server, 'getClientCapabilities' | 'projectCallToolResult'>
  readonly context: CallContext
  readonly authenticated: Authenticated
}

export interface CallParams {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/**
 * One call by the presentation in force, whatever that shows; it ends in the one dispatch. A call that waits for a person
 * goes on with the next request of its client: with its answer to the question, or the same call made again.
 */
export async function callTool(params: CallParams, asking: Asking, deps: AnswerDeps): Promise<Answer> {
  const { context, authenticated } = asking
  const state = context.mcpReq.requestState<string>()
  const can = askable(asking, deps)
  // Nearly every call needs none.
  const key = (): string => keyOf(params, authenticated)
  if (state === undefined) {
    const known = deps.held.isEmpty() ? undefined : deps.held.byKey(key())
    if (known !== undefined) return goOn(known, { params, asking, can }, deps)
    const parked = await findParked(authenticated.caller.tenant, key, deps)
    if (parked !== undefined) return goOnParked(parked, { going: { params, asking, can }, deps })
    return begin(params, { ...asking, can, key }, deps)
  }
  const { id, isUnderWay } = readState(state)
  const held = deps.held.byId(id, authenticated)
  if (held === undefined) return deps.held.hasEnded(id, authenticated) ? goneOnAnswer() : lostAnswer(isUnderWay)
  if (held.key !== key()) return otherCallAnswer()
  const { toApprovals, toQuestions } = parted(context.mcpReq.inputResponses, held)
  const { decisions, putAside } = readAnswers(toApprovals, deps.redact)
  for (const [id, response] of toQuestions) held.questions.answer(id, response)
  if (isStateless(context)) held.questions.poseAgain()
  if (can.decide) await deps.decide(decisions, deciderOf(authenticated.token))
  const isPutAside = await hasPending(putAside, authenticated.caller.tenant, deps)
  if (isPutAside) held.park()
  return goOn(held, { params, asking, can, isPutAside }, deps)
}

async function findParked(tenant: string, key: () => string, { parkedCalls }: AnswerDeps): Promise<Parked | undefined> {
  return (await parkedCalls.isEmpty()) ? undefined : parkedCalls.find(tenant, key())
}

/** What was decided meanwhile is put aside by nobody. */
async function hasPending(ids: readonly string[], tenant: string, { getApproval }: AnswerDeps): Promise<boolean> {
  const approvals = await Promise.all(ids.map((id) => getApproval(tenant, id)))
  return approvals.some((approval) => approval?.state === 'pending')
}

interface Beginning extends Asking {
  readonly can: Askable
  readonly key: () => string
}

async function begin(params: CallParams, asking: Beginning, deps: AnswerDeps): Promise<Answer> {
  const { context, authenticated, can, key } = asking
  const { caller } = authenticated
  const notes = createProgressNotes(context, deps.modeOf(caller), { now: deps.now, onError: deps.onError })
  const { onProgress } = notes
  // Who is asked has as long as the approval lasts; nobody else is waited for so long.
  const holding = deps.hold(caller, can.decide ? Number.POSITIVE_INFINITY : deps.holdMs())
  const questions = createClientQuestions({ abilities: can.abilities, waitMs: deps.questionMs })
  const held = beginHeldCall(authenticated, {
    key,
    holding,
    questions,
    make: ({ hold, onRunWaiting, signal }) => {
      const memory = deps.memories.of(authenticated)
      const told = onProgress && { onProgress }
      const request = { caller, clientTools: [], memory, hold, onRunWaiting, askClient: questions, ...told }
      const { presentation } = deps.presenter.present(request)
      const call = { id: `mcp_${randomUUID()}`, name: params.name, arguments: JSON.stringify(params.arguments ?? {}) }
      return presentation.handle(call, signal)
    },
  })
  try {
    return await goOn(held, { params, asking, can }, deps)
  } finally {
    notes.end()
  }
}

interface GoingOn {
  readonly params: CallParams
  readonly asking: Asking
  readonly can: Askable
  /** Its client does not want to answer now. */
  readonly isPutAside?: boolean
}

/** To its end, to the next question for the client, or for as long as a request may wait. */
async function goOn(held: HeldCall, going: GoingOn, deps: AnswerDeps): Promise<Answer> {
  const leave = held.attend(going.asking.context.mcpReq.signal)
  try {
    const { can, asking } = going
    const step = await nextStep(held, { ...deps, can, context: asking.context })
    if ('elsewhere' in step) {
      // Found again by the same call; it goes on meanwhile.
      deps.held.keep(held, 'by-call')
      return askedAnswer(step.elsewhere, outputSchemaOf(going, deps) !== undefined)
    }
    if ('approvals' in step) {
      deps.held.keep(held, 'by-id')
      held.invite()
      return inputRequired({ inputRequests: requestsOf(step), requestState: stateOf(held, step) })
    }
    if (step.kind !== 'result' || step.waiting === undefined) return ended(held, step, { going, deps })
    return await whenParked(held, step, { going, deps })
  } finally {
    leave()
  }
}

interface Within {
  readonly going: GoingOn
  readonly deps: AnswerDeps
}

async function whenParked(
  held: HeldCall,
  parked: Extract<ModelResult, { kind: 'result' }>,
  { going, deps }: Within,
): Promise<CallToolResult> {
  const { authenticated } = going.asking
  const isTold = deps.held.has(held) && going.isPutAside !== true
  deps.held.keep(held, 'by-call')
  const work = parkedOf(parked)
  if (isTold) return goOnParked(work, { going, deps, held })
  await deps.parkedCalls.remember(authenticated.caller.tenant, held.key, work)
  return pendingAnswer(work, outputSchemaOf(going, deps) !== undefined)
}

/** Its end, or that it still waits; `held` is absent where another process had been asked first. */
async function goOnParked(
  parked: Parked,
  { going, deps, held }: Within & { readonly held?: HeldCall },
): Promise<CallToolResult> {
  const { authenticated, context } = going.asking
  const { tenant } = authenticated.caller
  const isPromised = outputSchemaOf(going, deps) !== undefined
  const patience = AbortSignal.any([context.mcpReq.signal, AbortSignal.timeout(deps.holdMs())])
  try {
    const followed = await followEnd({ tenant, parked }, deps, patience)
    if (held !== undefined) deps.held.forget(held)
    await deps.parkedCalls.forget(tenant, keyOf(going.params, authenticated))
    return followed.kind === 'call' ? endAnswer(followed.end, isPromised) : answered(followed.result, { going, deps })
  } catch (error) {
    if (!patience.aborted) throw error
    // Nothing is waited for: it was under way in a process that has ended.
    return parked.waiting.length === 0 ? lostAnswer(true) : pendingAnswer(parked, isPromised)
  }
}

function ended(held: HeldCall, result: ModelResult, within: Within): CallToolResult {
  within.deps.held.forget(held)
  return answered(result, within)
}

function answered(result: ModelResult, { going, deps }: Within): CallToolResult {
  const mode = deps.modeOf(going.asking.authenticated.caller)
  return going.asking.server.projectCallToolResult(toolAnswer(result, mode), outputSchemaOf(going, deps))
}

function outputSchemaOf({ params, asking }: GoingOn, deps: AnswerDeps): JsonObject | undefined {
  const { caller } = asking.authenticated
  const tool = deps.modeOf(caller) === 'direct' ? deps.viewFor(caller).bySafeName(params.name) : undefined
  return tool && shownOutput(tool)
}

/** Each is about what the client was asked in this call: one to a question that was taken back is about nothing. */
function parted(responses: Readonly<Record<string, unknown>> | undefined, held: HeldCall) {
  const all = Object.entries(responses ?? {})
  return {
    toQuestions: all.filter(([id]) => held.questions.has(id)),
    toApprovals: Object.fromEntries(all.filter(([id]) => held.hasAsked(id))),
  }
}

function askable({ server, context, authenticated }: Asking, { mayDecide }: AnswerDeps): Askable {
  const abilities = abilitiesOf(context, server.getClientCapabilities())
  return { abilities, decide: abilities.form && mayDecide(authenticated.token) }
}

function deciderOf({ id, tenant, agents }: TokenRecord): Decider {
  return { tenant, by: `elicitation:${id}`, ...(agents && { agents }) }
}

function keyOf(params: CallParams, authenticated: Authenticated): string {
  const args = params.arguments
  return callKey(authenticated, params.name, isJsonObject(args) ? args : {})
}
