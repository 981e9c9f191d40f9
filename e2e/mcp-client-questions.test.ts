import path from 'node:path'
import type { Client, ClientCapabilities } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { ROOT, startGateway } from './testing/gateway-process.ts'
import { connectClient, connectStdioClient } from './testing/mcp-clients.ts'
import { waitUntil } from './testing/wait-until.ts'

let gateway: GatewayProcess
const clients: Client[] = []

beforeAll(async () => {
  const server = (file: string) => ({
    command: process.execPath,
    args: [path.join(ROOT, 'catalog/sources/mcp/fixtures', file)],
  })
  gateway = await startGateway({
    config: {
      tools: { toolSearch: { mode: 'tools' } },
      approvals: { timeoutMs: 20_000, holdMs: 300 },
      mcp: {
        servers: { older: server('asking-v1.mjs'), flooding: server('asking-v1.mjs'), newer: server('asking-v2.mjs') },
      },
    },
  })
  await waitUntil('the servers are there', async () => {
    const { tools } = (await gateway.api.get('/v1/catalog')).body
    return ['mcp:older:confirm', 'mcp:flooding:confirm', 'mcp:newer:confirm'].every((id) =>
      tools.some((tool: { id: string }) => tool.id === id),
    )
  })
})

afterAll(() => gateway?.remove())

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

type Era = 'stateless' | 'session' | 'stdio'
type Elicited = Readonly<Record<string, unknown>> & { readonly message: string }

interface Person {
  readonly capabilities?: ClientCapabilities
  /** What the person does with each form or address. */
  readonly elicit?: (asked: Elicited, count: number) => object
  /** What the client's model says. */
  readonly sample?: (params: object) => object
}

const EVERYTHING: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: {} }

async function connect(era: Era, { capabilities = EVERYTHING, elicit, sample }: Person) {
  const access = { url: gateway.url, token: gateway.token, capabilities }
  const client = era === 'stdio' ? await connectStdioClient(gateway, capabilities) : await connectClient(era, access)
  clients.push(client)
  const asked: Elicited[] = []
  const samples: object[] = []
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push({ ...params })
      return JSON.parse(JSON.stringify(elicit?.({ ...params }, asked.length) ?? { action: 'cancel' }))
    })
  }
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      samples.push(params)
      return JSON.parse(JSON.stringify(sample?.(params) ?? {}))
    })
  }
  const call = async (id: string) => {
    const result = await client.callTool({ name: 'tool_call', arguments: { id: `mcp:${id}`, args: {} } })
    return JSON.stringify(result.content)
  }
  return { client, asked, samples, call }
}

const accept = (content: object) => () => ({ action: 'accept', content })

/** The end of a call, for which a client comes back as long as it is told that it waits. */
async function endOf(call: (id: string) => Promise<string>, id: string): Promise<string> {
  const said = await call(id)
  return said.includes('is under way') ? endOf(call, id) : said
}

async function pending(): Promise<readonly { readonly id: string }[]> {
  return (await gateway.api.get('/v1/approvals?state=pending')).body.approvals
}

