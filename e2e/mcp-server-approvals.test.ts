import path from 'node:path'
import type { Client, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import type { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'
import { connectClient, connectOldClient } from './testing/mcp-clients.ts'
import { waitUntil } from './testing/wait-until.ts'

let gateway: GatewayProcess
const clients: (Client | OldClient)[] = []

const configFor = (approvals: object, toolSearch: unknown = false): object => ({
  tools: {
    toolSearch,
    rules: [
      { tool: 'plugin:probe:echo', effect: 'ask', reason: 'echoes are loud' },
      { tool: 'plugin:demo:list_invoices', effect: 'ask' },
    ],
  },
  approvals: { holdMs: 200, ...approvals },
  plugins: { paths: [path.join(FIXTURES, 'plugins')] },
})

beforeAll(async () => {
  gateway = await startGateway({ config: configFor({}) })
})

afterAll(() => gateway?.remove())

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

type Era = 'stateless' | 'session'
type Answer = ElicitResult | ((request: ElicitRequest) => ElicitResult)

interface Asking {
  readonly client: Client
  /** What the client's person was asked. */
  readonly questions: ElicitRequest['params'][]
}

async function connect(
  era: Era,
  { token = gateway.token, answer }: { token?: string; answer?: Answer } = {},
): Promise<Asking> {
  const capabilities = answer === undefined ? {} : { elicitation: {} }
  const client = await connectClient(era, { url: gateway.url, token, capabilities })
  clients.push(client)
  const questions: Asking['questions'] = []
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', (request) => {
      questions.push(request.params)
      return typeof answer === 'function' ? answer(request) : answer
    })
  }
  return { client, questions }
}

const decision = (word: string): ElicitResult => ({ action: 'accept', content: { decision: word } })
const echo = (client: Client, text: string) => client.callTool({ name: 'probe__echo', arguments: { text } })

async function makeToken(scopes: readonly string[]): Promise<string> {
  const { body } = await gateway.api.post('/v1/tokens', { name: `t${Math.random()}`, scopes })
  return body.token
}

interface StoredReceipt {
  readonly receipt: { readonly outcome?: string; readonly approval?: string }
}

async function pendingIds(ofRun = ''): Promise<readonly string[]> {
  const { body } = await gateway.api.get(`/v1/approvals?state=pending${ofRun && `&run=${ofRun}`}`)
  return body.approvals.map(({ id }: { readonly id: string }) => id)
}

describe.each(['stateless', 'session'] as const)('a client that can ask its person (%s)', (era) => {
  test('asks, and the call is made as it was allowed', async () => {
    const { client, questions } = await connect(era, { answer: decision('allow-once') })
    const result = await echo(client, `allowed ${era}`)
    expect(JSON.stringify(result.content)).toContain(`allowed ${era}`)
    expect(questions).toHaveLength(1)
    expect(questions[0]?.message).toContain('echoes are loud')
    const { body } = await gateway.api.get('/v1/approvals?state=allowed-once')
    expect(body.approvals[0]).toMatchObject({
      toolId: 'plugin:probe:echo',
      decidedBy: expect.stringMatching(/^elicitation:/),
    })
  })

  test('the call is refused where the person denies, or declines to answer', async () => {
    for (const answer of [decision('deny'), { action: 'decline' } as const]) {
      const { client } = await connect(era, { answer })
      const result = await echo(client, 'denied')
      expect(result.isError).toBe(true)
      expect(JSON.stringify(result.content)).toContain('rejected')
    }
  })

  test('a person who puts the question aside leaves the call waiting, to be decided elsewhere', async () => {
    const { client } = await connect(era, { answer: { action: 'cancel' } })
    const waiting = await echo(client, `aside ${era}`)
    expect(waiting.structuredContent).toMatchObject({ status: 'waiting', pending: [{ tool: 'plugin:probe:echo' }] })
    const [id] = await pendingIds()
    await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })
    const again = await echo(client, `aside ${era}`)
    expect(JSON.stringify(again.content)).toContain(`aside ${era}`)
  })
})

describe.each(['stateless', 'session'] as const)('a client whose word does not count (%s)', (era) => {
  test('is told what waits; who may decides, and the same call made again gives the result, once', async () => {
    const token = await makeToken(['tools'])
    const { client, questions } = await connect(era, { token, answer: decision('allow-once') })
    const waiting = await echo(client, `once ${era}`)
    expect(questions).toEqual([])
    expect(waiting.isError).toBe(false)
    expect(waiting.structuredContent).toMatchObject({ status: 'waiting', message: expect.stringContaining('apr_') })
    const [id, ...others] = await pendingIds()
    expect(others).toEqual([])
    expect((await echo(client, `once ${era}`)).structuredContent).toMatchObject({ status: 'waiting' })
    expect(await pendingIds()).toEqual([id])
    await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })
    expect(JSON.stringify((await echo(client, `once ${era}`)).content)).toContain(`once ${era}`)
    const { body } = await gateway.api.get('/v1/receipts?limit=200')
    const made = body.receipts.filter(
      ({ receipt }: StoredReceipt) => receipt.approval === id && receipt.outcome === 'ok',
    )
    expect(made).toHaveLength(1)
  })
})

