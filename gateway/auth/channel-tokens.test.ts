import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { Caller } from '../../catalog/caller.ts'
import type { TokenRecord } from '../store/store.ts'
import { gatewayInProcess } from '../testing/gateway-in-process.ts'
import { createAuthenticate } from './authenticate.ts'

test('what a token of a channel says of its senders is believed; of another channel it may not speak', async () => {
  const sent = { 'x-drawbridge-channel': 'ops', 'x-drawbridge-sender': 'ada' }
  expect(await callerOf({ channels: ['ops', 'mail'] }, sent)).toMatchObject({
    channel: 'ops',
    sender: 'ada',
    isVouched: true,
  })
  const bound = { channels: ['ops'], agents: ['default', 'till'] }
  expect(await callerOf(bound, sent)).toMatchObject({ isVouched: true, boundTo: ['default', 'till'] })
  await expect(callerOf({ channels: ['mail'] }, sent)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'this token speaks for mail, not for channel "ops"',
  })
  expect(await callerOf({ channels: ['ops'] }, { 'x-drawbridge-sender': 'ada' })).not.toHaveProperty('isVouched')
})

test('without channels a token may name any, and nothing of it is believed', async () => {
  const sent = { 'x-drawbridge-channel': 'ops', 'x-drawbridge-sender': 'ada' }
  const caller = await callerOf({}, sent)
  expect(caller).toMatchObject({ channel: 'ops', sender: 'ada' })
  expect(caller).not.toHaveProperty('isVouched')
})

test('a token is made for channels by the route, and shows them', async () => {
  const { ask, admin } = await gatewayInProcess()
  const make = (channels: unknown) =>
    ask(admin, { method: 'POST', url: '/v1/tokens', body: { name: 'adapter', channels } })
  for (const channels of [[], ['a:b'], ['a b'], ['x'.repeat(65)], 'ops', [1]])
    expect((await make(channels)).status).toBe(400)
  expect(await make(['ops', '#general'])).toMatchObject({ status: 201, body: { channels: ['ops', '#general'] } })
  const { body } = await ask(admin, { url: '/v1/tokens' })
  expect(body.tokens).toContainEqual(expect.objectContaining({ name: 'adapter', channels: ['ops', '#general'] }))
})

async function callerOf(given: Partial<TokenRecord>, headers: Readonly<Record<string, string>>): Promise<Caller> {
  const token: TokenRecord = { id: 't', name: 't', tenant: 'a', scopes: ['chat'], hash: 'h', createdMs: 1, ...given }
  const authenticate = createAuthenticate({
    findToken: async () => token,
    failures: { waitMs: () => 0, note: () => undefined },
    agents: () => ['default'],
  })
  const app = fastify()
  onTestFinished(() => app.close())
  const { promise, resolve, reject } = Promise.withResolvers<Caller>()
  app.get('/', async (request) => {
    await authenticate(request, 'chat').then(({ caller }) => resolve(caller), reject)
  })
  await app.inject({ url: '/', headers: { authorization: 'Bearer x', ...headers } })
  return promise
}
