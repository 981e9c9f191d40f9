import type { Approval } from '../../bridge/approval.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { GIVEN_ANSWERS_MAX } from './limits.ts'

/** What people filled in, on its way to the tool that waits for it: in memory alone, and given once. */
export interface GivenAnswers {
  put(approval: Approval, answer: JsonObject): void
  take(approval: Approval): JsonObject | undefined
}

export function createGivenAnswers(): GivenAnswers {
  const given = new Map<string, JsonObject>()
  return {
    put(approval, answer) {
      given.set(keyOf(approval), answer)
      // Whoever waited has gone in the same moment: nobody comes for it.
      for (const key of given.keys()) {
        if (given.size <= GIVEN_ANSWERS_MAX) break
        given.delete(key)
      }
    },
    take(approval) {
      const answer = given.get(keyOf(approval))
      given.delete(keyOf(approval))
      return answer
    },
  }
}

function keyOf({ tenant, id }: Approval): string {
  return JSON.stringify([tenant, id])
}
