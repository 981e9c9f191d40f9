import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

/** The first start of a newcomer: no key, no configuration but what the commands write. */
let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await startGateway()
})

afterAll(() => gateway?.remove())

const QUESTION = 'Which invoices are overdue?'

const modes = [
  { mode: 'code', value: 'true', shown: 1, counts: { searches: 1, describes: 1, calls: 1 } },
  { mode: 'tools', value: '{ mode: "tools" }', shown: 3, counts: { searches: 1, describes: 1, calls: 1 } },
  { mode: 'direct', value: 'false', shown: 22, counts: { searches: 0, describes: 0, calls: 1 } },
] as const

describe.each(modes)('the embedded stand-in in $mode mode', ({ mode, value, shown, counts }) => {
  const client = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.token, maxRetries: 0 })

  beforeAll(async () => {
    expect(await gateway.cli('config', 'set', 'tools.toolSearch', value)).toMatchObject({ code: 0 })
    await waitUntil(
      `mode ${mode} is in force`,
      async () => (await gateway.api.get('/readyz')).body.mode.inForce === mode,
    )
  })

  test('finds and calls a tool of the catalog, and says what it is', async () => {
    const options = { headers: { 'x-drawbridge-session': `whole-${mode}` } }
    const answer = await client().chat.completions.create(
      { model: 'drawbridge', messages: [{ role: 'user', content: QUESTION }] },
      options,
    )
    const content = answer.choices[0]?.message.content ?? ''
    expect(content).toContain('inv-1002')
    expect(content).toContain('scripted')
    expect(answer.choices[0]?.finish_reason).toBe('stop')
    const { text } = await gateway.api.get(`/v1/sessions/whole-${mode}/log`)
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.find(({ event }) => event === 'turn-started')).toMatchObject({ mode, toolsDeclared: shown })
    const final = { finalTool: 'plugin:demo:list_invoices', finalSource: 'plugin' }
    expect(events.at(-1)).toMatchObject({ event: 'turn-finished', end: 'stop', ...counts, ...final })
  })

  test('streams the same answer', async () => {
    const stream = await client().chat.completions.create({
      model: 'drawbridge/default',
      messages: [{ role: 'user', content: QUESTION }],
      stream: true,
    })
    let content = ''
    for await (const chunk of stream) content += chunk.choices[0]?.delta.content ?? ''
    expect(content).toContain('inv-1002')
  })

  test('calls a tool of the client, and answers with its result', async () => {
    const tool = {
      type: 'function' as const,
      function: {
        name: 'read_thermometer',
        description: 'Reads the thermometer of a room.',
        parameters: { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] },
      },
    }
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'Read the thermometer of the room "kitchen"' },
    ]
    const first = await client().chat.completions.create({ model: 'drawbridge', messages, tools: [tool] })
    const [choice] = first.choices
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'read_thermometer', arguments: '{"room":"kitchen"}' } }] },
    })
    const results = (choice?.message.tool_calls ?? []).map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: '{"celsius":21.5}',
    }))
    const next = [...messages, ...(choice ? [choice.message] : []), ...results]
    const second = await client().chat.completions.create({ model: 'drawbridge', messages: next, tools: [tool] })
    expect(second.choices[0]?.message.content).toContain('21.5')
  })
})
