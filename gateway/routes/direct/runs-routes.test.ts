import { expect, test } from 'vitest'
import { gatewayInProcess } from '../../testing/gateway-in-process.ts'

test("a client's tool whose name begins with a digit is called by its id, by its name and out of a search", async () => {
  const { ask, admin } = await gatewayInProcess()
  const parameters = { type: 'object', properties: { site: { type: 'string' } } }
  const named = { name: '2fa_code', description: 'Gives the two factor code of a site', parameters }
  const tools = [{ type: 'function', function: named }]
  const waits = async (code: string) => {
    const { body } = await ask(admin, { method: 'POST', url: '/v1/runs', body: { code, tools } })
    return {
      status: body.status,
      pending: body.pending?.map(({ clientCall: _id, ...pending }: object & { clientCall: string }) => pending),
    }
  }
  for (const code of [
    `return tools.call('client:client:2fa_code', { site: 'x' })`,
    `return tools.call('2fa_code', { site: 'x' })`,
    `return tools.client['2fa_code']({ site: 'x' })`,
    `const [hit] = await tools.search('two factor code'); return hit.call({ site: 'x' })`,
  ]) {
    expect(await waits(code)).toEqual({
      status: 'waiting',
      pending: [{ tool: 'client:client:2fa_code', name: '2fa_code', args: { site: 'x' } }],
    })
  }
})
