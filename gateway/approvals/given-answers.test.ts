import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Approval } from '../../bridge/approval.ts'
import { createGivenAnswers } from './given-answers.ts'
import { GIVEN_ANSWERS_MAX } from './limits.ts'

function someAnswers(keepMs?: number) {
  return createGivenAnswers({
    store: { takeAnswer: async () => undefined },
    seal: { seal: (plain) => plain, open: (sealed) => sealed },
    onError: () => {},
    ...(keepMs !== undefined && { keepMs }),
  })
}

const anApproval = (id: string): Approval => ({
  id,
  tenant: 't',
  agent: 'default',
  state: 'allowed-once',
  callId: 'c',
  toolId: 'mcp:files:wipe',
  schemaHash: 's',
  inputHash: 'i',
  input: {},
  title: 'wipe of files asks',
  description: 'Sure?',
  severity: 'warning',
  allowedDecisions: ['allow-once', 'deny'],
  cause: { by: 'default', where: 'tools.approvals' },
  createdMs: 0,
  expiresMs: 1,
})

test('an answer is given once', async () => {
  const answers = someAnswers()
  answers.put(anApproval('apr_1'), { sure: true })
  expect(await answers.take(anApproval('apr_1'))).toEqual({ sure: true })
  expect(await answers.take(anApproval('apr_1'))).toBeUndefined()
})

test('one that nobody comes for goes after a time', async () => {
  const answers = someAnswers(1)
  answers.put(anApproval('apr_1'), { password: 'hunter2' })
  await pause(30)
  expect(await answers.take(anApproval('apr_1'))).toBeUndefined()
})

test('of more than are kept the oldest goes', async () => {
  const answers = someAnswers(1)
  for (let count = 0; count <= GIVEN_ANSWERS_MAX; count += 1) answers.put(anApproval(`apr_${count}`), { count })
  expect(await answers.take(anApproval('apr_0'))).toBeUndefined()
  expect(await answers.take(anApproval('apr_1'))).toEqual({ count: 1 })
})