describe.each(['stateless', 'session'] as const)('a client that can ask its person (%s)', (era) => {
  test.each(['older', 'newer'])('is asked what the server %s asks, in the same call', async (server) => {
    const { asked, call } = await connect(era, { elicit: accept({ sure: true }) })
    expect(await call(`${server}:confirm`)).toContain('accept')
    expect(asked).toMatchObject([
      {
        message: `MCP server "${server}" asks (tool confirm):\nDelete the folder?`,
        requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
      },
    ])
    expect(await pending()).toEqual([])
  })

  test('says no, or nothing, and the tool hears it', async () => {
    for (const action of ['decline', 'cancel']) {
      const { call } = await connect(era, { elicit: () => ({ action }) })
      expect(await call('older:confirm')).toContain(action)
      expect(await call('newer:confirm')).toContain(action)
    }
  })

  test('fills in a form, and is asked again with the reason where it does not fit', async () => {
    const { asked, call } = await connect(era, {
      elicit: (_asked, count) => ({
        action: 'accept',
        content: count === 1 ? { name: 'A', age: 3 } : { name: 'Ada', age: 36, seat: 'a' },
      }),
    })
    const said = await call('older:form')
    for (const value of ['Ada', '36', 'seat']) expect(said).toContain(value)
    expect(asked).toHaveLength(2)
    expect(asked[1]?.message).toContain('field "name" has at least 2 characters, got 1')
    expect(asked[0]?.['requestedSchema']).toMatchObject({
      properties: {
        name: { type: 'string', title: 'Full name', minLength: 2 },
        age: { type: 'integer', minimum: 0, maximum: 150 },
        seat: { enum: ['w', 'a'], enumNames: ['Window', 'Aisle'], default: 'w' },
        meals: { type: 'array', items: { anyOf: [{ const: 'lunch' }, { const: 'dinner' }] } },
      },
    })
  })

  test('is not believed for ever: after some answers that do not fit there is none', async () => {
    const { asked, call } = await connect(era, { elicit: accept({ hat: 'red' }) })
    expect(await call('newer:form')).toContain('cancel')
    expect(asked).toHaveLength(3)
  })

  test.each(['older', 'newer'])('is shown an address whole (%s)', async (server) => {
    const { asked, call } = await connect(era, { elicit: () => ({ action: 'accept' }) })
    expect(await call(`${server}:link`)).toContain('accept')
    expect(asked).toMatchObject([
      {
        mode: 'url',
        url: 'https://bank.example/login?step=1',
        message: expect.stringMatching(/^MCP server "(older|newer)" asks .*bank\.example/s),
      },
    ])
  })

  test.each(['older', 'newer'])('has its model answer, within bounds (%s)', async (server) => {
    const { samples, call } = await connect(era, {
      sample: () => ({ role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'own', secret: 'kept' }),
    })
    const said = await call(`${server}:sample`)
    expect(said).toContain('hello')
    expect(said).not.toContain('kept')
    expect(samples).toMatchObject([{ maxTokens: 5, messages: [{ role: 'user', content: { text: 'say hello' } }] }])
  })

  test('goes on where one of its tools asks a thousand things', async () => {
    const { asked, call } = await connect(era, { elicit: accept({ sure: true }) })
    expect(await call('flooding:flood')).toMatch(/decline[^}]*9\d\d/)
    expect(asked.length).toBeLessThanOrEqual(20)
  })
})

test('a client at the other end of mcp-serve is asked like any other', async () => {
  const { asked, samples, call } = await connect('stdio', {
    elicit: accept({ sure: true }),
    sample: () => ({ role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'own' }),
  })
  for (const server of ['older', 'newer']) {
    expect(await call(`${server}:confirm`)).toContain('accept')
    expect(await call(`${server}:sample`)).toContain('hello')
  }
  expect([asked.length, samples.length]).toEqual([2, 2])
})

test.each(['stateless', 'session'] as const)('what a client cannot be asked goes to the desk (%s)', async (era) => {
  const { call } = await connect(era, { capabilities: { elicitation: { url: {} } } })
  const calling = endOf(call, 'older:confirm')
  const id = await waitUntil('the question is at the desk', async () => (await pending())[0]?.id)
  await gateway.cli('approvals', 'approve', id, 'sure=yes')
  expect(await calling).toContain('accept')
})

test.each(['stateless', 'session'] as const)(
  'a client whose call waits at the desk is told so, and the same call again gives its result, once (%s)',
  async (era) => {
    const { call } = await connect(era, { capabilities: {} })
    const waiting = await call('older:confirm')
    expect(waiting).toContain('the tool is under way and asks something')
    const [{ id } = { id: '' }, ...others] = await pending()
    expect([others, waiting.includes(id)]).toEqual([[], true])
    expect(await call('older:confirm')).toContain('is under way')
    expect((await pending()).map((each) => each.id)).toEqual([id])
    await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })
    expect(await endOf(call, 'older:confirm')).toContain('accept')
  },
)

