import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from './testing/api-client.ts'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { ROOT, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let gateway: GatewayProcess
let upstream: FakeUpstream
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-questions-'))
  upstream = await startFakeUpstream()
  const server = (file: string) => ({
    command: process.execPath,
    args: [path.join(ROOT, 'catalog/sources/mcp/fixtures', file)],
  })
  const older = { ...server('asking-v1.mjs'), roots: [folder, 'beside the file'] }
  const silent = { ...server('asking-v1.mjs'), sampling: 'off' }
  gateway = await startGateway({
    config: {
      models: {
        default: 'up/gpt-e2e',
        providers: { up: { api: 'openai-chat', baseUrl: upstream.baseUrl, apiKey: 'sk-e2e-not-real' } },
      },
      agents: { plain: { model: 'scripted/scripted' } },
      tools: { toolSearch: { mode: 'tools' } },
      approvals: { timeoutMs: 20_000, chat: { senders: ['channel:ops:boss'] } },
      mcp: { servers: { older, silent, newer: server('asking-v2.mjs') } },
    },
  })
  await waitUntil('the servers are there', async () => {
    const { tools } = (await gateway.api.get('/v1/catalog')).body
    return ['mcp:older:confirm', 'mcp:newer:confirm', 'mcp:silent:confirm'].every((id) =>
      tools.some((tool: { id: string }) => tool.id === id),
    )
  })
})

afterAll(async () => {
  await gateway?.remove()
  await upstream?.close()
  await rm(folder, { recursive: true, force: true })
})

interface Asked {
  readonly id: string
  readonly callId: string
}

/** The question that waits, as who decides sees it. */
async function asked(): Promise<Asked & Record<string, unknown>> {
  return waitUntil('the question is put before a person', async () => {
    const { approvals } = (await gateway.api.get('/v1/approvals?state=pending')).body
    return approvals[0]
  })
}

const decide = (id: string, body: object) => gateway.api.post(`/v1/approvals/${id}/decision`, body)
const call = async (tool: string, headers = {}) => (await gateway.api.call(`mcp:${tool}`, {}, headers)).body

