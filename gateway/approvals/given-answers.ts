import type { Approval } from '../../bridge/approval.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { Seal } from '../state/seal.ts'
import type { HeldApprovals } from '../store/approval-store.ts'
import { GIVEN_ANSWERS_MAX } from './limits.ts'

/** What people filled in, on its way to the tool that waits for it, and given once. */
export interface GivenAnswers {
  /** In memory alone, where the tool waits in this gateway. */
  put(approval: Approval, answer: JsonObject): void
  /** For the row, where it waits in another one. */
  sealed(approval: Approval, answer: JsonObject): string
  take(approval: Approval): Promise<JsonObject | undefined>
}

export interface GivenAnswersDeps {
  readonly store: Pick<HeldApprovals, 'takeAnswer'>
  readonly seal: Pick<Seal, 'seal' | 'open'>
  readonly onError: (error: unknown) => void
}

export function createGivenAnswers({ store, seal, onError }: GivenAnswersDeps): GivenAnswers {
  const given = new Map<string, JsonObject>()
  const fetch = async (approval: Approval): Promise<JsonObject | undefined> => {
    try {
      const sealed = await store.takeAnswer(approval.tenant, approval.id)
      if (sealed === undefined) return undefined
      return JSON.parse(Buffer.from(seal.open(Buffer.from(sealed, 'base64'), purposeOf(approval))).toString('utf8'))
    } catch (error) {
      // Sealed with the key of another state directory: then it is as if it had not come.
      onError(error)
      return undefined
    }
  }
  return {
    put(approval, answer) {
      given.set(keyOf(approval), answer)
      // Whoever waited has gone in the same moment: nobody comes for it.
      for (const key of given.keys()) {
        if (given.size <= GIVEN_ANSWERS_MAX) break
        given.delete(key)
      }
    },
    sealed: (approval, answer) =>
      Buffer.from(seal.seal(Buffer.from(JSON.stringify(answer)), purposeOf(approval))).toString('base64'),
    async take(approval) {
      const answer = given.get(keyOf(approval))
      given.delete(keyOf(approval))
      const isForm = approval.question?.kind === 'form' && approval.state === 'allowed-once'
      return answer ?? (isForm ? fetch(approval) : undefined)
    },
  }
}

function purposeOf(approval: Approval): string {
  return `answer:${keyOf(approval)}`
}

function keyOf({ tenant, id }: Approval): string {
  return JSON.stringify([tenant, id])
}
