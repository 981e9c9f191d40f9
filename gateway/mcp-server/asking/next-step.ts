import type { InputRequests } from '@modelcontextprotocol/server'
import type { Approval } from '../../../bridge/approval.ts'
import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import type { CallContext } from '../answering/call-context.ts'
import { approvalRequests } from '../approving/elicitation.ts'
import type { HeldCall } from '../approving/held-call.ts'
import { askInSession } from './ask-in-session.ts'
import type { ClientAbilities } from './client-abilities.ts'
import type { PosedQuestion } from './client-questions.ts'
import { questionRequest } from './question-request.ts'

/** What the client of a request can be asked, and whether what it says of an approval decides. */
export interface Askable {
  readonly decide: boolean
  readonly abilities: ClientAbilities
}

/** What the client has to be asked by what its request is answered. */
export interface ToAsk {
  readonly approvals: readonly Approval[]
  readonly posed: readonly PosedQuestion[]
}

export interface StepDeps {
  readonly can: Askable
  readonly context: CallContext
  readonly getApproval: (tenant: string, id: string) => Promise<Approval | undefined>
}

/** The end of a call, or what its client has to be asked next; in a session tools' questions are asked meanwhile. */
export async function nextStep(held: HeldCall, { can, context, getApproval }: StepDeps): Promise<ModelResult | ToAsk> {
  const { questions, owner } = held
  for (;;) {
    const ended = await Promise.race([held.first, questions.posed(), ...(can.decide ? [held.asked()] : [])])
    if (ended !== undefined) return ended
    const ids = can.decide ? held.takeAsked() : []
    const known = await Promise.all(ids.map((id) => getApproval(owner.caller.tenant, id)))
    const approvals = known.flatMap((approval) => (approval?.state === 'pending' ? [approval] : []))
    const posed = questions.take(can.abilities)
    if (isStateless(context) && posed.length > 0) return { approvals, posed }
    for (const each of posed) void askInSession(each, { context, questions })
    if (approvals.length > 0) return { approvals, posed: [] }
  }
}

export function requestsOf({ approvals, posed }: ToAsk): InputRequests {
  return {
    ...approvalRequests(approvals),
    ...Object.fromEntries(posed.map((each) => [each.id, questionRequest(each)] as const)),
  }
}

/** What a client goes on with a call by. A tool that asks is under way: should the call get lost, that is to be said. */
export function stateOf({ id }: HeldCall, { posed }: ToAsk): string {
  return posed.length > 0 ? `${id}${UNDER_WAY}` : id
}

export function readState(state: string): { readonly id: string; readonly isUnderWay: boolean } {
  const isUnderWay = state.endsWith(UNDER_WAY)
  return { id: isUnderWay ? state.slice(0, -UNDER_WAY.length) : state, isUnderWay }
}

const UNDER_WAY = '.under-way'

/** Of the revision that has no requests of ours in the middle of the client's. */
export function isStateless({ mcpReq }: CallContext): boolean {
  return mcpReq.envelope !== undefined
}
