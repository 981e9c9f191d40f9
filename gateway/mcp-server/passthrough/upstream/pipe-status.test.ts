import { expect, test } from 'vitest'
import { readRpcMessage } from '../judging/rpc-message.ts'
import { refuseRequest } from './pipe-status.ts'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

async function refusalOf(
  method: string,
  knownVersion: string,
): Promise<{ readonly status: number; readonly error: unknown }> {
  const message = readRpcMessage({ jsonrpc: '2.0', id: 1, method, params: { name: 'x', _meta: META } })
  if (message === undefined) throw new Error('the test sends something that is no message')
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': 'x' }
  const response = refuseRequest(message, headers, knownVersion)
  return { status: response?.status ?? 0, error: Object(await response?.json()).error }
}

// With -32022, which is an error of the stateless revision, some clients stay with that revision and give up.
test.each(['server/discover', 'tools/call'])(
  'a server that is known to be older answers %s of a stateless client as one of its age does over HTTP',
  async (method) => {
    expect(await refusalOf(method, '2025-06-18')).toEqual({
      status: 400,
      error: { code: -32_000, message: 'no session: send "initialize" first' },
    })
  },
)

test('a server of another stateless revision says which it speaks', async () => {
  expect(await refusalOf('server/discover', '2026-11-25')).toMatchObject({
    status: 400,
    error: { code: -32_022, data: { supported: ['2026-11-25'], requested: '2026-07-28' } },
  })
})
