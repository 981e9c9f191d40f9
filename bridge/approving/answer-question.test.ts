import { expect, test } from 'vitest'
import type { Approval, ApprovalDesk, ApprovalRequest, ApprovalState } from '../approval.ts'
import { createTool } from '../../catalog/tool.ts'
import { createAnswerQuestion } from './answer-question.ts'

const tool = createTool('mcp', 'files', { name: 'wipe', description: 'Wipes.', inputSchema: { type: 'object' } })
const call = { callId: 'call_1', caller: { tenant: 't', agent: 'default' }, tool }
const tick = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] }

function aDesk(state: ApprovalState | 'never') {
  const opened: ApprovalRequest[] = []
  const cancelled: string[] = []
  const row = (request: ApprovalRequest, at: ApprovalState): Approval => {
    const { callId, title, description, input, inputHash, severity, allowedDecisions, cause } = request
    const times = { createdMs: 0, expiresMs: 1 }
    const of = { id: 'ap_1', tenant: 't', agent: 'default', state: at, toolId: tool.id, schemaHash: tool.schemaHash }
    return { ...of, callId, title, description, input, inputHash, severity, allowedDecisions, cause, ...times }
  }
  const desk: ApprovalDesk = {
    open: async (request) => {
      opened.push(request)
      return row(request, 'pending')
    },
    settled: (_tenant, _id, signal) =>
      new Promise((resolve, reject) => {
        const [request] = opened
        if (state !== 'never' && request !== undefined) resolve(row(request, state))
        if (signal.aborted) reject(signal.reason)
        else signal.addEventListener('abort', () => reject(signal.reason))
      }),
    park: async () => {},
    cancel: async (_tenant, ids) => void cancelled.push(...ids),
  }
  return { opened, cancelled, answer: createAnswerQuestion(desk) }
}

const until = (): AbortSignal => new AbortController().signal
const ask = (schema: object = tick) => ({
  message: 'Wipe it all?',
  schema: JSON.parse(JSON.stringify(schema)),
  waitMs: 5_000,
})

test.each([
  ['allowed-once', { action: 'accept', content: { sure: true } }],
  ['denied', { action: 'decline' }],
  ['expired', { action: 'cancel' }],
  ['cancelled', { action: 'cancel' }],
] as const)('a decision that ends %s answers the tool', async (state, expected) => {
  const { answer } = aDesk(state)
  expect(await answer(call, ask(), until())).toEqual(expected)
})

test('what is asked is put before the person as the tool said it, and no grant can come of it', async () => {
  const { answer, opened } = aDesk('allowed-once')
  await answer(call, ask(), until())
  await answer(call, ask(), until())
  await answer(call, { ...ask(), message: 'Really?' }, until())
  expect(opened[0]).toMatchObject({
    title: 'wipe asks',
    description: 'Wipe it all?',
    input: { question: 'Wipe it all?' },
  })
  expect(opened[0]?.allowedDecisions).toEqual(['allow-once', 'deny'])
  expect(opened[0]?.callId).toBe(opened[1]?.callId)
  expect(opened[0]?.callId).not.toBe(opened[2]?.callId)
})

test.each([
  [{ type: 'object', properties: {} }, {}],
  [{}, {}],
  [{ type: 'object', properties: { sure: { type: 'boolean' } } }, { sure: true }],
  [{ type: 'object', properties: { note: { type: 'string' }, other: { type: 'boolean' } } }, {}],
])('a yes fills the form %j with %j', async (schema, content) => {
  expect(await aDesk('allowed-once').answer(call, ask(schema), until())).toEqual({ action: 'accept', content })
})

test.each([
  { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'boolean' } }, required: ['a', 'b'] },
  { type: 'object', required: ['sure'] },
  { type: 'object', properties: [], required: 'sure' },
])('a form that a yes does not fill is declined, and nobody is asked: %j', async (schema) => {
  const { answer, opened } = aDesk('allowed-once')
  expect(await answer(call, ask(schema), until())).toEqual({ action: 'decline' })
  expect(opened).toEqual([])
})

test('the same words with another thing to say yes to are another question, and it is seen what that is', async () => {
  const { answer, opened } = aDesk('allowed-once')
  await answer(call, ask({ type: 'object', properties: {} }), until())
  await answer(call, ask({ type: 'object', properties: { wipe_backups: { type: 'boolean' } } }), until())
  expect(opened.map(({ input }) => input)).toEqual([
    { question: 'Wipe it all?' },
    { question: 'Wipe it all?', yes: { wipe_backups: true } },
  ])
  expect(new Set(opened.map(({ callId }) => callId)).size).toBe(2)
})

test('a question that nobody answers in time ends, and nobody is left to be asked', async () => {
  const { answer, cancelled } = aDesk('never')
  expect(await answer(call, { ...ask(), waitMs: 20 }, until())).toEqual({ action: 'cancel' })
  expect(cancelled).toEqual(['ap_1'])
})

test('a call that is aborted takes its question back', async () => {
  const { answer, cancelled } = aDesk('never')
  const stop = new AbortController()
  const waiting = answer(call, ask(), stop.signal)
  stop.abort(new Error('the caller left'))
  await expect(waiting).rejects.toThrow('the caller left')
  expect(cancelled).toEqual(['ap_1'])
})
