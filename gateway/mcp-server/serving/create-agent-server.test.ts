import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import type { ContentBlock } from '../../../catalog/tool.ts'
import { createOfferExtension } from '../offering/offer-extension.ts'
import { AUTHENTICATED, serverDeps } from '../testing/a-server.ts'
import { createCallerBook } from './caller-book.ts'
import type { McpExtension } from './create-agent-server.ts'
import { createAgentServer } from './create-agent-server.ts'
import { createLegacySessions } from './legacy-sessions.ts'

const LINK: ContentBlock = { type: 'resource_link', uri: 'kit://1', name: 'note' }

type Ask = (body: JsonObject) => Promise<string>

/** Asks in a session of this revision, whose tool gives a link. */
async function aSessionOf(protocolVersion: string, extensions: readonly McpExtension[] = []): Promise<Ask> {
  const book = createCallerBook()
  const deps = serverDeps(
    async () => {
      const outcome = { kind: 'ok', value: 'v', result: { content: [LINK] }, effect: 'done' } as const
      const settled = { callId: 'c', requested: 'echo', outcome, notices: [], ms: 1, receiptId: 'rc_1' }
      return { kind: 'result', text: 'text', isError: false, searches: 0, describes: 0, calls: [], settled }
    },
    { entryOf: book.entryOf, extensions },
  )
  const sessions = createLegacySessions({
    createServer: ({ caller }) => createAgentServer(deps, caller),
    onError: () => {},
    ids: { mint: () => 's1', startOf: () => undefined, openedAgain: () => {} },
    now: () => 0,
  })
  const post = async (body: JsonObject, more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...more }
    const response = await sessions.serve({
      request: new Request('http://localhost/mcp', { method: 'POST', headers }),
      body: { jsonrpc: '2.0', ...body },
      authInfo: book.enter({ authenticated: AUTHENTICATED, requestId: 'req_1' }),
      authenticated: AUTHENTICATED,
      sent: Promise.resolve(),
    })
    return response.text()
  }
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  await post({ id: 0, method: 'initialize', params })
  return (body) => post(body, { 'mcp-session-id': 's1' })
}

async function answerIn(protocolVersion: string): Promise<string> {
  const ask = await aSessionOf(protocolVersion)
  return ask({ id: 1, method: 'tools/call', params: { name: 'default__echo', arguments: {} } })
}

test('an answer holds nothing that the revision of its client does not have', async () => {
  expect(await answerIn('2025-11-25')).toContain('"type":"resource_link"')
  expect(await answerIn('2024-11-05')).toContain('{"type":"text","text":"resource link: note, kit://1"}')
})

test('nor does a prompt', async () => {
  const offers = createOfferExtension({
    offers: { list: async () => [], ask: async () => ({ messages: [{ role: 'user', content: { ...LINK } }] }) },
    kinds: () => ['prompts'],
  })
  const get = { id: 1, method: 'prompts/get', params: { name: 'kit__note' } }
  expect(await (await aSessionOf('2025-11-25', [offers]))(get)).toContain('"type":"resource_link"')
  expect(await (await aSessionOf('2024-11-05', [offers]))(get)).toContain('{"type":"text","text":"resource link:')
})

test('lists of what nobody offers are empty: some clients give a server up over an error there', async () => {
  const ask = await aSessionOf('2025-06-18')
  const lists = {
    'resources/list': 'resources',
    'resources/templates/list': 'resourceTemplates',
    'prompts/list': 'prompts',
  }
  for (const [method, list] of Object.entries(lists)) {
    expect(await ask({ id: 1, method })).toContain(`"result":{"${list}":[]}`)
  }
  for (const method of ['resources/read', 'logging/setLevel', 'toString']) {
    expect(await ask({ id: 1, method, params: {} })).toContain('"code":-32601')
  }
})
