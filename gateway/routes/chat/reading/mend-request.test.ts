import { expect, test } from 'vitest'
import { parseChatRequest } from './chat-request.ts'

const user = { role: 'user', content: 'hi' }
const base = { model: 'drawbridge', messages: [user] }
const weather = { name: 'weather', description: 'w', parameters: { type: 'object' } }
const tool = (body: object) => ({ type: 'function', function: body })
const called = (body: object) => [
  user,
  { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: body }] },
  { role: 'tool', tool_call_id: 'c', content: 'x' },
]

test.each([
  ['of a tool', { tools: [tool({ ...weather, description: null, parameters: null, strict: null })] }],
  [
    'of a message',
    {
      messages: [
        { ...user, name: null },
        { role: 'assistant', content: 'a', tool_calls: null, refusal: null },
      ],
    },
  ],
  ['of an option', { stream: true, stream_options: { include_usage: null } }],
  ['of the request', { tools: null, tool_choice: null, n: null, user: null, response_format: null }],
])('null %s means that it is not set', (_where, more) => {
  expect(() => parseChatRequest({ ...base, ...more })).not.toThrow()
})

test('what is null for a reason stays so', () => {
  expect(() => parseChatRequest({ ...base, messages: [{ role: 'user', content: null }] })).toThrow(
    'messages[0].content',
  )
  expect(parseChatRequest({ ...base, messages: called(weather) }).messages[1]).toMatchObject({ content: null })
  const parameters = { type: 'object', properties: { a: { enum: ['x', null], default: null } } }
  expect(parseChatRequest({ ...base, tools: [tool({ ...weather, parameters })] }).clientTools[0]?.inputSchema).toEqual(
    parameters,
  )
})

test('arguments of a history are the text of their JSON, however they are written', () => {
  for (const [args, text] of [
    [{ city: 'Oslo' }, '{"city":"Oslo"}'],
    [null, '{}'],
    [undefined, '{}'],
    ['{"a":1}', '{"a":1}'],
  ]) {
    const { messages } = parseChatRequest({ ...base, messages: called({ name: 'weather', arguments: args }) })
    expect(messages[1]).toMatchObject({ tool_calls: [{ function: { name: 'weather', arguments: text } }] })
  }
})

test('a user by number is one', () => {
  expect(parseChatRequest({ ...base, user: 1234567 }).user).toBe('1234567')
})

test('a choice that there is not is told with those that there are', () => {
  for (const choice of ['any', { type: 'tool', name: 'x' }]) {
    expect(() => parseChatRequest({ ...base, tool_choice: choice })).toThrow(
      'tool_choice must be "auto", "none", "required"',
    )
  }
})