describe('a form', () => {
  test.each(['older', 'newer'])('that a yes fills is answered by a decision (%s)', async (server) => {
    const asking = call(`${server}:confirm`)
    const approval = await asked()
    expect(approval).toMatchObject({
      title: `confirm of ${server} asks`,
      description: 'Delete the folder?',
      toolId: `mcp:${server}:confirm`,
      allowedDecisions: ['allow-once', 'deny'],
      question: { kind: 'form', asker: `MCP server "${server}"`, fields: [{ name: 'sure', type: 'boolean' }] },
    })
    expect((await decide(approval.id, { decision: 'allow-once' })).status).toBe(200)
    expect(JSON.parse((await asking).value)).toMatchObject({ action: 'accept', content: { sure: true } })
    const again = call(`${server}:confirm`)
    await decide((await asked()).id, { decision: 'deny' })
    expect(JSON.parse((await again).value)).toMatchObject({ action: 'decline' })
  })

  test('with more fields is filled in over HTTP; what does not fit is named, and decides nothing', async () => {
    const asking = call('older:form')
    const { id, ...approval } = await asked()
    expect(approval).toMatchObject({
      question: {
        fields: [
          { name: 'name', type: 'text', isRequired: true, title: 'Full name', min: 2 },
          { name: 'age', type: 'integer', isRequired: true, min: 0, max: 150 },
          { name: 'seat', type: 'choice', default: 'w', choices: [{ value: 'w', title: 'Window' }, { value: 'a' }] },
          { name: 'meals', type: 'choices' },
        ],
      },
    })
    for (const [body, message] of [
      [{}, 'field "name" is required and was not given; give them as "answer", e.g. drawbridge approvals approve'],
      [{ answer: { name: 'Ada', age: 200 } }, 'field "age" is at most 150, got 200'],
      [{ answer: { name: 'Ada', age: 36, hat: 1 } }, 'there is no field "hat"'],
      [{ answer: 'Ada' }, 'answer is an object of the fields'],
    ] as const) {
      const refused = await decide(id, { decision: 'allow-once', ...body })
      expect([refused.status, refused.body.error.param]).toEqual([400, 'answer'])
      expect(refused.body.error.message).toContain(message)
    }
    const answer = { name: 'Ada', age: 36, meals: ['dinner'] }
    expect((await decide(id, { decision: 'allow-once', answer })).body.state).toBe('allowed-once')
    expect(JSON.parse((await asking).value)).toEqual({ action: 'accept', content: { ...answer, seat: 'w' } })
    expect((await gateway.api.get(`/v1/approvals/${id}`)).text).not.toContain('dinner"]')
  })

  test('is shown and filled in by command', async () => {
    const asking = call('newer:form')
    const { id } = await asked()
    const listed = await gateway.cli('approvals', 'list')
    expect(listed.stdout).toContain('MCP server "newer" asks for:')
    expect(listed.stdout).toContain('name: text from 2 characters, required')
    expect((await gateway.cli('approvals', 'approve', id, 'name=Ada Lovelace')).code).toBe(0)
    expect(JSON.parse((await asking).value)).toMatchObject({ content: { name: 'Ada Lovelace' } })
  })

  test('of a chat is filled in by a line of who may decide there, while the turn goes on', async () => {
    const made = await gateway.cli('tokens', 'create', 'ops', '--scopes', 'chat', '--channels', 'ops')
    const ops = createApiClient(gateway.url, made.stdout.trim())
    const from = (sender: string) => ({ 'x-drawbridge-channel': 'ops', 'x-drawbridge-sender': sender })
    const session = { 'x-drawbridge-session': 'trip' }
    upstream.script({ calls: [{ name: 'tool_call', args: { id: 'mcp:older:form', args: {} } }] }, { say: 'Booked.' })
    const turn = ops.chat('book it', {}, { ...from('guest'), ...session })
    const { id } = await asked()
    const line = async (sender: string, text: string): Promise<string> =>
      (await ops.chat(text, {}, { ...from(sender), ...session })).body.choices[0].message.content
    expect(await line('guest', `/approve ${id} name=Eve age=1`)).toMatch(/may not decide/)
    expect(await line('boss', `/approve ${id} name=Ada`)).toContain('field "age" is required')
    expect(await line('boss', `/approve ${id} name="Ada Lovelace" age=36 seat=Aisle`)).toContain('allowed-once')
    expect((await turn).body.choices[0].message.content).toBe('Booked.')
    const result = upstream.messages(2).at(-1).content
    for (const value of ['Ada Lovelace', '36', 'seat']) expect(result).toContain(value)
  })

  test('of a program takes no time of it', async () => {
    const run = gateway.api.run(`const said = await tools.call('mcp:older:confirm', {}); return said`)
    const { id } = await asked()
    await decide(id, { decision: 'allow-once' })
    expect(await run).toMatchObject({ status: 'completed', calls: [{ outcome: 'ok' }] })
  })

  test('ends with its caller, and nobody is left to be asked', async () => {
    const leave = new AbortController()
    const path = '/v1/tools/mcp%3Aolder%3Aconfirm/call'
    const asking = gateway.api.post(path, { args: {} }, { signal: leave.signal }).catch(() => 'left')
    const { id } = await asked()
    leave.abort()
    await asking
    const ended = await waitUntil('the question is taken back', async () => {
      const { body } = await gateway.api.get(`/v1/approvals/${id}`)
      return body.state !== 'pending' && body
    })
    expect(ended).toMatchObject({ state: 'cancelled', reason: 'the tool no longer waits for an answer' })
  })

  test('loses what is hidden in it, and is no form where a name hides something', async () => {
    const asking = call('older:hidden')
    const { id, ...approval } = await asked()
    expect(approval).toMatchObject({
      description: 'Delete the folder?\n\nReally',
      question: { fields: [{ title: 'Sure' }] },
    })
    await decide(id, { decision: 'deny' })
    await asking
    expect(JSON.parse((await call('older:hidden_name')).value)).toEqual({ action: 'decline' })
    expect(JSON.parse((await call('older:huge')).value)).toEqual({ action: 'decline' })
  })

  test('that comes after its call has ended is put before nobody', async () => {
    expect((await call('older:late')).outcome).toBe('ok')
    // It asks after a tenth of a second: on a pipe a call that is under way then would be the one that it may mean.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const heard = await waitUntil('the server has its answer', async () => {
      const { value } = await call('older:late_answer')
      return value !== '"nothing yet"' && value
    })
    expect(heard).toBe('"decline"')
    expect((await gateway.api.get('/v1/approvals?state=pending')).body.approvals).toEqual([])
  })
})

