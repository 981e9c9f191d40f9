import type { ChatRouteDeps } from '../routes/chat/chat-route-deps.ts'
import { HttpError } from '../http/http-error.ts'
import { missingResult } from '../turn/steps/resume-step.ts'
import type { OnTurnFinished } from '../turn/resumer.ts'
import { followTurn } from './follow-turn.ts'
import type { LiveWork } from './live-work.ts'
import type { ToldEnds } from './told-ends.ts'
import type { WaitingTurns } from './waiting-turns.ts'
import { broughtBy } from './waiting-turns.ts'

export interface ClaimTurnDeps {
  readonly turns: WaitingTurns
  readonly live: LiveWork
  readonly told: ToldEnds
  readonly onTurnFinished: OnTurnFinished
}

/** The parked turn whose calls a request answers, for this request alone; undefined where it answers none that waits. */
export function createClaimTurn(deps: ClaimTurnDeps): ChatRouteDeps['claimTurn'] {
  return async (caller, messages) => {
    const { tenant } = caller
    const id = await deps.turns.findFor(tenant, messages)
    if (id === undefined) return undefined
    const leave = await deps.live.enter(tenant, id)
    const kept = await deps.turns.get(tenant, id).catch((error: unknown) => {
      leave()
      throw error
    })
    // It has ended meanwhile: what is hidden of it is put back into the history.
    if (kept === undefined || kept.caller.agent !== caller.agent) {
      leave()
      return undefined
    }
    const resumed = { state: kept.state, ...broughtBy(messages, kept.state) }
    const missing = missingResult(resumed)
    if (missing !== undefined) {
      leave()
      throw new HttpError('invalid_history', `the call "${missing}" has no tool message that answers it`)
    }
    return {
      resumed,
      opening: { caller: kept.caller, turnId: id, clientTools: kept.clientTools },
      follow: (events) => followTurn(events, { ...deps, request: kept.state.request }),
      leave,
    }
  }
}
