import { expect, test } from 'vitest'
import type { ApprovalQuestion } from '../../../bridge/approval.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import type { Decision } from '../decision.ts'
import { judgeAnswer } from './judge-answer.ts'

const FORM: ApprovalQuestion = {
  kind: 'form',
  asker: 'MCP server "travel"',
  fields: [
    { name: 'name', type: 'text', isRequired: true, title: 'Full name' },
    { name: 'age', type: 'integer', isRequired: true },
    { name: 'seat', type: 'choice', isRequired: false, choices: [{ value: 'w' }, { value: 'a' }], default: 'w' },
  ],
}
const CONFIRM: ApprovalQuestion = {
  kind: 'form',
  asker: 'x',
  fields: [{ name: 'sure', type: 'boolean', isRequired: true }],
}
const URL_QUESTION: ApprovalQuestion = { kind: 'url', asker: 'x', url: 'https://a.example/', host: 'a.example' }

const judge = (question: ApprovalQuestion | undefined, decision: Decision['decision'], answer?: JsonObject) =>
  judgeAnswer({ id: 'apr_1', ...(question && { question }) }, { id: 'apr_1', decision, ...(answer && { answer }) })

test.each<readonly [ApprovalQuestion | undefined, JsonObject | undefined, JsonObject]>([
  [FORM, { name: 'Ada', age: '36' }, { name: 'Ada', age: 36, seat: 'w' }],
  [FORM, { name: 'Ada', age: 36, seat: 'a' }, { name: 'Ada', age: 36, seat: 'a' }],
  [CONFIRM, undefined, { sure: true }],
  [CONFIRM, {}, { sure: true }],
  [CONFIRM, { sure: 'no' }, { sure: false }],
  [URL_QUESTION, undefined, {}],
  [undefined, undefined, {}],
])('%j allowed with %j is %j', (question, answer, content) => {
  expect(judge(question, 'allow-once', answer)).toEqual({ kind: 'filled', content })
})

test('what is missing or wrong is named, with the way out', () => {
  expect(judge(FORM, 'allow-once')).toEqual({
    kind: 'problem',
    message:
      'field "name" is required and was not given; give them as "answer", e.g. ' +
      'drawbridge approvals approve apr_1 name="<Full name>" age=1, or deny',
  })
  expect(judge(FORM, 'allow-once', { name: 'Ada', age: 'old' })).toMatchObject({
    message: expect.stringContaining('field "age" takes a whole number, got "old"'),
  })
})

test.each<readonly [ApprovalQuestion | undefined, Decision['decision']]>([
  [undefined, 'allow-once'],
  [URL_QUESTION, 'allow-once'],
  [FORM, 'deny'],
])('values where none are asked for decide nothing: %j, %s', (question, decision) => {
  expect(judge(question, decision, { name: 'Ada' })).toMatchObject({
    message: expect.stringContaining('leave "answer" out'),
  })
})

test('who denies fills in nothing', () => {
  expect(judge(FORM, 'deny')).toEqual({ kind: 'filled', content: {} })
})
