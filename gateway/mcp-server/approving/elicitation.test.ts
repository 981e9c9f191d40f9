import { expect, test } from 'vitest'
import type { Approval, ApprovalDecision } from '../../../bridge/approval.ts'
import { approvalRequests, readAnswers } from './elicitation.ts'

const read = (response: unknown) => readAnswers({ apr_1: response }, (text) => text.replaceAll('s3cret', '[secret]'))
const accepted = (content: unknown) => ({ action: 'accept', content })

test.each(['allow-once', 'allow-always', 'deny'])('"%s" is taken as it was said, with its reason', (decision) => {
  expect(read(accepted({ decision, reason: 'the key is s3cret' }))).toEqual({
    decisions: [{ id: 'apr_1', decision, reason: 'the key is [secret]' }],
    putAside: [],
  })
})

test('of a secret at the end of a long reason nothing is left', () => {
  const [decision] = read(accepted({ decision: 'deny', reason: `${'x'.repeat(496)}s3cret` })).decisions
  expect(decision?.reason).toBe(`${'x'.repeat(496)}[sec`)
})

test('who declines to answer denies', () => {
  expect(read({ action: 'decline' }).decisions).toEqual([{ id: 'apr_1', decision: 'deny' }])
})

test.each([
  { action: 'cancel' },
  accepted({ decision: 'yes' }),
  accepted({}),
  accepted(undefined),
  { action: 'approve' },
])('%j decides nothing', (response) => {
  expect(read(response)).toEqual({ decisions: [], putAside: ['apr_1'] })
})

test.each([undefined, null, 'allow-once', 7])('%j is no answer at all', (response) => {
  expect(read(response)).toEqual({ decisions: [], putAside: [] })
})

test('what "allow-always" goes as far as is said where it is offered, and only there', () => {
  const asked = (allowedDecisions: readonly ApprovalDecision[]): string =>
    JSON.stringify(approvalRequests([anApproval(allowedDecisions)]))
  expect(asked(['allow-once', 'allow-always', 'deny'])).toContain('every later call of this tool')
  expect(asked(['allow-once', 'deny'])).not.toContain('every later call')
})

function anApproval(allowedDecisions: readonly ApprovalDecision[]): Approval {
  return {
    id: 'apr_1',
    tenant: 't',
    agent: 'default',
    state: 'pending',
    callId: 'c',
    toolId: 'mcp:bank:pay',
    schemaHash: 's',
    inputHash: 'i',
    input: {},
    title: 'Call pay of bank',
    description: 'mcp:bank:pay with {}',
    severity: 'warning',
    allowedDecisions,
    cause: { by: 'default', where: 'tools.approvals' },
    createdMs: 0,
    expiresMs: 1,
  }
}
