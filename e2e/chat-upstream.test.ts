import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from './testing/api-client.ts'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream, USAGE } from './testing/fake-upstream.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

/** One gateway; what an agent is shown follows the global setting, which each group sets and waits for. */
let gateway: GatewayProcess
let upstream: FakeUpstream
let folder = ''

beforeAll(async () => {
  upstream = await startFakeUpstream()
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-marks-'))
  gateway = await startGateway({ config: configIn('code') })
})

afterAll(async () => {
  await gateway?.remove()
  await upstream?.close()
  await rm(folder, { recursive: true, force: true })
})

const configIn = (mode: string) => ({
  models: {
    default: 'fake/model-1',
    providers: {
      fake: {
        api: 'openai-chat',
        baseUrl: upstream.baseUrl,
        apiKey: 'upstream-key-123456',
        retries: 0,
        silenceMs: 1500,
      },
    },
  },
  agents: { helper: { instructions: 'Answer as the helper.' } },
  plugins: { paths: [path.join(FIXTURES, 'plugins')] },
  tools: { toolSearch: { mode } },
})

async function useMode(mode: string): Promise<void> {
  await gateway.writeConfig(configIn(mode))
  await waitUntil(`mode ${mode} is in force`, async () => (await gateway.api.get('/readyz')).body.mode.inForce === mode)
}

const client = (token: string = gateway.token) =>
  new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: token, maxRetries: 0 })
const code = (program: string) => ({ name: 'tool_search_code', args: { code: program } })
const lastMessage = (step: number) => upstream.messages(step).at(-1)

/** A tool of the client. */
const openTab = {
  type: 'function' as const,
  function: {
    name: 'open_tab',
    description: 'Opens a browser tab on the screen of the person.',
    parameters: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
  },
}
const ask = [{ role: 'user' as const, content: 'Do it' }]

describe('the endpoint', () => {
  test('sends the key, the model, the instructions and the parameters upstream, and the answer back', async () => {
    upstream.script({ say: 'Here you are.' })
    const answer = await client().chat.completions.create({
      model: 'drawbridge/helper',
      messages: ask,
      temperature: 0.3,
    })
    expect(answer).toMatchObject({
      object: 'chat.completion',
      model: 'drawbridge/helper',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Here you are.' } }],
      usage: USAGE,
    })
    const [request] = upstream.seen
    expect(request?.headers.authorization).toBe('Bearer upstream-key-123456')
    expect(request?.body).toMatchObject({ model: 'model-1', temperature: 0.3, stream: true })
    expect(upstream.toolNames(1)).toEqual(['tool_search_code'])
    expect(upstream.messages(1)[0].content).toContain('Answer as the helper.')
    expect(lastMessage(1)).toEqual({ role: 'user', content: 'Do it' })
  })

  test('streams deltas, one finish reason, the usage that was asked for, and [DONE]', async () => {
    upstream.script({ say: 'I look. ', calls: [code('return 6 * 7')] }, { say: 'It is forty-two, as ever.' })
    const body = { model: 'drawbridge', messages: ask, stream: true, stream_options: { include_usage: true } }
    const { headers, text } = await gateway.api.post('/v1/chat/completions', body)
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    const data = text
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: '))
      .map((frame) => frame.slice(6))
    expect(data.at(-1)).toBe('[DONE]')
    const chunks = data.slice(0, -1).map((line) => JSON.parse(line))
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '' })
    const said = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')
    expect(said).toBe('I look. \n\nIt is forty-two, as ever.')
    expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(['stop'])
    // The sum of both steps.
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 200, completion_tokens: 14, total_tokens: 214 },
    })
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1)
  })

  test('streams no usage to a client that did not ask', async () => {
    upstream.script({ say: 'ok' })
    const { text } = await gateway.api.post('/v1/chat/completions', {
      model: 'drawbridge',
      messages: ask,
      stream: true,
    })
    expect(text).not.toContain('"usage":{')
  })

  test('shows its own calls to a client that asks for them, and to no other', async () => {
    upstream.script({ calls: [code('return 1')] }, { say: 'ok' })
    const shown = await gateway.api.chat('Do it', {}, { 'x-drawbridge-events': 'calls' })
    expect(JSON.stringify(shown.body)).toContain('call-settled')
    upstream.script({ calls: [code('return 1')] }, { say: 'ok' })
    expect(JSON.stringify((await gateway.api.chat('Do it')).body)).not.toContain('call-settled')
  })

  test('gives every answer a request id of its own', async () => {
    upstream.script({ say: 'a' }, { say: 'b' })
    const ids = [await gateway.api.chat('a'), await gateway.api.chat('b'), await gateway.api.get('/v1/nothing')].map(
      ({ headers }) => headers.get('x-request-id'),
    )
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^req_/)
  })

  test('lists the agents as models', async () => {
    const { data } = await client().models.list()
    expect(data.map(({ id }) => id)).toEqual(['drawbridge', 'drawbridge/default', 'drawbridge/helper'])
    expect((await client().models.retrieve('drawbridge/helper')).id).toBe('drawbridge/helper')
  })
})

