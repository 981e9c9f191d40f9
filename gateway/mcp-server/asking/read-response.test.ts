import { expect, test } from 'vitest'
import type { ScreenedQuestion } from '../../../bridge/asking/screen-question.ts'
import { readResponse } from './read-response.ts'

const FORM: ScreenedQuestion = {
  kind: 'form',
  message: 'Who?',
  fields: [{ name: 'age', type: 'integer', isRequired: true }],
}
const LINK: ScreenedQuestion = { kind: 'url', message: 'Log in', url: 'https://a.example/', host: 'a.example' }
const SAMPLE: ScreenedQuestion = { kind: 'sample', sample: { messages: [], maxTokens: 5 } }
const HELLO = { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'own' }

test.each<readonly [ScreenedQuestion, unknown, object]>([
  [FORM, { action: 'accept', content: { age: 36 } }, { action: 'accept', content: { age: 36 } }],
  [FORM, { action: 'decline' }, { action: 'decline' }],
  [FORM, { action: 'cancel' }, { action: 'cancel' }],
  [FORM, { action: 'approve', content: { age: 36 } }, { action: 'cancel' }],
  [FORM, 'accept', { action: 'cancel' }],
  [FORM, null, { action: 'cancel' }],
  [LINK, { action: 'accept', content: { token: 'x' } }, { action: 'accept', content: {} }],
  [
    SAMPLE,
    { ...HELLO, extra: 1, stopReason: 'end\u200bTurn' },
    { action: 'accept', content: { ...HELLO, stopReason: 'endTurn' } },
  ],
  [SAMPLE, { ...HELLO, content: [HELLO.content] }, { action: 'accept', content: HELLO }],
])('to %j the answer %j is %j', (question, response, answer) => {
  expect(readResponse(question, response)).toEqual({ kind: 'answer', answer })
})

test.each<object>([
  {},
  { ...HELLO, role: 'system' },
  { ...HELLO, model: 1 },
  { ...HELLO, content: [] },
  { ...HELLO, content: { type: 'tool_use', id: 'a', name: 'b', input: {} } },
  { ...HELLO, content: { type: 'text', text: 'x'.repeat(3_000_000) } },
])('a message that is none, or too large, is a no (%#)', (response) => {
  expect(readResponse(SAMPLE, response)).toMatchObject({ kind: 'answer', answer: { action: 'decline' } })
})

test.each([undefined, {}, { age: '36' }, { age: 36, hat: 1 }])('the values %j are no answer to the form', (content) => {
  expect(readResponse(FORM, { action: 'accept', content })).toMatchObject({ kind: 'problem' })
})
