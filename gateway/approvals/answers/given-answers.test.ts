import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Approval } from '../../../bridge/approval.ts'
import { anApproval } from '../../../bridge/testing/an-approval.ts'
import { createGivenAnswers } from './given-answers.ts'
import { GIVEN_ANSWERS_MAX } from '../limits.ts'

function someAnswers(keepMs?: number) {
  return createGivenAnswers({
    store: { takeAnswer: async () => undefined },
    seal: { seal: (plain) => plain, open: (sealed) => sealed },
    onError: () => {},
    ...(keepMs !== undefined && { keepMs }),
  })
}

const allowed = (id: string): Approval => anApproval({ id, tenant: 't', state: 'allowed-once' })

test('an answer is given once', async () => {
  const answers = someAnswers()
  answers.put(allowed('apr_1'), { sure: true })
  expect(await answers.take(allowed('apr_1'))).toEqual({ sure: true })
  expect(await answers.take(allowed('apr_1'))).toBeUndefined()
})

test('one that nobody comes for goes after a time', async () => {
  const answers = someAnswers(1)
  answers.put(allowed('apr_1'), { password: 'hunter2' })
  await pause(30)
  expect(await answers.take(allowed('apr_1'))).toBeUndefined()
})

test('of more than are kept the oldest goes', async () => {
  const answers = someAnswers(1)
  for (let count = 0; count <= GIVEN_ANSWERS_MAX; count += 1) answers.put(allowed(`apr_${count}`), { count })
  expect(await answers.take(allowed('apr_0'))).toBeUndefined()
  expect(await answers.take(allowed('apr_1'))).toEqual({ count: 1 })
})
