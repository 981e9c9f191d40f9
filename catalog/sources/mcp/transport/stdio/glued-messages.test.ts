import { array, assert, integer, property, string, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { GLUED_MESSAGES_MAX } from '../../limits.ts'
import { gluedMessages } from './glued-messages.ts'

const answer = { jsonrpc: '2.0', id: 1, result: { text: 'a "quoted" } brace' } }
const note = { jsonrpc: '2.0', method: 'notifications/message' }
const text = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('')

test.each([
  ['an answer behind other text', `Loading...${text(answer)}`, [answer]],
  ['an answer before other text', `${text(answer)}done`, [answer]],
  ['messages without a line feed between', text(answer, note, answer), [answer, note, answer]],
  ['an answer that a log quotes', `sent {a: 1} -> ${text(answer)}`, [answer]],
  ['a request that a log quotes', `received ${text({ ...note, id: 1 })}`, []],
  ['a request behind what a log quotes', `x${text(answer, { ...note, id: 1 })}`, [answer]],
  ['half a message', text(answer).slice(0, -1), []],
  ['braces', '{"id": oh no} {"id": }', []],
])('%s', (_what, line, expected) => {
  expect(gluedMessages(line)).toEqual(expected)
})

test('any messages are found between any text that has no braces', () => {
  const between = stringMatching(/^[^{}"]{0,20}$/)
  assert(
    property(array(integer()), between, string(), (ids, noise, words) => {
      const answers = ids.map((id) => ({ id, result: { words } })).slice(0, GLUED_MESSAGES_MAX)
      expect(gluedMessages(answers.map((each) => noise + text(each)).join(''))).toEqual(answers)
    }),
  )
})
