import { rm } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { startGateway } from './testing/gateway-process.ts'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

interface Asker {
  readonly token: string
  readonly session?: string
}

/** One message of a client of SDK 1.x, which never sends "initialize" a second time. */
async function post({ url }: GatewayProcess, message: object, { token, session }: Asker) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
  return { status: response.status, session: response.headers.get('mcp-session-id'), text: await response.text() }
}

test("a session goes on over a restart of the gateway, unnoticed by its client, and is nobody else's", async () => {
  const config = { tools: { toolSearch: { mode: 'tools' } } }
  const first = await startGateway({ config })
  folders.push(first.folder)
  const makeToken = async (name: string): Promise<string> =>
    (await first.api.post('/v1/tokens', { name, scopes: ['tools'] })).body.token
  const [token, other] = [await makeToken('one'), await makeToken('other')]
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
  const { session } = await post(first, { id: 0, method: 'initialize', params }, { token })
  if (session === null) throw new Error('no session was opened')
  await post(first, { method: 'notifications/initialized' }, { token, session })
  await first.stop()

  const second = await startGateway({ folder: first.folder })
  try {
    const list = { id: 1, method: 'tools/list' }
    expect((await post(second, list, { token: other, session })).status).toBe(404)
    const listed = await post(second, list, { token, session })
    expect([listed.status, listed.session]).toEqual([200, session])
    expect(listed.text).toContain('"tool_search"')
    const search = { name: 'tool_search', arguments: { query: 'invoices' } }
    expect((await post(second, { id: 2, method: 'tools/call', params: search }, { token, session })).text).toContain(
      'hits',
    )
  } finally {
    await second.remove()
  }
})
