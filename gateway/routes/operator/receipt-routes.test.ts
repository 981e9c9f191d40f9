import { expect, test } from 'vitest'
import { gatewayInProcess } from '../../testing/gateway-in-process.ts'

test('receipts come page by page in the order of the calls, or from the end', async () => {
  const { ask, admin } = await gatewayInProcess()
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const call = { method: 'POST', url: '/v1/tools/plugin:demo:list_invoices/call', body: { args: {} } } as const
    ids.push((await ask(admin, call)).body.receipt)
  }
  const page = async (query: string) => {
    const { body } = await ask(admin, { url: `/v1/receipts?${query}` })
    return { ids: body.receipts.map(({ id }: { id: string }) => id), next: body.nextAfter, end: body.end.seq }
  }
  expect(await page('')).toEqual({ ids, next: undefined, end: 5 })
  expect(await page('limit=2')).toEqual({ ids: ids.slice(0, 2), next: 2, end: 5 })
  expect(await page('limit=2&after=2')).toEqual({ ids: ids.slice(2, 4), next: 4, end: 5 })
  expect(await page('last=2')).toEqual({ ids: ids.slice(3), next: undefined, end: 5 })
  const one = await ask(admin, { url: `/v1/receipts/${ids[0]}` })
  expect(one.body).toMatchObject({ id: ids[0], toolId: 'plugin:demo:list_invoices', outcome: 'ok' })
  for (const [query, message] of [
    ['limit=x', 'limit is a whole number up to 1000, got "x"'],
    ['last=1001', 'last is a whole number up to 1000, got "1001"'],
    ['after=-1', `after is a whole number up to ${Number.MAX_SAFE_INTEGER}, got "-1"`],
    ['tenant=a&tenant=b', 'tenant is given once'],
  ]) {
    const { status, body } = await ask(admin, { url: `/v1/receipts?${query}` })
    expect([status, body.error.message]).toEqual([400, message])
  }
})