describe('what is refused', () => {
  const refusals = [
    { what: 'no token', headers: { authorization: '' }, status: 401, code: 'missing_token' },
    {
      what: 'a token that is not known',
      headers: { authorization: 'Bearer nobody' },
      status: 401,
      code: 'invalid_token',
    },
    { what: 'an agent that is not there', body: { model: 'drawbridge/nobody' }, code: 'unknown_agent' },
    { what: 'a model of the provider', body: { model: 'model-1' }, code: 'unknown_agent' },
    { what: 'an agent named like a built-in', body: { model: 'drawbridge/__proto__' }, code: 'unknown_agent' },
    { what: 'no messages', body: { messages: [] }, code: 'invalid_request' },
    {
      what: 'a role that is not there',
      body: { messages: [{ role: 'robot', content: 'x' }] },
      code: 'invalid_request',
    },
    { what: 'several answers', body: { n: 2 }, code: 'unsupported_parameter' },
    { what: 'functions of the old form', body: { functions: [] }, code: 'unsupported_parameter' },
    { what: 'two tools of one name', body: { tools: [openTab, openTab] }, code: 'invalid_request' },
    {
      what: 'a choice of a tool that is not there',
      body: { tool_choice: { type: 'function', function: { name: 'x' } } },
      code: 'invalid_request',
    },
    {
      what: "a tool named as the gateway's own",
      body: { tools: [{ type: 'function', function: { name: 'tool_search_code' } }] },
      code: 'invalid_request',
    },
    {
      what: 'a result without a call',
      body: { messages: [...ask, { role: 'tool', tool_call_id: 'x', content: '' }] },
      code: 'invalid_history',
    },
  ]

  test.each(refusals)('$what', async ({ body, headers, status = 400, code: errorCode }) => {
    upstream.script()
    for (const stream of [false, true]) {
      const asked = { model: 'drawbridge', messages: ask, stream, ...body }
      const answer = await gateway.api.post('/v1/chat/completions', asked, { headers: headers ?? {} })
      expect(answer.body).toEqual({ error: expect.objectContaining({ message: expect.any(String), code: errorCode }) })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    }
    expect(upstream.seen).toEqual([])
  })

  test('a body that is not JSON, and one of another type', async () => {
    const notJson = await gateway.api.post('/v1/chat/completions', '{"model": "drawbridge", ')
    expect([notJson.status, notJson.body.error.code]).toEqual([400, 'invalid_json'])
    const headers = { 'content-type': 'text/xml' }
    const xml = await gateway.api.post('/v1/chat/completions', '<a/>', { headers })
    expect([xml.status, xml.body.error.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('a token without the scope', async () => {
    const { chat } = JSON.parse(await readFile(path.join(gateway.stateDir, 'tokens'), 'utf8'))
    const answer = await fetch(`${gateway.url}/readyz`, { headers: { authorization: `Bearer ${chat}` } })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ error: { type: 'permission_error', code: 'forbidden' } })
    upstream.script({ say: 'ok' })
    expect((await client(chat).chat.completions.create({ model: 'drawbridge', messages: ask })).choices).toHaveLength(1)
  })
})

describe('what models do wrong', () => {
  test('a tool that is not there, and arguments that are not JSON, go back to the model, which goes on', async () => {
    upstream.script(
      {
        calls: [
          { name: 'send_mail', args: { to: 'x' } },
          { name: 'tool_search_code', args: '{"code": "return 1' },
        ],
      },
      { calls: [code('return "mended"')] },
      { say: 'Done.' },
    )
    const { status, body } = await gateway.api.chat('Do it')
    expect([status, body.choices[0].message.content]).toEqual([200, 'Done.'])
    const results = upstream.messages(2).filter((message: { role: string }) => message.role === 'tool')
    expect(results.map((message: { tool_call_id: string }) => message.tool_call_id)).toEqual(['up_1', 'up_2'])
    expect(results[0].content).toContain('there is no function')
    expect(results[1].content).toContain('not JSON')
    expect(lastMessage(3).content).toContain('mended')
  })

  test('several calls of one step run, and their results come back in the order of the calls', async () => {
    const slowFirst = code('await new Promise((r) => setTimeout(r, 200)); return "first"')
    upstream.script({ calls: [slowFirst, code('return "second"'), code('throw new Error("third")')] }, { say: 'ok' })
    await gateway.api.chat('Do it')
    const results = upstream.messages(2).slice(-3)
    for (const [index, word] of ['first', 'second', 'third'].entries()) {
      expect(results[index]).toMatchObject({
        role: 'tool',
        tool_call_id: `up_${index + 1}`,
        content: expect.stringContaining(word),
      })
    }
  })

  test('a model that goes in circles is stopped, with its way out said', async () => {
    upstream.script(...Array.from({ length: 30 }, (_, n) => ({ calls: [code(`return ${n}`)] })))
    const { status, body } = await gateway.api.chat('Do it')
    expect([status, body.error.code]).toEqual([502, 'step_limit'])
    expect(upstream.seen).toHaveLength(24)
  })

  test('a call that nests a hundred thousand levels deep costs itself only', async () => {
    const deep = '{"url":'.repeat(100_000) + '1' + '}'.repeat(100_000)
    upstream.script(
      { calls: [{ name: 'tool_search_code', args: deep }] },
      { calls: [{ name: 'open_tab', args: deep }] },
    )
    const { status, body } = await gateway.api.chat('Do it', { tools: [openTab], user: 'deep' })
    expect(lastMessage(2).content).toContain('with a JavaScript program as text')
    // The client's own tool: what its arguments may be is for the client to judge.
    expect([status, body.choices?.[0].finish_reason]).toEqual([200, 'tool_calls'])
  })
})

describe('what upstreams do wrong', () => {
  const failures = [
    [
      { status: 401, body: { error: { message: 'Incorrect API key provided: upstream-key-123456' } } },
      502,
      'upstream_key_refused',
    ],
    [
      { status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '7' } },
      429,
      'upstream_rate_limited',
    ],
    [{ status: 500, body: { error: { message: 'key upstream-key-123456 broke' } } }, 502, 'upstream_failed'],
    [{ status: 404, body: { error: { message: 'no such model' } } }, 502, 'upstream_model_not_found'],
    [
      { status: 400, body: { error: { message: 'too long', code: 'context_length_exceeded' } } },
      400,
      'context_length_exceeded',
    ],
    [{ raw: 'data: {"choices": [\n\n' }, 502, 'upstream_invalid_answer'],
    [{ raw: 'data: {"error":{"message":"overloaded","code":529}}\n\n' }, 502, 'upstream_failed'],
    [{ hang: '' }, 504, 'upstream_timeout'],
  ] as const

  test.each(failures)('%j', async (step, status, errorCode) => {
    for (const stream of [false, true]) {
      upstream.script(step)
      const answer = await gateway.api.post('/v1/chat/completions', { model: 'drawbridge', messages: ask, stream })
      expect([answer.status, answer.body.error.code]).toEqual([status, errorCode])
      expect(answer.body.error.message).toContain('"fake"')
      expect(answer.text).not.toContain('upstream-key-123456')
      expect(answer.headers.get('retry-after')).toBe(status === 429 ? '7' : null)
    }
  })

  test('an error after calls is not asked again by the client library, which would have them made twice', async () => {
    const retrying = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.token, maxRetries: 2, logLevel: 'off' })
    const turn = () => retrying.chat.completions.create({ model: 'drawbridge', messages: ask })
    upstream.script({ calls: [code('return "done"')] }, { status: 500 })
    await expect(turn()).rejects.toMatchObject({ status: 502, message: expect.stringContaining('tools were called') })
    expect(upstream.seen).toHaveLength(2)
    upstream.script({ status: 500 }, { say: 'Now it works.' })
    expect((await turn()).choices[0]?.message.content).toBe('Now it works.')
  })

  test('a slip of the model goes back to its server as JSON, since many refuse a history that is none', async () => {
    const slips = ['return 1 + 1', '{"code": "return 1', '', 'null']
    upstream.script({ calls: slips.map((args) => ({ name: 'tool_search_code', args })) }, { say: 'ok' })
    await gateway.api.chat('Do it')
    const message = upstream.messages(2).find(({ role }: { role: string }) => role === 'assistant')
    const sent = message.tool_calls.map((call: { function: { arguments: string } }) =>
      JSON.parse(call.function.arguments),
    )
    expect(sent).toEqual([{ code: 'return 1 + 1' }, { code: '{"code": "return 1' }, {}, {}])
  })

  test('an error after the first words is a frame of the stream, which ends without [DONE]', async () => {
    upstream.script({ hang: 'Once upon' })
    const { status, text } = await gateway.api.post('/v1/chat/completions', {
      model: 'drawbridge',
      messages: ask,
      stream: true,
    })
    expect(status).toBe(200)
    expect(text).toContain('Once upon')
    expect(text).toContain('"code":"upstream_timeout"')
    expect(text).not.toContain('[DONE]')
  })
})

