import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { createLegacySessions } from './legacy-sessions.ts'
import { createRequestsUnderWay } from './requests-under-way.ts'

const STREAMS = 'application/json, text/event-stream'

/** A session in which the tool `wait` waits to be let go by its argument, or to be cancelled. */
async function aSession({ accept = STREAMS, version = '2025-11-25' } = {}) {
  const waiting = new Map<unknown, () => void>()
  const cancelled: unknown[] = []
  const sessions = createLegacySessions({
    createServer() {
      const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } })
      server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
        const { of } = params.arguments ?? {}
        mcpReq.signal.addEventListener('abort', () => void cancelled.push(of))
        await new Promise<void>((resolve) => waiting.set(of, resolve))
        return { content: [{ type: 'text', text: `done ${String(of)}` }] }
      })
      return server
    },
    onError: () => {},
    ids: { mint: () => 's1', startOf: () => undefined, openedAgain: () => {} },
    now: () => 0,
  })
  onTestFinished(() => sessions.close())
  let isOpen = false
  const post = (body: JsonValue, more: Readonly<Record<string, string>> = {}): Promise<Response> => {
    const headers = { 'content-type': 'application/json', accept, ...(isOpen && { 'mcp-session-id': 's1' }), ...more }
    return sessions.serve({
      request: new Request('http://localhost/mcp', { method: 'POST', headers }),
      body,
      authInfo: { token: '', clientId: 'a', scopes: [] },
      authenticated: {
        token: { id: 'a', name: 'a', tenant: 't', scopes: ['tools'], hash: '', createdMs: 0 },
        caller: { tenant: 't', agent: 'default' },
      },
      sent: Promise.resolve(),
    })
  }
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  await (await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params })).text()
  isOpen = true
  const begun = (of: string): Promise<void> => expect.poll(() => waiting.has(of)).toBe(true)
  return { post, begun, cancelled, letGo: (of: string) => waiting.get(of)?.() }
}

const call = (id: string | number, of: string): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'wait', arguments: { of } },
})
const ping = (id: string | number): JsonObject => ({ jsonrpc: '2.0', id, method: 'ping' })
const cancel = (requestId: string | number): JsonObject => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
})

test('a request with the id of one under way is refused by name, and neither gets the answer of the other', async () => {
  const { post, begun, letGo } = await aSession()
  const first = await post(call(7, 'a'))
  await begun('a')
  for (const body of [call(7, 'b'), ping(7), [ping(8), ping(7)], [ping(9), ping(9)]]) {
    const refused = await post(body)
    const error = { code: -32_600, message: expect.stringMatching(/id [79] is still under way/) }
    expect([refused.status, await refused.json()]).toMatchObject([400, { error }])
  }
  // A text is another id than its number; and one that was in a refused message is free.
  for (const id of ['7', 8, 9]) expect(await (await post(ping(id))).text()).toContain('"result":{}')
  letGo('a')
  expect(await first.text()).toContain('done a')
  expect(await (await post(ping(7))).text()).toContain('"result":{}')
})

test('a message that the transport does not take holds no id', async () => {
  const { post } = await aSession()
  const refused = await post(ping(7), { 'mcp-protocol-version': '1900-01-01' })
  expect(refused.status).toBe(400)
  expect(await (await post(ping(7))).text()).toContain('"result":{}')
})

test('a message that the transport throws at holds no id', async () => {
  const transport = new WebStandardStreamableHTTPServerTransport()
  const posts = { has: () => false, drop: () => false }
  const requests = createRequestsUnderWay({ transport, posts, readsStreams: true, onError: () => {} })
  const thrown = requests.take(ping(7), () => Promise.reject(new Error('the body broke off')))
  await expect(thrown).rejects.toThrow('the body broke off')
  expect((await requests.take(ping(7), async () => new Response())).status).toBe(200)
})

test('the stream of a cancelled request ends without an answer, and its id is free', async () => {
  const { post, begun, cancelled, letGo } = await aSession()
  const first = await post(call('x', 'a'))
  await begun('a')
  expect((await post(cancel('x'))).status).toBe(202)
  expect(await first.text()).toBe('')
  expect(cancelled).toEqual(['a'])
  const second = await post(call('x', 'b'))
  await begun('b')
  letGo('a')
  letGo('b')
  const text = await second.text()
  expect([text.includes('done b'), text.includes('done a')]).toEqual([true, false])
})

test('a cancelled request whose response waits for its answer, or for those of others, is answered as cancelled', async () => {
  const json = await aSession({ accept: 'application/json' })
  const answering = json.post(call(1, 'a'))
  await json.begun('a')
  await json.post(cancel(1))
  expect(await (await answering).json()).toMatchObject({ id: 1, error: { message: 'the request was cancelled' } })

  const batch = await aSession({ version: '2025-03-26' })
  const both = await batch.post([call(1, 'a'), call(2, 'b')])
  await Promise.all([batch.begun('a'), batch.begun('b')])
  await batch.post(cancel(1))
  batch.letGo('b')
  const text = await both.text()
  expect([text.includes('was cancelled'), text.includes('done b')]).toEqual([true, true])
})

test('a cancellation of what is not under way ends nothing', async () => {
  const { post, begun, letGo } = await aSession()
  const first = await post(call(7, 'a'))
  await begun('a')
  for (const id of ['7', 8]) expect((await post(cancel(id))).status).toBe(202)
  letGo('a')
  expect(await first.text()).toContain('done a')
})
