import { expect, test } from 'vitest'
import type { Caller } from '../../catalog/caller.ts'
import type { Store } from '../store/store.ts'
import { createChatCommand, readApproveLine } from './chat-command.ts'
import { aRequest, openDesk } from './testing/desk-under-test.ts'

const ID = 'apr_0123456789abcdef'

test.each([
  ['hello', 'none'],
  ['please /approve it', 'none'],
  ['/approved', 'none'],
  ['', 'none'],
  ['/approve', 'malformed'],
  [`/approve ${ID}`, 'malformed'],
  [`/approve ${ID} yes`, 'malformed'],
  [`/approve ${ID} allow-once? no`, 'malformed'],
  [`/approve ${ID} allow-once and deny the rest`, 'malformed'],
  ["/approve apr_'; deny", 'malformed'],
  [`/approve ${ID} allow-once name=Ada? no`, 'malformed'],
  [`/approve ${ID} deny name=Ada`, 'malformed'],
  [`/approve ${ID} allow-always name=Ada`, 'malformed'],
  ['/approve run_12345678 name=Ada', 'malformed'],
  [`/approve ${ID} name=Ada`, 'approve'],
  [`/approve ${ID} allow-once\nname="Ada Lovelace" age=36`, 'approve'],
  [`/approve ${ID} deny`, 'approve'],
  [`  /Approve\n${ID}  ALLOW-ONCE `, 'approve'],
])('the line %j is %s', (text, kind) => {
  expect(readApproveLine(text).kind).toBe(kind)
})

test('a sender that configuration names decides, as whom the row and the answer say', async () => {
  const { desk, store } = await openDesk()
  const command = createChatCommand({ desk, pendingOfRun: pendingOf(store), senders: () => ['channel:ops:ada'] })
  const { id } = await desk.open(aRequest({ title: 'Pay inv-1' }))
  expect(await command.answer(`/approve ${id} allow-once`, aCaller({}))).toBe(`${id} ("Pay inv-1") is allowed-once.`)
  expect((await store.approvals.get('default', id))?.approval.decidedBy).toBe('chat:ops:ada')
  expect(await command.answer(`/approve ${id} allow-once`, aCaller({}))).toBe(
    `${id} ("Pay inv-1") was allowed-once already.`,
  )
  expect(await command.answer(`/approve ${id} deny`, aCaller({}))).toBe(
    `${id} ("Pay inv-1") is allowed-once already, by chat:ops:ada.`,
  )
  expect(await command.answer(`/approve ${ID} deny`, aCaller({}))).toBe(`There is no approval ${ID}.`)
  expect(await command.answer('what is due?', aCaller({}))).toBeUndefined()
})

test.each([
  ['a sender that only claims to be one', { isVouched: undefined }],
  ['a sender that is not named', { sender: 'eve' }],
  ['the same sender on another channel', { channel: 'public' }],
  ['nobody in particular', { sender: undefined }],
  ['another tenant', { tenant: 'rival' }],
  ['the channel of a token that is bound to other agents', { boundTo: ['other'] }],
])('%s decides nothing', async (_who, changed) => {
  const { desk, store } = await openDesk()
  const command = createChatCommand({ desk, pendingOfRun: pendingOf(store), senders: () => ['channel:ops:ada'] })
  const { id } = await desk.open(aRequest({}))
  expect(await command.answer(`/approve ${id} allow-once`, aCaller(changed))).toMatch(
    /cannot be decided|may not|no approval/,
  )
  expect((await store.approvals.get('default', id))?.approval.state).toBe('pending')
})

test('a question of a tool is answered by its fields, each checked, and the tool gets the values', async () => {
  const { desk, store } = await openDesk()
  const command = createChatCommand({ desk, pendingOfRun: pendingOf(store), senders: () => ['id:ada'] })
  const age = { name: 'age', type: 'integer', isRequired: true, max: 150 } as const
  const question = { kind: 'form', asker: 'MCP server "x"', fields: [age] } as const
  const allowedDecisions = ['allow-once', 'deny'] as const
  const { id } = await desk.open(aRequest({ question, allowedDecisions }))
  const settled = desk.settled('default', id, new AbortController().signal)
  expect(await command.answer(`/approve ${id} age=old`, aCaller({}))).toContain(
    'field "age" takes a whole number, got "old"',
  )
  expect(await command.answer(`/approve ${id} allow-once`, aCaller({}))).toContain('field "age" is required')
  expect((await store.approvals.get('default', id))?.approval.state).toBe('pending')
  expect(await command.answer(`/approve ${id} age=36`, aCaller({}))).toContain('is allowed-once')
  expect(await settled).toMatchObject({ state: 'allowed-once', answer: { age: 36 } })
  // The values are kept nowhere.
  expect(JSON.stringify(await store.approvals.get('default', id))).not.toMatch(/"answer"|:36/)
})

test('"id:" names a sender on every channel', async () => {
  const { desk, store } = await openDesk()
  const command = createChatCommand({ desk, pendingOfRun: pendingOf(store), senders: () => ['id:ada'] })
  const { id } = await desk.open(aRequest({}))
  expect(await command.answer(`/approve ${id} deny`, aCaller({ channel: 'mail' }))).toContain('is denied')
})

test('the id of a run stands for all that waits in it', async () => {
  const { desk, store } = await openDesk()
  const command = createChatCommand({ desk, pendingOfRun: pendingOf(store), senders: () => ['id:ada'] })
  const runId = 'run_12345678'
  for (const callId of ['1', '2']) await desk.open(aRequest({ callId: `${runId}/${callId}`, runId }))
  const other = await desk.open(aRequest({ callId: 'other' }))
  expect((await command.answer(`/approve ${runId} deny`, aCaller({})))?.match(/is denied/g)).toHaveLength(2)
  expect((await store.approvals.get('default', other.id))?.approval.state).toBe('pending')
  expect(await command.answer(`/approve ${runId} deny`, aCaller({}))).toBe(`Nothing waits for a decision in ${runId}.`)
})

test.each([
  [{}, ['channel:ops:ada'], true],
  [{ sender: 'eve' }, ['channel:ops:ada'], true],
  [{}, ['id:ada'], true],
  [{}, ['channel:mail:ada'], false],
  [{}, [], false],
  [{ isVouched: undefined }, ['id:ada'], false],
])('where %j writes and %j may decide a line is heard: %s', async (changed, senders, isHeard) => {
  const { desk, store } = await openDesk()
  const command = createChatCommand({ desk, pendingOfRun: pendingOf(store), senders: () => senders })
  expect(command.isHeardFrom(aCaller(changed))).toBe(isHeard)
})

function pendingOf({ approvals }: Pick<Store, 'approvals'>) {
  return async (tenant: string, runId: string) =>
    (await approvals.list(tenant, { runId, state: 'pending', limit: 9 })).map(({ id }) => id)
}

type Changed = { readonly [Key in keyof Caller]?: Caller[Key] | undefined }

function aCaller(changed: Changed): Caller {
  const caller = { tenant: 'default', agent: 'default', channel: 'ops', sender: 'ada', isVouched: true, ...changed }
  return JSON.parse(JSON.stringify(caller))
}