describe('a client that leaves', () => {
  test('cancels the request upstream', async () => {
    upstream.script({ hang: 'Once' })
    const leaving = new AbortController()
    const body = { model: 'drawbridge', messages: ask, stream: true }
    const gone = gateway.api.post('/v1/chat/completions', body, { signal: leaving.signal }).catch(() => 'gone')
    const request = await waitUntil('the upstream was asked', () => upstream.seen[0])
    leaving.abort()
    expect(await gone).toBe('gone')
    await request.dropped
  })

  test.each(['code', 'tools', 'direct'] as const)('cancels the tool that runs, in %s mode', async (mode) => {
    await useMode(mode)
    const file = path.join(folder, `stopped-${mode}`)
    const args = { file }
    const calls = {
      code: code(`return await tools.call('plugin:probe:wait_for_stop', ${JSON.stringify(args)})`),
      tools: { name: 'tool_call', args: { id: 'plugin:probe:wait_for_stop', args } },
      direct: { name: 'probe__wait_for_stop', args },
    }
    upstream.script({ calls: [calls[mode]] }, { say: 'never said' })
    const leaving = new AbortController()
    const session = `leaving-${mode}`
    const options = { signal: leaving.signal, headers: { 'x-drawbridge-session': session } }
    const gone = gateway.api
      .post('/v1/chat/completions', { model: 'drawbridge', messages: ask }, options)
      .catch(() => 'gone')
    await waitUntil('the tool has started', () =>
      access(file).then(
        () => true,
        () => false,
      ),
    )
    leaving.abort()
    expect(await gone).toBe('gone')
    await waitUntil('the tool was stopped', async () => (await readFile(file, 'utf8')) === 'started\nstopped\n')
    expect(upstream.seen).toHaveLength(1)
    const log = await waitUntil('the turn has ended', async () => {
      const { status, text } = await gateway.api.get(`/v1/sessions/${session}/log`)
      return status === 200 && text.includes('turn-finished') && text
    })
    expect(log).toContain('"end":"cancelled"')
  })
})

