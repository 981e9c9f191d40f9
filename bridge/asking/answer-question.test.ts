import { expect, test } from 'vitest'
import type { JsonObject } from '../../catalog/json.ts'
import type { ToolAnswer, ToolQuestion } from '../../catalog/question.ts'
import { createTool } from '../../catalog/tool.ts'
import type { ApprovalState, Pending, SettledApproval } from '../approval.ts'
import { createMemoryDesk } from '../testing/memory-desk.ts'
import { createAnswerQuestion } from './answer-question.ts'
import type { AskClient, ClientQuestion } from './ask-client.ts'
import type { SampleWriter, WrittenSample } from './sample-writer.ts'

const tool = createTool('mcp', 'files', { name: 'wipe', description: 'Wipes.', inputSchema: { type: 'object' } })
const call = { callId: 'call_1', caller: { tenant: 't', agent: 'default' }, tool, number: 1 }
const until = (): AbortSignal => new AbortController().signal

const form = (properties: JsonObject = { sure: { type: 'boolean' } }): ToolQuestion => ({
  kind: 'form',
  message: 'Wipe it all?',
  schema: { type: 'object', properties, required: Object.keys(properties) },
})
const link = (url: string): ToolQuestion => ({ kind: 'url', message: 'Log in', url })
const sample = (more: JsonObject = {}): ToolQuestion => ({
  kind: 'sample',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 9, ...more },
})

function aWorld(written?: WrittenSample) {
  const desk = createMemoryDesk()
  const samples: unknown[] = []
  const writer: SampleWriter = {
    modelFor: () => (written === undefined ? undefined : 'gpt'),
    async write(allowed) {
      samples.push(allowed.sample)
      return written ?? { kind: 'failed', reason: 'none' }
    },
  }
  const redact = (text: string): string => text.replaceAll('s3cret', '[secret]')
  const answer = createAnswerQuestion({ desk, writer, redact })
  /** Asks, and decides as soon as there is a row. */
  const decided = async (
    question: ToolQuestion,
    state: Exclude<ApprovalState, 'pending'>,
    more: Partial<SettledApproval> = {},
  ): Promise<ToolAnswer> => {
    const answering = answer(call, question, until())
    desk.decide((await desk.opened(1)).id, state, more)
    return answering
  }
  return { desk, writer, samples, answer, decided }
}

test.each([
  ['allowed-once', { action: 'accept', content: { sure: true } }],
  ['denied', { action: 'decline' }],
  ['expired', { action: 'cancel' }],
  ['cancelled', { action: 'cancel' }],
] as const)('a form whose approval ends %s answers the tool', async (state, expected) => {
  expect(await aWorld().decided(form(), state, { answer: { sure: true } })).toEqual(expected)
})

test('who asks, what, and with which fields is put before the person; no grant can come of it', async () => {
  const { desk, decided } = aWorld()
  await decided(form(), 'denied')
  expect(desk.requests()).toMatchObject([
    {
      callId: 'call_1:question-1',
      title: 'wipe of files asks',
      description: 'Wipe it all?',
      input: { question: 'Wipe it all?', fields: ['sure'] },
      allowedDecisions: ['allow-once', 'deny'],
      question: {
        kind: 'form',
        asker: 'MCP server "files"',
        fields: [{ name: 'sure', type: 'boolean', isRequired: true }],
      },
    },
  ])
})

/** Hears what it is asked and never answers. */
function aSilentClient() {
  const asked: ClientQuestion[] = []
  const askClient: AskClient = {
    async ask(question) {
      asked.push(question)
      return undefined
    },
    waits: () => () => undefined,
  }
  return { asked, askClient }
}

