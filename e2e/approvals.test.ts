import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiClient } from './testing/api-client.ts'
import { createApiClient } from './testing/api-client.ts'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let upstream: FakeUpstream
let gateway: GatewayProcess
/** Holds calls for 20 s, and shows models the `tools` mode. */
let patient: GatewayProcess
let count = 0

/** Marks have to be asked about, echoes have not. `holdMs` as a test wants it. */
function config(holdMs: number, mode = 'code'): object {
  return {
    approvals: { holdMs, chat: { senders: ['channel:ops:boss'] } },
    plugins: { paths: [path.join(FIXTURES, 'plugins')] },
    tools: {
      toolSearch: { mode },
      rules: [{ tool: 'plugin:probe:mark', effect: 'ask', reason: 'marks are for ever' }],
    },
    models: {
      default: 'fake/fake',
      providers: { fake: { api: 'openai-chat', baseUrl: upstream.baseUrl, apiKey: 'none', models: {} } },
    },
  }
}

beforeAll(async () => {
  upstream = await startFakeUpstream()
  ;[gateway, patient] = await Promise.all([
    startGateway({ config: config(0) }),
    startGateway({ config: config(20_000, 'tools') }),
  ])
})
afterAll(async () => {
  await Promise.all([gateway?.remove(), patient?.remove()])
  await upstream?.close()
})
beforeEach(() => {
  count += 1
})

