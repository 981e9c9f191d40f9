import type { ChatCompletionRequest } from '@copilotkit/aimock'
import { expect, test } from 'vitest'
import { catalogTools, expectedLabel } from './catalog-plugin.ts'
import { answerAsModel } from './mock-model.ts'
import { GREETING, TASK } from './task.ts'

const target = catalogTools(1)[0]
const hit = { id: 'plugin:depot:print_shipping_label', name: TASK.tool }
const described = { ...hit, inputSchema: target?.parameters }

test('of the tools that it is shown it calls the one with the right name, with the arguments that its schema has', () => {
  const shown = [aTool('depot__list_order'), aTool(`depot__${TASK.tool}`, { properties: { order_id: {} } })]
  expect(answerAsModel(aRequest({ shown }))).toEqual(aCall(`depot__${TASK.tool}`, { order_id: 'A-1042' }))
})

test('greeted it calls nothing', () => {
  const request = aRequest({ shown: [aTool('tool_search_code')] })
  expect(answerAsModel({ ...request, messages: [{ role: 'user', content: GREETING }] })).toEqual({ content: 'Hello.' })
})

test('without the right tool it calls none', () => {
  expect(answerAsModel(aRequest({ shown: [aTool('depot__list_order')] }))).toEqual({
    content: expect.stringContaining('I could not do it'),
  })
})

test('with search tools it searches, describes the first hit, and calls it with the arguments that the description has', () => {
  const shown = ['tool_search', 'tool_describe', 'tool_call'].map((name) => aTool(name))
  const results: string[] = []
  expect(answerAsModel(aRequest({ shown, results }))).toEqual(aCall('tool_search', { query: TASK.query, limit: 5 }))
  results.push(JSON.stringify({ hits: [hit, { id: 'plugin:depot:list_order' }] }))
  expect(answerAsModel(aRequest({ shown, results }))).toEqual(aCall('tool_describe', { id: hit.id }))
  results.push(JSON.stringify(described))
  expect(answerAsModel(aRequest({ shown, results }))).toEqual(aCall('tool_call', { id: hit.id, args: TASK.args }))
})

test('with the code tool it writes one program that takes id and arguments from what it finds', async () => {
  const answer = answerAsModel(aRequest({ shown: [aTool('tool_search_code')] }))
  const code = readCode(answer)
  const asked: unknown[] = []
  const tools = {
    search: async (query: string) => (asked.push(query), [hit]),
    describe: async (id: string) => (asked.push(id), described),
    call: async (id: string, args: unknown) => (asked.push({ id, args }), 'LBL-000000000000'),
  }
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
  expect(await new AsyncFunction('tools', code)(tools)).toBe('LBL-000000000000')
  expect(asked).toEqual([TASK.query, hit.id, { id: hit.id, args: TASK.args }])
})

test('it answers with the label number that the last result shows, and with nothing that it was not shown', () => {
  const shown = [aTool('tool_search_code')]
  expect(answerAsModel(aRequest({ shown, results: [`{"label":"${expectedLabel()}"}`] }))).toEqual({
    content: `The label number is ${expectedLabel()}.`,
  })
  expect(answerAsModel(aRequest({ shown, results: ['{"error":"busy"}'] }))).toEqual({
    content: 'I could not do it. The last I saw was: {"error":"busy"}',
  })
})

type ShownTool = NonNullable<ChatCompletionRequest['tools']>[number]

function aTool(name: string, parameters: object = {}): ShownTool {
  return { type: 'function', function: { name, description: '', parameters } }
}

function aRequest(given: { readonly shown: ShownTool[]; readonly results?: readonly string[] }): ChatCompletionRequest {
  const results = (given.results ?? []).map((content) => ({ role: 'tool' as const, content, tool_call_id: 'c' }))
  return { model: 'mock-model', messages: [{ role: 'user', content: TASK.message }, ...results], tools: given.shown }
}

function aCall(name: string, args: object) {
  return { toolCalls: [{ name, arguments: JSON.stringify(args) }] }
}

function readCode(answer: object): string {
  const calls: unknown = 'toolCalls' in answer ? answer.toolCalls : []
  const text: unknown = Array.isArray(calls) ? calls[0]?.arguments : undefined
  return typeof text === 'string' ? JSON.parse(text).code : ''
}
