import { expect, test } from 'vitest'
import type { TokenRecord } from '../store/store.ts'
import { createCallerFault } from './caller-fault.ts'

const TOKEN: TokenRecord = { id: 'tok_1', name: 'bot', tenant: 'a', scopes: ['chat'], hash: 'h', createdMs: 1 }
const CALLER = { tenant: 'a', agent: 'till', token: 'tok_1' }
const REVOKED = 'the token that it was asked for with has been revoked'

function faultOf(token: TokenRecord | undefined) {
  const store = { getToken: async (id: string) => (token?.id === id ? token : undefined) }
  return createCallerFault({ store, agents: () => ['default', 'till'] })
}

test('a caller may go on while its token is good and its agent configured', async () => {
  expect(await faultOf(TOKEN)(CALLER)).toBeUndefined()
  expect(await faultOf({ ...TOKEN, agents: ['till'] })(CALLER)).toBeUndefined()
  expect(await faultOf(TOKEN)({ tenant: 'a', agent: 'till' })).toBeUndefined()
})

test.each([
  ['was revoked', { ...TOKEN, revokedMs: 2 }],
  ['is not there', undefined],
  ['is of another tenant', { ...TOKEN, tenant: 'b' }],
  ['is for other agents', { ...TOKEN, agents: ['default'] }],
])('one whose token %s may not', async (_what, token) => {
  expect(await faultOf(token)(CALLER)).toBe(REVOKED)
})

test('one whose agent was taken out of the configuration may not, whatever its token', async () => {
  expect(await faultOf(TOKEN)({ ...CALLER, agent: 'gone' })).toBe('agent "gone" is not configured any more')
})

test('what the operator asked for with the token of the environment goes on, also when that has another text now', async () => {
  expect(await faultOf(undefined)({ tenant: 'default', agent: 'default', token: 'environment' })).toBeUndefined()
})
