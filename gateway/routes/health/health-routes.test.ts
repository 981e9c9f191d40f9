import { expect, test } from 'vitest'
import { gatewayInProcess } from '../../testing/gateway-in-process.ts'

test('servers are named to an operator alone, and not to the admin of another tenant', async () => {
  const { ask, admin, makeToken, gateway } = await gatewayInProcess()
  const reason = 'refused: Bearer sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'
  gateway.catalog.setState('mcp', 'ledger', { kind: 'down', sinceMs: 0, reason })
  const other = await makeToken({ name: 'other', tenant: 'rival', scopes: ['admin'] })
  const [told, open] = [await ask(admin, { url: '/readyz' }), await ask(other, { url: '/readyz' })]
  expect(told.text).toContain('ledger')
  expect(told.text).not.toContain('abcdefghijklmnopqrstuvwxyz')
  expect(open).toMatchObject({ status: 200, body: { status: 'ready', sources: { down: 1 } } })
  expect(open.text).not.toContain('ledger')
})
