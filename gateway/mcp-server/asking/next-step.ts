import type { InputRequests } from '@modelcontextprotocol/server'
import type { Approval, Pending } from '../../../bridge/approval.ts'
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

/** Somebody else is asked, and it takes long: its client is told what it waits for. */
export interface Elsewhere {
  readonly elsewhere: readonly Pending[]
}

export interface StepDeps {
  readonly can: Askable
  readonly context: CallContext
  readonly getApproval: (tenant: string, id: string) => Promise<Approval | undefined>
  /** How long a request waits for who is asked elsewhere. */
  readonly holdMs: () => number
}

/** The end of a call, or what its client has to be asked or told next. */
export async function nextStep(held: HeldCall, deps: StepDeps): Promise<ModelResult | ToAsk | Elsewhere> {
  const hold = createHold(deps.holdMs)
  try {
    return await step(held, deps, hold)
  } finally {
    hold.end()
  }
}

/** In a session tools' questions are asked meanwhile. */
async function step(
  held: HeldCall,
  { can, context, getApproval }: StepDeps,
  hold: Hold,
): Promise<ModelResult | ToAsk | Elsewhere> {
  const { questions, owner } = held
  for (;;) {
    const asked = can.decide ? [held.asked()] : []
    const ended = await Promise.race([held.first, questions.posed(), ...hold.over(questions.elsewhere()), ...asked])
    if (ended !== undefined) return ended
    if (hold.isOver()) return { elsewhere: questions.elsewhere() }
    const ids = can.decide ? held.takeAsked() : []
    const known = await Promise.all(ids.map((id) => getApproval(owner.caller.tenant, id)))
    const approvals = known.flatMap((approval) => (approval?.state === 'pending' ? [approval] : []))
    const posed = questions.take(can.abilities)
    if (isStateless(context) && posed.length > 0) return { approvals, posed }
    for (const each of posed) void askInSession(each, { context, questions })
    if (approvals.length > 0) return { approvals, posed: [] }
  }
}

interface Hold {
  /** Begins with the first that is waited for, and again when nobody was for a while. */
  over(elsewhere: readonly Pending[]): readonly Promise<void>[]
  isOver(): boolean
  end(): void
}

function createHold(holdMs: () => number): Hold {
  let isOver = false
  let begun: { readonly over: Promise<void>; readonly timer: NodeJS.Timeout } | undefined
  const end = (): void => {
    clearTimeout(begun?.timer)
    begun = undefined
  }
  return {
    over(elsewhere) {
      if (elsewhere.length === 0) {
        end()
        return []
      }
      if (begun === undefined) {
        const { promise: over, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(() => {
          isOver = true
          resolve()
        }, holdMs())
        begun = { over, timer }
      }
      return [begun.over]
    },
    isOver: () => isOver,
    end,
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