test('the same call made again finds its parked call after the gateway was killed, and is made once', async () => {
  const token = await makeToken(['tools'])
  const { client } = await connect('stateless', { token })
  expect((await echo(client, 'outlives')).structuredContent).toMatchObject({ status: 'waiting' })
  const [id] = await pendingIds()
  await client.close()
  const { folder } = gateway
  await gateway.kill()
  gateway = await startGateway({ folder, config: configFor({}) })
  const again = (await connect('stateless', { token })).client
  expect((await echo(again, 'outlives')).structuredContent).toMatchObject({ status: 'waiting' })
  expect(await pendingIds()).toEqual([id])
  await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })
  expect(JSON.stringify((await echo(again, 'outlives')).content)).toContain('outlives')
  // Its client has the end: this is another call.
  expect((await echo(again, 'outlives')).structuredContent).toMatchObject({ status: 'waiting' })
  const [other] = await pendingIds()
  expect(other).not.toBe(id)
  await gateway.api.post(`/v1/approvals/${other}/decision`, { decision: 'deny' })
})

test('a client that holds what waits to the output schema of its tool reads it all the same', async () => {
  const client = await connectOldClient({ url: gateway.url, token: await makeToken(['tools']) })
  clients.push(client)
  // The client keeps the schemas of what it has listed.
  expect(
    (await client.listTools()).tools.find(({ name }) => name === 'demo__list_invoices')?.outputSchema,
  ).toBeDefined()
  const list = async () => client.callTool({ name: 'demo__list_invoices', arguments: { status: 'overdue' } })
  expect(JSON.stringify((await list()).content)).toContain('waiting')
  const [id] = await pendingIds()
  await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })
  expect((await list()).structuredContent).toMatchObject({ total: expect.any(Number) })
})

test('an answer that a client makes up decides nothing', async () => {
  const token = await makeToken(['tools'])
  const { client } = await connect('stateless', { token })
  await echo(client, 'made up')
  const [id] = await pendingIds()
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  }
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'probe__echo',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'probe__echo',
        arguments: { text: 'made up' },
        inputResponses: { [id ?? '']: { action: 'accept', content: { decision: 'allow-once' } } },
        requestState: 'wait_guessed',
        _meta: meta,
      },
    }),
  })
  expect(await response.text()).toContain('waits no longer')
  expect(await pendingIds()).toEqual([id])
  await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'deny' })
})

test('where the configuration says so, the word of a client without the scope counts', async () => {
  const token = await makeToken(['tools'])
  await gateway.writeConfig(configFor({ elicitation: true }))
  const asked = await waitUntil('its word counts', async () => {
    const { client, questions } = await connect('session', { token, answer: decision('allow-once') })
    await echo(client, `configured ${Math.random()}`)
    return questions.length > 0 && questions
  })
  expect(asked[0]?.message).toContain('echoes are loud')
})

describe('a program', () => {
  beforeAll(async () => {
    await gateway.writeConfig(configFor({}, { mode: 'code' }))
    await waitUntil('code is in force', async () => (await gateway.api.get('/readyz')).body.mode.inForce === 'code')
  })

  const code = (text: string): string =>
    `const first = await tools.call('plugin:probe:echo', { text: '${text}' })
     const second = await tools.call('plugin:probe:echo', { text: 'and again' })
     return [first, second]`
  const run = (client: Client, text: string) =>
    client.callTool({ name: 'tool_search_code', arguments: { code: code(text) } })

  test.each(['stateless', 'session'] as const)('asks for each of its calls, and goes on (%s)', async (era) => {
    const { client, questions } = await connect(era, { answer: decision('allow-once') })
    const result = await run(client, `asked ${era}`)
    expect(result.structuredContent).toMatchObject({ status: 'completed' })
    expect(JSON.stringify(result.content)).toContain(`asked ${era}`)
    expect(questions).toHaveLength(2)
  })

  test('waits where nobody can be asked, and gives its result when it was decided', async () => {
    const { client } = await connect('stateless')
    const waiting = await run(client, 'parked')
    const { run: runId } = Object(waiting.structuredContent)
    expect(waiting.structuredContent).toMatchObject({ status: 'waiting', run: expect.stringMatching(/^run_/) })
    for (let count = 0; count < 2; count += 1) {
      const [id] = await waitUntil('an approval waits', async () => {
        const ids = await pendingIds(runId)
        return ids.length > 0 && ids
      })
      await gateway.api.post(`/v1/approvals/${id}/decision`, { decision: 'allow-once' })
    }
    const result = await waitUntil('the run has ended', async () => {
      const again = await run(client, 'parked')
      return JSON.stringify(again.structuredContent).includes('completed') && again
    })
    expect(JSON.stringify(result.content)).toContain('parked')
  })
})
