import { expect, test } from 'vitest'
import { createOpenClients } from '../mcp-server/open-clients.ts'
import { ENVIRONMENT_TOKEN_ID } from '../state/tokens/tokens.ts'
import type { TokenRecord } from '../store/store.ts'
import { endRevoked } from './end-revoked.ts'

const TOKEN = { name: 'bot', tenant: 'default', scopes: ['tools'], hash: 'h', createdMs: 1 } as const

test('a stream of a token that another gateway revoked, or dropped, ends; one that may go on does', async () => {
  const stored = new Map<string, TokenRecord>([
    ['good', { ...TOKEN, id: 'good' }],
    ['revoked', { ...TOKEN, id: 'revoked', revokedMs: 2 }],
  ])
  const ended: string[] = []
  const clients = createOpenClients([{ endOf: (id) => void ended.push(id) }])
  for (const id of ['good', 'revoked', 'gone', ENVIRONMENT_TOKEN_ID]) {
    const response = { closed: false, once: () => undefined, destroy: () => ended.push(`stream of ${id}`) }
    clients.enter(id, response)
  }
  await endRevoked({ clients, store: { getToken: async (id) => stored.get(id) } })
  expect(ended).toEqual(['stream of revoked', 'revoked', 'stream of gone', 'gone'])
})
