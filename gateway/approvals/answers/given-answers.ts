import type { Approval } from '../../../bridge/approval.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import type { Seal } from '../../state/seal.ts'
import type { HeldApprovals } from '../../store/approval-store.ts'
import { approvalKey } from '../approval-key.ts'
import { GIVEN_ANSWER_MS, GIVEN_ANSWERS_MAX } from '../limits.ts'

/** What people filled in, on its way to the tool that waits for it, and given once. */
export interface GivenAnswers {
  /** In memory alone, where the tool waits in this gateway; for as long as one that nobody comes for is kept anywhere. */
  put(approval: Approval, answer: JsonObject): void
  /** For the row, where it waits in another one. */
  sealed(approval: Approval, answer: JsonObject): string
  take(approval: Approval): Promise<JsonObject | undefined>
}

export interface GivenAnswersDeps {
  readonly store: Pick<HeldApprovals, 'takeAnswer'>
  readonly seal: Pick<Seal, 'seal' | 'open'>
  readonly onError: (error: unknown) => void
  readonly keepMs?: number
}

interface Given {
  readonly answer: JsonObject
  readonly timer: NodeJS.Timeout
}

export function createGivenAnswers(deps: GivenAnswersDeps): GivenAnswers {
  const { store, seal, onError, keepMs = GIVEN_ANSWER_MS } = deps
  const given = new Map<string, Given>()
  const drop = (key: string): JsonObject | undefined => {
    const found = given.get(key)
    clearTimeout(found?.timer)
    given.delete(key)
    return found?.answer
  }
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
      const key = approvalKey(approval)
      drop(key)
      // Whoever waited may have gone in the same moment: then nobody comes for it.
      given.set(key, { answer, timer: setTimeout(() => drop(key), keepMs).unref() })
      const [oldest] = given.keys()
      if (given.size > GIVEN_ANSWERS_MAX && oldest !== undefined) drop(oldest)
    },
    sealed: (approval, answer) =>
      Buffer.from(seal.seal(Buffer.from(JSON.stringify(answer)), purposeOf(approval))).toString('base64'),
    async take(approval) {
      const answer = drop(approvalKey(approval))
      const isForm = approval.question?.kind === 'form' && approval.state === 'allowed-once'
      return answer ?? (isForm ? fetch(approval) : undefined)
    },
  }
}

function purposeOf(approval: Approval): string {
  return `answer:${approvalKey(approval)}`
}