/** A session of a client that reads answers in JSON alone, whatever it says that it can be asked, and said when it began. */
async function connectPlain(path: string, opening = 'application/json') {
  const send = async (session: string | undefined, body: object) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.token}`,
        'content-type': 'application/json',
        accept: session === undefined ? opening : 'application/json',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    })
    return { session: response.headers.get('mcp-session-id') ?? undefined, said: await response.text() }
  }
  const clientInfo = { name: 'plain', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: { elicitation: {}, sampling: {} }, clientInfo }
  const { session } = await send(undefined, { id: 0, method: 'initialize', params })
  await send(session, { method: 'notifications/initialized' })
  const call = (name: string, args: object) =>
    send(session, { id: 1, method: 'tools/call', params: { name, arguments: args } })
  return { call: async (name: string, args: object = {}) => (await call(name, args)).said }
}

test('a client that reads no streams is not waited for: what it would be asked goes to the desk', async () => {
  const { call } = await connectPlain('/mcp')
  const args = { id: 'mcp:older:confirm', args: {} }
  expect(await call('tool_call', args)).toContain('is under way')
  const [open] = await pending()
  await gateway.api.post(`/v1/approvals/${open?.id}/decision`, { decision: 'deny' })
  expect(await call('tool_call', args)).toContain('decline')
})

test('one that reads no stream for this answer alone cancels what it is asked', async () => {
  const { call } = await connectPlain('/mcp', 'application/json, text/event-stream')
  expect(await call('tool_call', { id: 'mcp:older:confirm', args: {} })).toContain('cancel')
})

test('the server hears that such a client cannot be asked, where it is passed through', async () => {
  const { call } = await connectPlain('/mcp/servers/older')
  expect(await call('confirm')).toContain('the client cannot be asked')
})

test('in a session an error for an answer costs the question, not the call', async () => {
  const { call } = await connect('session', {
    elicit: () => {
      throw new Error('the window was closed')
    },
    sample: () => {
      throw new Error('the person said no')
    },
  })
  expect(await call('older:confirm')).toContain('cancel')
  expect(await call('older:sample')).toContain('the person said no')
})

test('two clients of one process are never asked for each other', async () => {
  const [mine, theirs] = await Promise.all(
    [true, false].map((sure) => connect('session', { elicit: accept({ sure }) })),
  )
  const slow = theirs?.call('older:slow')
  // While another's call is under way on it, nothing says whose question this is.
  expect(await mine?.call('older:confirm')).toContain('decline')
  await slow
  expect(await mine?.call('older:confirm')).toContain('true')
  expect([mine?.asked.length, theirs?.asked.length]).toEqual([1, 0])
  const both = await Promise.all([mine?.call('newer:confirm'), theirs?.call('newer:confirm')])
  expect(both.map((said) => /sure[^a-z]*(true|false)/.exec(said ?? '')?.[1])).toEqual(['true', 'false'])
})

test('an answer with an id that nobody was given answers nothing', async () => {
  const { call } = await connect('stateless', { capabilities: {} })
  const calling = endOf(call, 'newer:confirm')
  const id = await waitUntil('the question is at the desk', async () => (await pending())[0]?.id)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': EVERYTHING,
  }
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'tool_call',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'tool_call',
        arguments: { id: 'mcp:newer:confirm', args: {} },
        inputResponses: { question_1: { action: 'accept', content: { sure: true } }, [id]: { action: 'accept' } },
        requestState: 'wait_guessed.under-way',
        _meta: meta,
      },
    }),
  })
  expect(await response.text()).toContain('whether it took effect is not known')
  expect((await pending()).map((each) => each.id)).toEqual([id])
  await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'deny' })
  expect(await calling).toContain('decline')
})

test('a client that leaves takes its question with it', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const { client, call } = await connect('session', {})
  client.setRequestHandler('elicitation/create', () => {
    resolve()
    return new Promise(() => {})
  })
  const calling = call('older:confirm').catch(() => 'left')
  await asked
  await client.close()
  expect(await calling).toBe('left')
  const other = await connect('session', { elicit: accept({ sure: true }) })
  // The server's process is free again: its call has ended.
  await waitUntil('the call of who left has ended', async () => (await other.call('older:confirm')).includes('accept'))
})