describe("the client's own tools", () => {
  const url = 'https://example.org/'

  test('code mode shows them beside the code tool, and a call of either way goes out under its own name', async () => {
    await useMode('code')
    const program = `return await tools.call('client:client:open_tab', { url: '${url}' })`
    const out = {
      finish_reason: 'tool_calls',
      message: {
        tool_calls: [{ type: 'function', function: { name: 'open_tab', arguments: JSON.stringify({ url }) } }],
      },
    }
    for (const step of [code(program), { name: 'open_tab', args: { url } }]) {
      upstream.script({ calls: [step] })
      const { body } = await gateway.api.chat('Do it', { tools: [openTab] })
      expect(upstream.toolNames(1)).toEqual(['tool_search_code', 'open_tab'])
      expect(body.choices[0]).toMatchObject(out)
    }
  })

  test('tools mode finds and calls them, and the call goes out under its own name', async () => {
    await useMode('tools')
    upstream.script(
      { calls: [{ name: 'tool_search', args: { query: 'open a browser tab' } }] },
      { calls: [{ name: 'tool_call', args: { id: 'client:client:open_tab', args: { url } } }] },
    )
    const { body } = await gateway.api.chat('Do it', { tools: [openTab] })
    expect(upstream.toolNames(1)).toEqual(['tool_search', 'tool_describe', 'tool_call'])
    expect(lastMessage(2).content).toContain('client:client:open_tab')
    expect(body.choices[0].message.tool_calls[0].function).toEqual({
      name: 'open_tab',
      arguments: JSON.stringify({ url }),
    })
  })

  test.each(['code', 'tools', 'direct'] as const)(
    'in %s mode the turn goes on with the results, without a session',
    async (mode) => {
      await useMode(mode)
      const call =
        mode === 'tools'
          ? { name: 'tool_call', args: { id: 'client:client:open_tab', args: { url } } }
          : { name: 'open_tab', args: { url } }
      const own =
        mode === 'code'
          ? code('return "hidden work"')
          : {
              name: mode === 'direct' ? 'probe__echo' : 'tool_search',
              args: { text: 'hidden work', query: 'hidden work' },
            }
      upstream.script(
        { calls: [own] },
        { say: 'One moment.', calls: [call, { ...call, id: 'twice' }] },
        { say: 'It is open.' },
      )
      const first = await client().chat.completions.create({ model: 'drawbridge', messages: ask, tools: [openTab] })
      const [choice] = first.choices
      expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'One moment.' } })
      const calls = choice?.message.tool_calls ?? []
      expect(calls).toHaveLength(2)
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
      const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'opened' }))
      const messages = [...ask, ...(choice ? [choice.message] : []), ...results]
      const second = await client().chat.completions.create({ model: 'drawbridge', messages, tools: [openTab] })
      expect(second.choices[0]?.message.content).toBe('It is open.')
      // What the gateway had done before stands again in what the model sees, and each result after its call.
      const seen = upstream.messages(3)
      expect(JSON.stringify(seen)).toContain('hidden work')
      expect(seen.slice(-2).map((message: { content: string }) => message.content)).toEqual(['opened', 'opened'])
      const asked = seen
        .at(-3)
        .tool_calls.map((each: { id: string; function: { name: string } }) => [each.id, each.function.name])
      expect(asked).toEqual(calls.map(({ id }) => [id, call.name]))
    },
  )

  test('with a session the client sends the results alone', async () => {
    await useMode('code')
    upstream.script({ calls: [{ name: 'open_tab', args: { url } }] }, { say: 'It is open.' }, { say: 'Again.' })
    const headers = { 'x-drawbridge-session': 'tabs' }
    const first = await gateway.api.chat('Open it', { tools: [openTab] }, headers)
    const [{ id }] = first.body.choices[0].message.tool_calls
    const result = {
      model: 'drawbridge',
      messages: [{ role: 'tool', tool_call_id: id, content: 'opened' }],
      tools: [openTab],
    }
    const second = await gateway.api.post('/v1/chat/completions', result, { headers })
    expect(second.body.choices[0].message.content).toBe('It is open.')
    expect(upstream.messages(2).slice(-3)).toMatchObject([
      { role: 'user', content: 'Open it' },
      { role: 'assistant', tool_calls: [{ id }] },
      { role: 'tool', tool_call_id: id, content: 'opened' },
    ])
    expect((await gateway.api.get('/v1/sessions/tabs')).body.messages).toHaveLength(4)
  })

  test('are not known to another tenant that sends back their ids', async () => {
    await useMode('code')
    const made = await gateway.cli('tokens', 'create', 'stranger', '--tenant', 'strangers')
    upstream.script(
      { calls: [code('return "hidden work"')] },
      { calls: [{ name: 'open_tab', args: { url } }] },
      { say: 'ok' },
    )
    const { body } = await gateway.api.chat('Open it', { tools: [openTab] })
    const { message } = body.choices[0]
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'opened' }
    const stolen = { model: 'drawbridge', messages: [...ask, message, result], tools: [openTab] }
    const answer = await createApiClient(gateway.url, made.stdout.trim()).post('/v1/chat/completions', stolen)
    expect(answer.status).toBe(200)
    expect(JSON.stringify(upstream.messages(3))).not.toContain('hidden work')
  })

  test('that were called together are answered together', async () => {
    const two = [
      { name: 'open_tab', args: { url } },
      { name: 'open_tab', args: { url: `${url}two` } },
    ]
    upstream.script({ calls: two }, { say: 'never asked' })
    const { message } = (await gateway.api.chat('Open both', { tools: [openTab] })).body.choices[0]
    const [first] = message.tool_calls
    const result = { role: 'tool', tool_call_id: first.id, content: 'opened' }
    const body = { model: 'drawbridge', messages: [...ask, message, result], tools: [openTab] }
    const answer = await gateway.api.post('/v1/chat/completions', body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_history'])
    expect(answer.body.error.message).toContain(message.tool_calls[1].id)
    expect(upstream.seen).toHaveLength(1)
  })

  test('go out one at a time where the client forbade parallel calls, those of a program too', async () => {
    await useMode('code')
    const open = (n: number): string => `tools.call('client:client:open_tab', { url: '${url}${n}' })`
    upstream.script({ calls: [code(`return await Promise.all([${open(1)}, ${open(2)}])`)] }, { say: 'Both are open.' })
    let messages: readonly object[] = ask
    const asked: string[] = []
    for (;;) {
      const more = { messages, tools: [openTab], parallel_tool_calls: false }
      const { message } = (await gateway.api.post('/v1/chat/completions', { model: 'drawbridge', ...more })).body
        .choices[0]
      if (message.tool_calls === undefined) break
      asked.push(...message.tool_calls.map((call: { function: { arguments: string } }) => call.function.arguments))
      expect(message.tool_calls).toHaveLength(1)
      const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: `opened ${asked.length}` }
      messages = [...messages, message, result]
    }
    expect(asked.map((args) => JSON.parse(args))).toEqual([{ url: `${url}1` }, { url: `${url}2` }])
    expect(lastMessage(2).content).toContain('"value":["opened 1","opened 2"]')
  })

  test('a call with arguments that are not JSON never reaches the client', async () => {
    upstream.script({ calls: [{ name: 'open_tab', args: '{"url": ' }] }, { say: 'Sorry.' })
    const { body } = await gateway.api.chat('Do it', { tools: [openTab] })
    expect(body.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Sorry.' } })
  })

  test('stream as whole calls', async () => {
    upstream.script({ calls: [{ name: 'open_tab', args: { url } }] })
    const stream = client().chat.completions.stream({ model: 'drawbridge', messages: ask, tools: [openTab] })
    const final = await stream.finalChatCompletion()
    expect(final.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'open_tab', arguments: JSON.stringify({ url }) } }] },
    })
  })
})

