import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { TokenRecord } from '../store/store.ts'
import { createAuthenticate } from './authenticate.ts'

const RECORD: TokenRecord = { id: 't', name: 't', tenant: 'a', scopes: ['chat'], hash: 'h', createdMs: 1 }

test.each([
  ['Bearer dbr_Secret'],
  ['bearer dbr_Secret'],
  ['BEARER   dbr_Secret'],
  ['Bearer\tdbr_Secret'],
  ['Bearer \t dbr_Secret'],
])('%j is a bearer token', async (authorization) => {
  expect(await answerTo(authorization)).toBe('let in')
})

test.each([
  ['Bearer dbr_secret', 'invalid_token'],
  ['Bearer dbr_Secret,', 'invalid_token'],
  ['Bearer "dbr_Secret"', 'invalid_token'],
  // What would be let in by its first part alone says two things.
  ['Bearer dbr_Secret other', 'missing_token'],
  ['Bearer dbr_Secret, Bearer other', 'missing_token'],
  ['Bearer', 'missing_token'],
  ['Bearerdbr_Secret', 'missing_token'],
  ['Bearer:dbr_Secret', 'missing_token'],
  ['dbr_Secret', 'missing_token'],
  ['Basic dbr_Secret', 'missing_token'],
  ['', 'missing_token'],
])('%j is not the token (%s)', async (authorization, code) => {
  expect(await answerTo(authorization)).toBe(code)
})

async function answerTo(authorization: string): Promise<unknown> {
  const authenticate = createAuthenticate({
    findToken: async (token) => (token === 'dbr_Secret' ? RECORD : undefined),
    failures: { waitMs: () => 0, note: () => undefined },
    agents: () => ['default'],
  })
  const app = fastify()
  onTestFinished(() => app.close())
  const { promise, resolve } = Promise.withResolvers<unknown>()
  app.get('/', (request) =>
    authenticate(request, 'chat').then(
      () => resolve('let in'),
      (error: unknown) => resolve(error instanceof Error && Reflect.get(error, 'code')),
    ),
  )
  await app.inject({ url: '/', headers: { authorization } })
  return promise
}