test('where it may be about another call, which was given up, the person is told so', async () => {
  const { desk, answer } = aWorld()
  const { asked, askClient } = aSilentClient()
  const question = { ...form(), doubt: { givenUp: ['pay\u200b', 'read'] } }
  void answer({ ...call, askClient }, question, until())
  await desk.opened(1)
  const remark = 'perhaps for a call of pay or read that was given up, and not for this one'
  expect(desk.requests()[0]?.question?.asker).toBe(`MCP server "files" (${remark})`)
  expect(asked).toMatchObject([{ question: { remark } }])
})

test('the same question asked again is another one: a person may answer otherwise', async () => {
  const { desk, answer } = aWorld()
  void answer(call, form(), until())
  void answer({ ...call, number: 2 }, form(), until())
  await desk.opened(2)
  expect(desk.rows().map(({ callId }) => callId)).toEqual(['call_1:question-1', 'call_1:question-2'])
})

test('an allowed form without its values is no answer', async () => {
  expect(await aWorld().decided(form(), 'allowed-once')).toEqual({ action: 'cancel' })
})

test('a form that nobody could fill in is declined, and nobody is asked', async () => {
  const { desk, answer } = aWorld()
  const nested = form({ address: { type: 'object' } })
  expect(await answer(call, nested, until())).toMatchObject({ action: 'decline' })
  expect(desk.rows()).toEqual([])
})

test('where there is no room for one more approval the question is declined', async () => {
  const { desk, writer } = aWorld()
  const full = { ...desk, open: async () => ({ state: 'no-room', reason: 'too many wait' }) as const }
  const answer = createAnswerQuestion({ desk: full, writer, redact: (text) => text })
  expect(await answer(call, form(), until())).toEqual({ action: 'decline', reason: 'too many wait' })
})

test('a call that is aborted takes its question back', async () => {
  const { desk, answer } = aWorld()
  const stop = new AbortController()
  const waiting = answer(call, form(), stop.signal)
  const { id } = await desk.opened(1)
  stop.abort(new Error('the caller left'))
  await expect(waiting).rejects.toThrow('the caller left')
  expect(desk.rows()).toMatchObject([{ id, state: 'cancelled' }])
})

test('an address is shown whole with its host, and allowed without values', async () => {
  const { desk, decided } = aWorld()
  expect(await decided(link('https://bank.example/login?step=1'), 'allowed-once')).toEqual({
    action: 'accept',
    content: {},
  })
  expect(desk.requests()[0]).toMatchObject({
    input: { url: 'https://bank.example/login?step=1' },
    question: { kind: 'url', url: 'https://bank.example/login?step=1', host: 'bank.example' },
  })
})

test.each([
  'https://bank.example@evil.example/',
  'javascript:alert(1)',
  'https://bank.example/\u202egnp.exe',
  `https://bank.example/${'x'.repeat(2_100)}`,
  'https://bank.example/?key=s3cret',
  'bank.example',
])('an address that a person cannot be shown as it is is declined: %j', async (url) => {
  const { desk, answer } = aWorld()
  expect(await answer(call, link(url), until())).toMatchObject({ action: 'decline' })
  expect(desk.rows()).toEqual([])
})

const choice = (more: JsonObject): JsonObject => ({ key: { type: 'string', ...more } })

test('secrets in the words of a form are shown to nobody: not in titles of choices, nor where they are cut', async () => {
  const { desk, answer } = aWorld()
  const { asked, askClient } = aSilentClient()
  const fields = {
    ...choice({ title: 'a s3cret', description: `${'x'.repeat(497)}s3cret`, enum: ['a'], enumNames: ['is s3cret'] }),
    keys: { type: 'array', items: { oneOf: [{ const: 'b', title: 'too s3cret' }], type: 'string' }, default: ['b'] },
    text: { type: 'string', default: 's3cret' },
  }
  void answer(
    { ...call, askClient },
    { kind: 'form', message: 'Is it s3\u200bcret?', schema: { properties: fields } },
    until(),
  )
  await desk.opened(1)
  const shown = JSON.stringify([desk.requests(), asked.map(({ question }) => question)])
  expect(shown).toContain('Is it [secret]?')
  expect(shown).toContain('too [secret]')
  expect(JSON.stringify(desk.requests())).not.toContain('s3c')
})