const markFile = (): string => path.join(gateway.folder, `marks-${count}`)
const marks = async (file = markFile()): Promise<readonly string[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
const markCall = (line: string, file = markFile()): string =>
  `tools.call('plugin:probe:mark', ${JSON.stringify({ file, line })})`

interface PendingApproval {
  readonly approval: string
}

async function decide(api: ApiClient, pending: readonly PendingApproval[], decision: string): Promise<void> {
  for (const { approval } of pending) {
    const answer = await api.post(`/v1/approvals/${approval}/decision`, { decision, reason: 'as a test' })
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  }
}

const ended = (id: string, api = gateway.api) =>
  waitUntil(`run ${id} has ended`, async () => {
    const { body } = await api.get(`/v1/runs/${id}`)
    return body.status !== 'waiting' && body
  })

describe('a run', () => {
  test('that waits is answered with what it waits for, and goes on when that is allowed', async () => {
    const run = await gateway.api.run(
      `const [a, b] = await Promise.all([${markCall('one')}, ${markCall('two')}]); return [a, b]`,
    )
    expect(run).toMatchObject({
      status: 'waiting',
      pending: [
        { tool: 'plugin:probe:mark', callId: `${run.id}/1` },
        { tool: 'plugin:probe:mark', callId: `${run.id}/2` },
      ],
    })
    expect(await marks()).toEqual([])
    await decide(gateway.api, run.pending, 'allow-once')
    expect(await ended(run.id)).toMatchObject({ status: 'completed', value: ['marked', 'marked'] })
    expect((await marks()).toSorted()).toEqual(['one', 'two'])
  })

  test('that is denied tells the program, and its call is not made', async () => {
    const run = await gateway.api.run(`return await ${markCall('no')}.catch((e) => [e.code, e.effect, e.message])`)
    await decide(gateway.api, run.pending, 'deny')
    expect(await ended(run.id)).toMatchObject({
      value: ['rejected', 'none', expect.stringMatching(/denied by .*: as a test/)],
    })
    expect(await marks()).toEqual([])
  })

  test('is cancelled with its approvals, and another tenant can do neither', async () => {
    const run = await gateway.api.run(`return await ${markCall('no')}`)
    const [{ approval }] = run.pending
    const made = await gateway.cli('tokens', 'create', 'stranger', '--tenant', 'strangers')
    const stranger = createApiClient(gateway.url, made.stdout.trim())
    expect((await stranger.post(`/v1/runs/${run.id}/cancel`, {})).status).toBe(404)
    expect((await gateway.api.post(`/v1/runs/${run.id}/cancel`, {})).body).toMatchObject({
      status: 'failed',
      error: { code: 'cancelled' },
    })
    expect((await gateway.api.get(`/v1/approvals/${approval}`)).body).toMatchObject({ state: 'cancelled' })
    expect(await marks()).toEqual([])
  })

  test('gives the client a call of its own tool, and goes on with the result', async () => {
    const tools = [{ type: 'function', function: { name: 'open_tab', parameters: { type: 'object' } } }]
    const run = await gateway.api.run(`return 'opened ' + await tools.call('open_tab', { url: 'x' })`, { tools })
    expect(run).toMatchObject({ status: 'waiting', pending: [{ name: 'open_tab', args: { url: 'x' } }] })
    const [{ clientCall: callId }] = run.pending
    const wrong = await gateway.api.post(`/v1/runs/${run.id}/results`, { callId: 'call_made_up', content: 'x' })
    expect(wrong.status).toBe(409)
    // Of two that come at once one is taken.
    const bring = () => gateway.api.post(`/v1/runs/${run.id}/results`, { callId, content: 'tab 7' })
    const answers = (await Promise.all([bring(), bring()])).toSorted((a, b) => a.status - b.status)
    expect(answers.map(({ status }) => status)).toEqual([200, 409])
    expect(answers[0]?.body).toMatchObject({ id: run.id, status: 'completed', value: 'opened tab 7' })
    expect((await gateway.api.post(`/v1/runs/${run.id}/results`, { callId, content: 'tab 8' })).status).toBe(409)
  })
})

describe('a call over HTTP', () => {
  test('is answered 202, made when it is allowed, and its end can be read', async () => {
    const call = await gateway.api.call('plugin:probe:mark', { file: markFile(), line: 'direct' })
    expect([call.status, call.body]).toEqual([202, expect.objectContaining({ outcome: 'waiting', effect: 'none' })])
    expect(await marks()).toEqual([])
    await decide(gateway.api, call.body.pending, 'allow-once')
    const { callId, receipt } = call.body
    const end = await waitUntil('the call has ended', async () => {
      const { body } = await gateway.api.get(`/v1/calls/${callId}`)
      return body.outcome === 'ok' && body
    })
    expect(end).toMatchObject({ outcome: 'ok', value: 'marked', receipt })
    expect(await marks()).toEqual(['direct'])
  })
})

test('what waits is kept whole and sealed: no credential in an input lies in the open', async () => {
  const secret = `sk-proj-${'a1B2c3D4'.repeat(5)}`
  const call = await gateway.api.call('plugin:probe:mark', { file: markFile(), line: secret })
  const run = await gateway.api.run(`return await ${markCall(secret)}`)
  expect([call.status, run.status]).toEqual([202, 'waiting'])
  const files = await readdir(gateway.stateDir, { recursive: true, withFileTypes: true })
  const open = files.filter((file) => file.isFile()).map((file) => path.join(file.parentPath, file.name))
  expect(open.some((file) => file.endsWith('drawbridge.db'))).toBe(true)
  for (const file of open) expect([file, (await readFile(file)).includes(secret)]).toEqual([file, false])
  await decide(gateway.api, [...call.body.pending, ...run.pending], 'allow-once')
  await ended(run.id)
  await waitUntil('both are made', async () => (await marks()).length === 2)
  expect(await marks()).toEqual([secret, secret])
})

describe('a gateway that is killed', () => {
  test('while a run is parked goes on with it after the decision, with nothing done twice', async () => {
    const folder = gateway.folder
    const echo = "await tools.call('plugin:probe:echo', { text: 'x' })"
    const run = await gateway.api.run(
      `const a = (${echo}).text; await ${markCall('first')}; const b = (${echo}).text; await ${markCall('second')}; return a + b`,
    )
    await gateway.kill()
    gateway = await startGateway({ folder })
    expect((await gateway.api.get(`/v1/runs/${run.id}`)).body.status).toBe('waiting')
    await decide(gateway.api, run.pending, 'allow-once')
    const second = await waitUntil('it waits for its second call', async () => {
      const { body } = await gateway.api.get(`/v1/runs/${run.id}`)
      return body.pending?.[0]?.callId === `${run.id}/4` && body
    })
    await gateway.kill()
    gateway = await startGateway({ folder })
    await decide(gateway.api, second.pending, 'allow-once')
    expect(await ended(run.id)).toMatchObject({ status: 'completed', value: 'xx' })
    expect(await marks()).toEqual(['first', 'second'])
  })
})

describe('a turn', () => {
  const program = (code: string) => ({ calls: [{ name: 'tool_search_code', args: { code } }] })
  const session = () => ({ 'x-drawbridge-session': `session-${count}` })
  const messagesOf = async (): Promise<readonly { readonly role: string; readonly content: string }[]> =>
    (await gateway.api.get(`/v1/sessions/session-${count}`)).body.messages

  test('parks with a message that says what awaits whom, and its finished answer is in the session', async () => {
    upstream.script(program(`return await ${markCall('chat')}`), { say: 'It is marked.' })
    const { status, body } = await gateway.api.chat('mark it', {}, session())
    expect(status).toBe(200)
    const [choice] = body.choices
    const [pending] = body.drawbridge.pending
    expect(choice.finish_reason).toBe('stop')
    expect(choice.message.content).toContain(`/v1/approvals/${pending.approval}`)
    expect(await marks()).toEqual([])
    expect((await messagesOf()).map(({ role }) => role)).toEqual(['user', 'assistant'])
    await decide(gateway.api, [pending], 'allow-once')
    const messages = await waitUntil('the answer is there', async () => {
      const found = await messagesOf()
      return found.at(-1)?.content === 'It is marked.' && found
    })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'tool', 'assistant'])
    expect(await marks()).toEqual(['chat'])
    expect((await gateway.api.get(`/v1/turns/${body.drawbridge.turn}`)).body).toMatchObject({
      status: 'completed',
      answer: 'It is marked.',
    })
    // The model saw its own call with its result, and no note of ours.
    expect(upstream.messages(2).map(({ role }: { role: string }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ])
  })

  test('goes on by a line in the chat of who may decide, and others are answered meanwhile', async () => {
    upstream.script(
      program(`return await ${markCall('line')}`),
      { say: 'Still waiting.' },
      { say: 'Marked by the boss.' },
    )
    const { body } = await gateway.api.chat('mark it', {}, session())
    const [{ approval }] = body.drawbridge.pending
    const made = await gateway.cli('tokens', 'create', `ops-${count}`, '--scopes', 'chat', '--channels', 'ops')
    const ops = createApiClient(gateway.url, made.stdout.trim())
    const from = (sender: string) => ({ ...session(), 'x-drawbridge-channel': 'ops', 'x-drawbridge-sender': sender })
    const meanwhile = await ops.chat('and?', {}, from('guest'))
    expect(meanwhile.body.choices[0].message.content).toBe('Still waiting.')
    const line = `/approve ${approval} allow-once`
    expect((await ops.chat(line, {}, from('guest'))).body.choices[0].message.content).toMatch(/may not decide/)
    expect(await marks()).toEqual([])
    expect((await ops.chat(line, {}, from('boss'))).body.choices[0].message.content).toContain('allowed-once')
    const messages = await waitUntil('the answer is there', async () => {
      const found = await messagesOf()
      return found.at(-1)?.content === 'Marked by the boss.' && found
    })
    expect(messages.map(({ content }) => content)).toContain('Still waiting.')
    expect(await marks()).toEqual(['line'])
    const { body: row } = await gateway.api.get(`/v1/approvals/${approval}`)
    expect(row).toMatchObject({ state: 'allowed-once', decidedBy: 'chat:ops:boss' })
  })

  test('streams the same in its last chunk', async () => {
    upstream.script(program(`return await ${markCall('stream')}`), { say: 'Done.' })
    const { text: stream } = await gateway.api.chat('mark it', { stream: true }, session())
    const chunks = stream
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: {'))
      .map((frame) => JSON.parse(frame.slice('data: '.length)))
    expect(stream).toContain(': waiting </v1/approvals/apr_')
    const last = chunks.findLast((chunk) => chunk.choices.length > 0)
    expect(last).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      drawbridge: { pending: [{ tool: 'plugin:probe:mark' }] },
    })
    await decide(gateway.api, last.drawbridge.pending, 'deny')
    await waitUntil('the answer is there', async () => (await messagesOf()).at(-1)?.content === 'Done.')
    expect(await marks()).toEqual([])
  })

  test('of a stateless client goes on after a kill, and its answer is kept under its id', async () => {
    upstream.script(program(`return await ${markCall('kept')}`), { say: 'Marked at last.' })
    const { body } = await gateway.api.chat('mark it')
    const { turn, pending } = body.drawbridge
    const { folder } = gateway
    await gateway.kill()
    gateway = await startGateway({ folder })
    expect((await gateway.api.get(`/v1/turns/${turn}`)).body).toMatchObject({ status: 'waiting', pending })
    await decide(gateway.api, pending, 'allow-once')
    const end = await waitUntil('the turn has ended', async () => {
      const answer = await gateway.api.get(`/v1/turns/${turn}`)
      return answer.body.status !== 'waiting' && answer.body
    })
    expect(end).toMatchObject({ status: 'completed', answer: 'Marked at last.' })
    expect(await marks()).toEqual(['kept'])
  })

  test('is cancelled with its approvals', async () => {
    upstream.script(program(`return await ${markCall('no')}`))
    const { body } = await gateway.api.chat('mark it')
    const { turn, pending } = body.drawbridge
    expect((await gateway.api.post(`/v1/turns/${turn}/cancel`, {})).body).toMatchObject({ status: 'failed' })
    const approval = await gateway.api.get(`/v1/approvals/${pending[0].approval}`)
    expect(approval.body.state).toBe('cancelled')
    expect(await marks()).toEqual([])
  })

  describe('whose program calls a tool of the client', () => {
    const tools = [{ type: 'function', function: { name: 'open_tab', parameters: { type: 'object' } } }]
    const code = `return 'opened ' + await tools.call('open_tab', { url: 'x' })`

    test.each(['with a session', 'without one'])('is given the call and goes on with its result, %s', async (how) => {
      const headers = how === 'with a session' ? session() : {}
      upstream.script(program(code), { say: 'Opened.' }, { say: 'You are welcome.' })
      const asked = { role: 'user', content: 'open it' }
      const first = await gateway.api.chat('open it', { tools }, headers)
      const [choice] = first.body.choices
      const [call] = choice.message.tool_calls
      expect(choice.finish_reason).toBe('tool_calls')
      expect(call).toMatchObject({
        id: expect.stringMatching(/^call_[0-9a-f]{24}_\d+$/),
        function: { name: 'open_tab', arguments: '{"url":"x"}' },
      })
      const result = { role: 'tool', tool_call_id: call.id, content: 'tab 7' }
      const messages = [asked, choice.message, result]
      const second = await gateway.api.post(
        '/v1/chat/completions',
        { model: 'drawbridge', messages, tools },
        { headers },
      )
      expect(second.body.choices?.[0]?.message.content).toBe('Opened.')
      expect(upstream.messages(2).at(-1)).toMatchObject({
        role: 'tool',
        content: expect.stringContaining('opened tab 7'),
      })
      const third = await gateway.api.post(
        '/v1/chat/completions',
        {
          model: 'drawbridge',
          messages: [...messages, second.body.choices[0].message, { role: 'user', content: 'thanks' }],
          tools,
        },
        { headers },
      )
      expect(third.body.choices?.[0]?.message.content).toBe('You are welcome.')
      expect(upstream.messages(3).map(({ role }: { role: string }) => role)).toEqual([
        'system',
        'user',
        'assistant',
        'tool',
        'assistant',
        'user',
      ])
    })
  })
})

