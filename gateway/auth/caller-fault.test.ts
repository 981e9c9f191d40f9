import { expect, test } from 'vitest'
import type { TokenRecord } from '../store/store.ts'
import { createCallerFault, tokenKey } from './caller-fault.ts'

const TOKEN: TokenRecord = { id: 'tok_1', name: 'bot', tenant: 'a', scopes: ['chat'], hash: 'h', createdMs: 1 }
const CALLER = { tenant: 'a', agent: 'till', token: 'tok_1' }
const REVOKED = 'the token that it was asked for with has been revoked'

function faultOf(token: TokenRecord | undefined, environment?: TokenRecord) {
  const store = { getToken: async (id: string) => (token?.id === id ? token : undefined) }
  return createCallerFault({ store, environment, agents: () => ['default', 'till'] })
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

test("the environment's token is another one when its text is", async () => {
  const [old, next] = ['11112222333344445555', '99992222333344445555'].map((hash) => ({
    ...TOKEN,
    id: 'environment',
    tenant: 'default',
    hash,
  }))
  if (old === undefined || next === undefined) throw new Error('two tokens were made')
  const caller = { tenant: 'default', agent: 'default', token: tokenKey(old) }
  expect(await faultOf(undefined, old)(caller)).toBeUndefined()
  expect(await faultOf(undefined, next)(caller)).toBe(REVOKED)
  expect(await faultOf(undefined)(caller)).toBe(REVOKED)
})
