import { expect, test } from 'vitest'
import { createCallIdForm } from './call-id-form.ts'
import type { ChatMessage } from '../provider.ts'
import { wireMessages } from './wire-messages.ts'

const CODE = { name: 'tool_search_code', description: '', parameters: { type: 'object', required: ['code'] } }

function called(args: string, id = 'c', name = 'tool_search_code'): ChatMessage {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
  }
}

test.each([
  ['{ "code": "return 1" }', '{ "code": "return 1" }'],
  ['', '{}'],
  ['return await tools.search("x")', '{"code":"return await tools.search(\\"x\\")"}'],
  ['{"code": "return 1', '{"code":"{\\"code\\": \\"return 1"}'],
  ['"{\\"code\\":\\"return 1\\"}"', '{"code":"return 1"}'],
  ['[1]', '{"code":[1]}'],
])('arguments %j of an earlier call go back as a JSON object', (sent, wired) => {
  expect(wireMessages([called(sent)], [CODE])).toEqual([called(wired)])
})

test.each([
  ['mcp:git:commit', 'mcp_git_commit'],
  [' tool_search_code ', 'tool_search_code'],
  ['', 'unnamed'],
  ['x'.repeat(70), 'x'.repeat(64)],
])('the name %j of an earlier call goes back as one that can be declared', (sent, wired) => {
  expect(wireMessages([called('{}', 'c', sent)], [CODE])).toEqual([called('{}', 'c', wired)])
})

test('what was sent to a tool of which nothing is known is its input', () => {
  expect(wireMessages([called('Oslo', 'c', 'gone')], [CODE])).toEqual([called('{"input":"Oslo"}', 'c', 'gone')])
})

test('an assistant that said nothing says so, and is left out where it would speak next', () => {
  const empty: readonly ChatMessage[] = [
    { role: 'assistant', content: '' },
    { role: 'assistant', content: [] },
  ]
  const user: ChatMessage = { role: 'user', content: '' }
  for (const silent of empty) {
    expect(wireMessages([user, silent, user, silent], [])).toEqual([
      user,
      { role: 'assistant', content: '(no answer)' },
      user,
    ])
  }
})

test('a developer speaks as the system does', () => {
  expect(wireMessages([{ role: 'developer', content: 'be kind' }], [])).toEqual([
    { role: 'system', content: 'be kind' },
  ])
})

test('a model whose ids have nine letters and digits gets every id in that form, each the same in both its places', () => {
  const history = [called('{}', 'call_0123456789abcdef01234567_1'), aResult('call_0123456789abcdef01234567_1')]
  const form = createCallIdForm('http://127.0.0.1:8000/v1')
  expect(form.wire('m', history)).toBe(history)
  form.saw('m', 'aB3dE6gH9')
  const [call, result] = form.wire('m', [...history, called('{}', 'aB3dE6gH9')])
  const id = call?.role === 'assistant' ? call.tool_calls?.[0]?.id : undefined
  expect(id).toMatch(/^[A-Za-z0-9]{9}$/)
  expect(result).toEqual(aResult(id ?? ''))
  expect(form.wire('m', [called('{}', 'aB3dE6gH9')])).toEqual([called('{}', 'aB3dE6gH9')])
  form.saw('m', 'call_other_form')
  expect(form.wire('m', history)).toBe(history)
})

test('Mistral itself is known by its address', () => {
  const [result] = createCallIdForm('https://api.mistral.ai/v1').wire('m', [aResult('call_x')])
  expect(result).toMatchObject({ tool_call_id: expect.stringMatching(/^[A-Za-z0-9]{9}$/) })
})

function aResult(id: string): ChatMessage {
  return { role: 'tool', tool_call_id: id, content: 'r' }
}