test('a program that calls tools of the client one after the other is one call to its model, however often it was parked', async () => {
  const tools = [{ type: 'function', function: { name: 'open_tab', parameters: { type: 'object' } } }]
  const code = `const a = await tools.call('open_tab', { n: 1 }); return a + await tools.call('open_tab', { n: 2 })`
  upstream.script({ calls: [{ name: 'tool_search_code', args: { code } }] }, { say: 'Both.' }, { say: 'Bye.' })
  const messages: object[] = [{ role: 'user', content: 'open two' }]
  const send = async () => {
    const { body } = await gateway.api.post('/v1/chat/completions', { model: 'drawbridge', messages, tools })
    const [{ message }] = body.choices
    messages.push(message)
    return message
  }
  for (const n of [1, 2]) {
    const { tool_calls: calls } = await send()
    expect(calls[0].function.arguments).toBe(JSON.stringify({ n }))
    const result = { role: 'tool', tool_call_id: calls[0].id, content: `tab ${n};` }
    messages.push(result)
  }
  expect((await send()).content).toBe('Both.')
  expect(upstream.messages(2).at(-1).content).toContain('tab 1;tab 2;')
  messages.push({ role: 'user', content: 'thanks' })
  expect((await send()).content).toBe('Bye.')
  const roles = upstream.messages(3).map(({ role }: { readonly role: string }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
})

describe('a call that is held', () => {
  const asked = (): Promise<string> =>
    waitUntil('it is asked about', async () => {
      const { body } = await patient.api.get('/v1/approvals?state=pending')
      return body.approvals[0]?.id
    })
  const mark = (line: string) => ({
    name: 'tool_call',
    args: { id: 'plugin:probe:mark', args: { file: markFile(), line } },
  })

  test('of a program is made as soon as it is allowed, in the same answer', async () => {
    const running = patient.api.run(`return await ${markCall('held')}`)
    await decide(patient.api, [{ approval: await asked() }], 'allow-once')
    expect(await running).toMatchObject({ status: 'completed', value: 'marked' })
    expect(await marks()).toEqual(['held'])
  })

  test('of a program is parked when its client leaves', async () => {
    const id = `run_leaving_${process.pid}`
    const leaving = new AbortController()
    const body = { id, code: `return await ${markCall('left')}` }
    const gone = patient.api.post('/v1/runs', body, { signal: leaving.signal }).catch(() => 'gone')
    const approval = await asked()
    leaving.abort()
    expect(await gone).toBe('gone')
    await waitUntil('it is parked', async () => (await patient.api.get(`/v1/runs/${id}`)).body.status === 'waiting')
    await decide(patient.api, [{ approval }], 'allow-once')
    expect(await ended(id, patient.api)).toMatchObject({ value: 'marked' })
  })

  test('of a model is made in the same answer, whose head says that it waited', async () => {
    upstream.script({ calls: [mark('model')] }, { say: 'Marked.' })
    const answer = patient.api.chat('mark it')
    const approval = await asked()
    await decide(patient.api, [{ approval }], 'allow-once')
    const { headers, body } = await answer
    expect(body.choices[0].message.content).toBe('Marked.')
    expect([headers.get('x-drawbridge-wait'), headers.get('link')]).toEqual([
      'approval',
      `</v1/approvals/${approval}>; rel=monitor`,
    ])
    expect(await marks()).toEqual(['model'])
  })

  test('of a model is parked when its client leaves, and the turn goes on without it', async () => {
    upstream.script({ calls: [mark('later'), { ...mark('later too'), id: 'up_2' }] }, { say: 'Both marked.' })
    const leaving = new AbortController()
    const messages = [{ role: 'user', content: 'mark twice' }]
    const headers = { 'x-drawbridge-session': 'leaving' }
    const gone = patient.api
      .post('/v1/chat/completions', { model: 'drawbridge', messages }, { signal: leaving.signal, headers })
      .catch(() => 'gone')
    await asked()
    const list = await waitUntil('both are asked about', async () => {
      const { body } = await patient.api.get('/v1/approvals?state=pending')
      return body.approvals.length === 2 && body.approvals
    })
    leaving.abort()
    expect(await gone).toBe('gone')
    const session = async () => (await patient.api.get('/v1/sessions/leaving')).body.messages ?? []
    await waitUntil('it is parked', async () => (await session()).length > 0)
    // Decided one by one: the first is made at once.
    await decide(patient.api, [{ approval: list[0].id }], 'allow-once')
    await waitUntil('the first is made', async () => (await marks()).length === 1)
    await decide(patient.api, [{ approval: list[1].id }], 'allow-once')
    await waitUntil('the answer is there', async () => (await session()).at(-1)?.content === 'Both marked.')
    expect((await marks()).toSorted()).toEqual(['later', 'later too'])
  })

  test('by a hook of a plugin is asked about with its words, over an input that nothing changes any more', async () => {
    const refund = patient.api.call('plugin:probe:refund_order', { order: 1_000 })
    const id = await asked()
    const { body: approval } = await patient.api.get(`/v1/approvals/${id}`)
    expect(approval).toMatchObject({
      title: 'Refund order 1000?',
      severity: 'critical',
      input: { order: 1_000 },
      cause: { by: 'hook', where: 'probe' },
    })
    await decide(patient.api, [{ approval: id }], 'allow-once')
    expect((await refund).body).toMatchObject({ outcome: 'ok', value: { refunded: 1_000 } })
  })

  test('is parked when the gateway stops, and made after the next start', async () => {
    const id = `run_stopping_${process.pid}`
    const running = patient.api.post('/v1/runs', { id, code: `return await ${markCall('after')}` })
    const approval = await asked()
    const stopped = patient.stop()
    expect((await running).body).toMatchObject({ status: 'waiting', pending: [{ approval }] })
    expect(await stopped).toBe(0)
    patient = await startGateway({ folder: patient.folder })
    await decide(patient.api, [{ approval }], 'allow-once')
    expect(await ended(id, patient.api)).toMatchObject({ value: 'marked' })
    expect(await marks()).toEqual(['after'])
  })
})