describe('tool_choice', () => {
  const pinned = { type: 'function', function: { name: 'open_tab' } }

  test('none: the model gets no call through', async () => {
    upstream.script({ calls: [code('return 1')] }, { say: 'Then not.' })
    const { body } = await gateway.api.chat('Do it', { tool_choice: 'none' })
    expect(upstream.seen[0]?.body.tool_choice).toBe('none')
    expect(lastMessage(2).content).toContain('forbade')
    expect(body.choices[0].message.content).toBe('Then not.')
  })

  test('a pinned tool is asked for until it is called', async () => {
    upstream.script({ calls: [{ name: 'open_tab', args: { url: 'x' } }] })
    const { body } = await gateway.api.chat('Do it', { tools: [openTab], tool_choice: pinned })
    expect(upstream.seen[0]?.body.tool_choice).toEqual(pinned)
    expect(body.choices[0].finish_reason).toBe('tool_calls')
  })

  test('a choice that the model does not meet is an error, not a silent answer', async () => {
    for (const choice of ['required', pinned]) {
      upstream.script({ say: 'I would rather not.' })
      const { status, body } = await gateway.api.chat('Do it', { tools: [openTab], tool_choice: choice })
      expect([status, body.error.code]).toEqual([502, 'tool_choice_unmet'])
    }
  })
})