test.each<[string, JsonObject]>([
  ['a choice', choice({ enum: ['s3cret', 'b'] })],
  ['a choice of a list', { key: { type: 'array', items: { type: 'string', enum: ['s3cret'] } } }],
  ['a field', { s3cret: { type: 'string' } }],
])('a form with a secret as %s cannot be answered without it, and is declined', async (_where, properties) => {
  const { desk, answer } = aWorld()
  expect(await answer(call, form(properties), until())).toMatchObject({ action: 'decline' })
  expect(desk.rows()).toEqual([])
})

test('once it is allowed the gateway’s own model answers, within bounds, and the person has seen all of it', async () => {
  const { desk, samples, decided } = aWorld({ kind: 'written', text: 'hello', model: 'gpt', stopReason: 'endTurn' })
  expect(await decided(sample({ maxTokens: 1_000_000, systemPrompt: 'be\u200b kind' }), 'allowed-once')).toEqual({
    action: 'accept',
    content: { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'gpt', stopReason: 'endTurn' },
  })
  expect(desk.requests()[0]).toMatchObject({
    description: 'MCP server "files" asks the model gpt to answer 1 messages in at most 4096 tokens',
    input: { systemPrompt: 'be kind', messages: [{ role: 'user', text: 'hi' }], maxTokens: 4_096 },
    question: { kind: 'sample', maxTokens: 4_096, model: 'gpt' },
  })
  expect(samples).toMatchObject([{ maxTokens: 4_096, systemPrompt: 'be kind' }])
})

test('a model that fails is a no with its reason', async () => {
  const { decided } = aWorld({ kind: 'failed', reason: 'the model is not there' })
  expect(await decided(sample(), 'allowed-once')).toEqual({ action: 'decline', reason: 'the model is not there' })
})

test.each([
  ['no model that could answer', sample(), undefined],
  ['tools', sample({ tools: [] }), 'gpt'],
  [
    'more messages than a person reads',
    sample({ messages: Array.from({ length: 51 }, () => ({ role: 'user', content: [] })) }),
    'gpt',
  ],
  ['more text than is shown', sample({ systemPrompt: 'x'.repeat(13_000) }), 'gpt'],
  ['pictures', sample({ messages: [{ role: 'user', content: { type: 'image', data: '', mimeType: 'a/b' } }] }), 'gpt'],
  ['no messages at all', sample({ messages: [] }), 'gpt'],
])('a request with %s is declined, and nobody is asked', async (_what, question, model) => {
  const { desk, answer } = aWorld(model === undefined ? undefined : { kind: 'failed', reason: 'not asked' })
  expect(await answer(call, question, until())).toMatchObject({ action: 'decline', reason: expect.any(String) })
  expect(desk.rows()).toEqual([])
})

test('the client of the call is asked first, and the desk where that one cannot be asked such a thing', async () => {
  const { desk, answer } = aWorld()
  const asked: ClientQuestion[] = []
  const waiting: Pending[] = []
  const client = (said: ToolAnswer | undefined): AskClient => ({
    async ask(question) {
      asked.push(question)
      return said
    },
    waits(pending) {
      waiting.push(pending)
      return () => undefined
    },
  })
  const said = { action: 'accept', content: { sure: false } } as const
  expect(await answer({ ...call, askClient: client(said) }, form(), until())).toEqual(said)
  expect(desk.rows()).toEqual([])
  void answer({ ...call, askClient: client(undefined) }, form(), until())
  expect(await desk.opened(1)).toMatchObject({ title: 'wipe of files asks' })
  await expect.poll(() => waiting).toMatchObject([{ approval: 'ap_1', tool: tool.id }])
  expect(asked).toMatchObject([{ question: { kind: 'form', message: 'Wipe it all?' } }, {}])
})
