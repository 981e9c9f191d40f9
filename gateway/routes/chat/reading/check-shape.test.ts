import { expect, test } from 'vitest'
import { startCpuClock } from '../../../../catalog/testing/start-cpu-clock.ts'
import type { JsonObject } from '../../../../catalog/json.ts'
import { HttpError } from '../../../http/http-error.ts'
import { parseChatRequest } from './chat-request.ts'

const spoken = { role: 'user', content: 'hi' }
const asking = (more: JsonObject): JsonObject => ({ model: 'm', messages: [spoken], ...more })
const saying = (message: JsonObject): JsonObject => ({ model: 'm', messages: [spoken, message] })
const call = { id: 'a', function: { name: 'print', arguments: '{}' } }

const misshapen = [
  [{ messages: [spoken] }, 'model', 'model is missing; expected a string that is not empty'],
  [asking({ messages: [] }), 'messages', 'messages is a list of 0; expected a list that is not empty'],
  [asking({ n: 0 }), 'n', 'n is 0 (a number); expected an integer of at least 1'],
  [asking({ user: 'x'.repeat(257) }), 'user', 'expected a string of at most 256 characters'],
  [
    asking({ tools: [{ type: 'function', function: { name: 'a b' } }] }),
    'tools[0].function.name',
    'is "a b" (a string); expected 1 to 64 letters, digits, "_" or "-"',
  ],
  [saying({ role: 'user', content: null }), 'messages[1].content', 'is null; expected a string or a list'],
  [saying({ role: 'user', content: ['x', {}] }), 'messages[1].content[0]', 'is "x" (a string); expected an object'],
  [saying({ role: 'tool', content: 'x' }), 'messages[1].tool_call_id', 'is missing; expected a string'],
  [
    saying({ role: 'assistant', tool_calls: [{ ...call, type: 'code' }] }),
    'messages[1].tool_calls[0].type',
    'is "code" (a string); expected one of "function"',
  ],
] as const

test.each(misshapen)(
  'a request is refused with its field, what it is and what was expected: %j',
  (body, param, said) => {
    const read = () => parseChatRequest(body)
    expect(read).toThrow(said)
    expect(read).toThrow(expect.objectContaining({ param }))
    expect(read).toThrow(HttpError)
  },
)

test('a list of millions of wrong items is read no further than its first ones', () => {
  const items = Array.from<number>({ length: 3_000_000 }).fill(1)
  const spentMs = startCpuClock()
  expect(() => parseChatRequest({ model: 'm', messages: items })).toThrow('messages[0] is 1 (a number)')
  expect(() => parseChatRequest(saying({ role: 'user', content: items }))).toThrow('messages[1].content[0] is 1')
  // With a problem for each it took 12 s and 4 GB.
  expect(spentMs()).toBeLessThan(6000)
})

test('what a client may leave out or say as null is taken', () => {
  const { messages } = parseChatRequest({
    model: 'm',
    messages: [
      spoken,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: null },
      { role: 'assistant', content: [{ type: 'text', text: 'done' }], tool_calls: null },
    ],
  })
  expect(messages).toEqual([
    spoken,
    { role: 'assistant', content: null, tool_calls: [{ ...call, type: 'function' }] },
    { role: 'tool', tool_call_id: 'a', content: '' },
    { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
  ])
})