describe('sessions', () => {
  test('a session remembers, under the header or under user, and its log tells what happened', async () => {
    upstream.script(
      { say: 'Hello Ada.' },
      { calls: [code(`return await tools.call('echo', { text: 'Ada' })`)] },
      { say: 'You are Ada.' },
    )
    await gateway.api.chat('I am Ada', {}, { 'x-drawbridge-session': 'memory' })
    await gateway.api.chat('Who am I?', { user: 'memory' })
    expect(upstream.messages(2).slice(-3)).toMatchObject([
      { content: 'I am Ada' },
      { content: 'Hello Ada.' },
      { content: 'Who am I?' },
    ])
    const { text } = await gateway.api.get('/v1/sessions/memory/log')
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.findLast(({ event }) => event === 'turn-started')).toMatchObject({
      mode: 'code',
      toolsDeclared: 1,
      toolsBytes: expect.any(Number),
      directTools: expect.any(Number),
      directBytes: expect.any(Number),
    })
    expect(events.at(-1)).toMatchObject({
      event: 'turn-finished',
      end: 'stop',
      steps: 2,
      searches: 0,
      describes: 0,
      calls: 1,
      finalTool: 'plugin:probe:echo',
      finalSource: 'plugin',
    })
  })

  test('turns of one session wait for each other, so that none is lost and none interleaves', async () => {
    const slow = code('await new Promise((r) => setTimeout(r, 300)); return "slow"')
    upstream.script({ calls: [slow] }, { say: 'first' }, { say: 'second' })
    const headers = { 'x-drawbridge-session': 'both-at-once' }
    const first = gateway.api.chat('one', {}, headers)
    await waitUntil('the first turn is under way', () => upstream.seen.length > 0)
    const answers = await Promise.all([first, gateway.api.chat('two', {}, headers)])
    expect(answers.map(({ body }) => body.choices[0].message.content)).toEqual(['first', 'second'])
    const { body } = await gateway.api.get('/v1/sessions/both-at-once')
    const spoken = body.messages.filter(
      ({ role, content }: { role: string; content: unknown }) => role !== 'tool' && content !== null,
    )
    expect(spoken.map(({ content }: { content: string }) => content)).toEqual(['one', 'first', 'two', 'second'])
  })

  test('a turn that fails at its first step leaves nothing in the session', async () => {
    upstream.script({ status: 500 })
    expect((await gateway.api.chat('lost?', {}, { 'x-drawbridge-session': 'failing' })).status).toBe(502)
    expect((await gateway.api.get('/v1/sessions/failing')).status).toBe(404)
  })
})