describe('an address', () => {
  test.each(['older', 'newer'])('is shown whole, and allowed without values (%s)', async (server) => {
    const asking = call(`${server}:link`)
    const { id, ...approval } = await asked()
    expect(approval).toMatchObject({
      description: 'Log in first',
      question: { kind: 'url', url: 'https://bank.example/login?step=1', host: 'bank.example' },
    })
    expect((await decide(id, { decision: 'allow-once', answer: { a: 1 } })).status).toBe(400)
    await decide(id, { decision: 'allow-once' })
    expect(JSON.parse((await asking).value)).toMatchObject({ action: 'accept' })
  })

  test('that a call needs first is asked for, and the call made again', async () => {
    const asking = call('older:gate')
    const { id, ...approval } = await asked()
    expect(approval).toMatchObject({ question: { kind: 'url', url: 'https://bank.example/gate' } })
    await decide(id, { decision: 'allow-once' })
    expect((await asking).value).toBe('"through the gate"')
  })

  test('that means another place than it looks like is declined at once', async () => {
    expect(JSON.parse((await call('older:trap')).value)).toEqual({ action: 'decline' })
  })
})

describe("an answer of a model that is not the caller's own", () => {
  test.each(['older', 'newer'])('is written by the agent’s model once a person has allowed it (%s)', async (server) => {
    upstream.script({ say: 'hello there' })
    const asking = call(`${server}:sample`)
    const { id, callId, ...approval } = await asked()
    expect(upstream.seen).toEqual([])
    expect(approval).toMatchObject({
      description: `MCP server "${server}" asks the model up/gpt-e2e to answer 1 messages in at most 5 tokens`,
      input: { messages: [{ role: 'user', text: 'say hello' }], maxTokens: 5 },
      question: { kind: 'sample', maxTokens: 5, model: 'up/gpt-e2e' },
    })
    await decide(id, { decision: 'allow-once' })
    expect(JSON.parse((await asking).value)).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'hello there' },
      model: 'gpt-e2e',
    })
    expect(upstream.seen[0]?.body).toMatchObject({
      model: 'gpt-e2e',
      messages: [{ role: 'user', content: 'say hello' }],
      max_tokens: 5,
    })
    const { receipts } = (await gateway.api.get('/v1/receipts?limit=200')).body
    const own = receipts.flatMap(({ receipt }: { receipt: { approval?: string } }) =>
      receipt.approval === id ? [receipt] : [],
    )
    expect(own).toMatchObject([
      { kind: 'decision', callId, state: 'allowed-once' },
      { requested: 'sampling/createMessage', toolId: `mcp:${server}:sample`, outcome: 'ok', effect: 'none' },
    ])
  })

  test('asks for no more than there may be', async () => {
    upstream.script({ say: 'much' })
    const asking = call('older:sample_much')
    const { id, ...approval } = await asked()
    expect(approval).toMatchObject({ question: { maxTokens: 4_096 } })
    await decide(id, { decision: 'deny' })
    expect((await asking).message).toContain('it was declined')
    expect((await call('older:sample_long')).message).toContain('it has 60 messages')
    expect(upstream.seen).toEqual([])
  })

  test('is not to be had without a model, nor where the configuration switches it off', async () => {
    const plain = await call('older:sample', { 'x-drawbridge-agent': 'plain' })
    expect(plain.message).toContain('no model is configured')
    expect((await call('silent:sample')).message).toContain('-32601')
  })
})

test('roots are absolute addresses, also of folders beside the configuration', async () => {
  const { roots } = JSON.parse((await call('older:roots')).value)
  expect(roots.map(({ uri }: { uri: string }) => uri)).toEqual([
    pathToFileURL(folder).href,
    pathToFileURL(path.join(gateway.folder, 'beside the file')).href,
  ])
})

test('the next start ends what a gateway held that was killed', async () => {
  void call('older:confirm').catch(() => undefined)
  const { id } = await asked()
  await gateway.kill()
  gateway = await startGateway({ folder: gateway.folder })
  const { body } = await gateway.api.get(`/v1/approvals/${id}`)
  expect(body).toMatchObject({ state: 'cancelled', reason: 'the gateway ended while this was pending' })
})
