import type { IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { APIError } from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import type { ModelEvent } from '../../providers/provider.ts'
import { ProviderError } from '../../providers/provider.ts'
import type { FakeStep } from '../../turn/fixtures/turn-makers.ts'
import { aCall, aModel, aPresentation, aResult, aTool, calls, says } from '../../turn/fixtures/turn-makers.ts'
import type { ChatApp } from './fixtures/chat-app.ts'
import { aChatApp } from './fixtures/chat-app.ts'

const opened: ChatApp[] = []
afterEach(async () => {
  for (const { app } of opened.splice(0)) {
    app.server.closeAllConnections()
    await app.close()
  }
})

const openTab = { type: 'function', function: { name: 'open_tab', parameters: { type: 'object' } } } as const
const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12 }
const messages = [{ role: 'user', content: 'hi' }] as const
const body = { model: 'drawbridge', messages: [...messages] }

describe('an answer', () => {
  test('whole: content, finish reason, summed usage, the request id', async () => {
    const model = aModel(calls(aCall('a', 'one')), says('Hi there', usage))
    const { client } = start({ provider: model })
    const { data, request_id: requestId } = await (await client()).chat.completions.create(body).withResponse()
    expect(data).toMatchObject({
      object: 'chat.completion',
      model: 'drawbridge',
      created: 1_700_000_000,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    })
    // A server-side call never reaches the client.
    expect(data.choices[0]?.message.tool_calls).toBeUndefined()
    expect(requestId).toMatch(/^req-/)
  })

  test('streamed: role, deltas, one finish reason, usage when asked, [DONE]', async () => {
    const model = aModel(calls(aCall('a', 'one')), [
      { kind: 'text', text: 'Hi ' },
      { kind: 'text', text: 'there' },
      { kind: 'finish', reason: 'stop', usage },
    ])
    const { app } = start({ provider: model })
    const payload = { ...body, stream: true, stream_options: { include_usage: true } }
    const response = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload })
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(response.headers['x-request-id']).toMatch(/^req-/)
    const frames = framesOf(response.body)
    expect(frames.at(-1)).toBe('[DONE]')
    const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame))
    expect(chunks.map((chunk) => chunk.choices[0]?.delta ?? chunk.usage)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Hi ' },
      { content: 'there' },
      {},
      { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    ])
    expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toEqual([null, null, null, 'stop', undefined])
    expect(new Set(chunks.map((chunk) => `${chunk.id} ${chunk.object}`)).size).toBe(1)
  })

  test('usage is not sent in a stream that did not ask, and text with line feeds stays one frame', async () => {
    const { app } = start({ provider: aModel(says('a\nb\r\n\nc', usage)) })
    const response = await app.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      payload: { ...body, stream: true },
    })
    const chunks = framesOf(response.body)
      .slice(0, -1)
      .map((frame) => JSON.parse(frame))
    expect(chunks.map((chunk) => chunk.usage)).toEqual([undefined, undefined, undefined])
    expect(chunks[1].choices[0].delta.content).toBe('a\nb\r\n\nc')
  })

  test('client tools are found, called by the client, and the turn goes on: the openai client in both forms', async () => {
    const presentation = aPresentation({
      tools: [aTool('open_tab')],
      handle: (call) => ({ kind: 'client-call', name: call.name, arguments: { url: 'x' } }),
    })
    const model = aModel(
      calls(aCall('a', 'open_tab', '{"url":"x"}')),
      says('Opened.'),
      calls(aCall('a', 'open_tab', '{"url":"x"}')),
    )
    const { client, openings } = start({ provider: model, presentation })
    const openai = await client()
    const first = await openai.chat.completions.create({ ...body, tools: [openTab] })
    const message = first.choices[0]?.message
    const call = message?.tool_calls?.[0]
    expect(first.choices[0]?.finish_reason).toBe('tool_calls')
    expect(message?.content).toBeNull()
    expect(call).toMatchObject({ type: 'function', function: { name: 'open_tab', arguments: '{"url":"x"}' } })
    expect(openings[0]?.clientTools).toEqual([{ name: 'open_tab', description: '', inputSchema: { type: 'object' } }])
    if (!message || !call) throw new TypeError('no call came')
    const result = { role: 'tool', tool_call_id: call.id, content: '' } as const
    const second = await openai.chat.completions.create({
      ...body,
      messages: [...messages, message, result],
      tools: [openTab],
    })
    expect(second.choices[0]?.message.content).toBe('Opened.')
    const stream = openai.chat.completions.stream({ ...body, tools: [openTab] })
    const streamed = await stream.finalChatCompletion()
    expect(streamed.choices[0]?.finish_reason).toBe('tool_calls')
    expect(streamed.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      type: 'function',
      function: { name: 'open_tab', arguments: '{"url":"x"}' },
    })
  })

  test('a name that begins with a digit is one, as for the providers', async () => {
    const model = aModel(calls(aCall('a', '2fa_code')), says('ok'))
    const presentation = aPresentation({
      handle: (call) => ({ kind: 'client-call', name: call.name, arguments: {} }),
    })
    const { client, openings } = start({ provider: model, presentation })
    const named = { type: 'function', function: { name: '2fa_code' } } as const
    const { choices } = await (await client()).chat.completions.create({ ...body, tools: [named] })
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: '2fa_code' } })
    expect(openings[0]?.clientTools[0]?.name).toBe('2fa_code')
  })

  test('server-side calls are shown to a client that asks for them, in both forms', async () => {
    const model = aModel(calls(aCall('a', 'one')), says('ok'), calls(aCall('a', 'one')), says('ok'))
    const { app } = start({ provider: model })
    const headers = { 'x-drawbridge-events': 'calls' }
    const whole = await app.inject({ method: 'POST', url: '/v1/chat/completions', headers, payload: body })
    const shown = [
      { event: 'call-started', step: 1, callId: 'a', name: 'one' },
      { event: 'call-settled', step: 1, callId: 'a', name: 'one', isError: false, ms: expect.any(Number) },
    ]
    expect(whole.json().drawbridge.events).toEqual(shown)
    const payload = { ...body, stream: true }
    const streamed = await app.inject({ method: 'POST', url: '/v1/chat/completions', headers, payload })
    const chunks = framesOf(streamed.body)
      .slice(0, -1)
      .map((frame) => JSON.parse(frame))
    expect(chunks.flatMap((chunk) => chunk.drawbridge ?? [])).toEqual(shown)
    expect(chunks.filter((chunk) => chunk.choices[0]?.finish_reason === 'tool_calls')).toEqual([])
  })

  test('a silent stream gets its head and comments, and the answer after them', async () => {
    const release = Promise.withResolvers<void>()
    const model = aModel(async function* () {
      await release.promise
      yield* says('late')
    })
    const { url } = start({ provider: model }, { heartbeatMs: 10, headDelayMs: 10 })
    const response = await post(await url(), { ...body, stream: true })
    let text = ''
    for await (const part of response) {
      text += part
      if (text.split(': heartbeat\n\n').length > 2) release.resolve()
    }
    expect(framesOf(text).at(-1)).toBe('[DONE]')
    expect(text).toContain('"content":"late"')
  })

  test('a reader that is slow loses nothing', async () => {
    const part = 'x'.repeat(64 * 1024)
    const many = Array.from({ length: 100 }, () => ({ kind: 'text' as const, text: part }))
    const { url } = start({ provider: aModel([...many, { kind: 'finish', reason: 'stop' }]) })
    const response = await post(await url(), { ...body, stream: true })
    let bytes = 0
    for await (const chunk of response) {
      bytes += chunk.length
      await new Promise(setImmediate)
    }
    expect(bytes).toBeGreaterThan(100 * part.length)
  })
})

describe('who and where', () => {
  test('model names the agent, and an unknown one is refused with those that exist', async () => {
    const { client, openings } = start({})
    const openai = await client()
    await openai.chat.completions.create({ ...body, model: 'drawbridge/coder' })
    await openai.chat.completions.create(body)
    expect(openings.map((opening) => opening.caller.agent)).toEqual(['coder', 'default'])
    const error = await apiError(openai.chat.completions.create({ ...body, model: 'gpt-5' }))
    expect(error).toMatchObject({ status: 400, code: 'unknown_agent', param: 'model', type: 'invalid_request_error' })
    expect(error.message).toContain('drawbridge, drawbridge/default, drawbridge/coder')
  })

  test('models are listed and found by id', async () => {
    const { client } = start({})
    const openai = await client()
    const listed = await openai.models.list()
    expect(listed.data.map((model) => model.id)).toEqual(['drawbridge', 'drawbridge/default', 'drawbridge/coder'])
    expect(await openai.models.retrieve('drawbridge/coder')).toMatchObject({ id: 'drawbridge/coder', object: 'model' })
    expect(await apiError(openai.models.retrieve('gpt-5'))).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('the session is the header, else user, else none', async () => {
    const byUser = start({})
    await byUser.app.inject({ method: 'POST', url: '/v1/chat/completions', payload: { ...body, user: 'ada' } })
    await byUser.app.inject({ method: 'POST', url: '/v1/chat/completions', payload: { ...body, user: '' } })
    expect(byUser.openings.map((opening) => opening.caller.session)).toEqual(['ada', undefined])
    const byHeader = start({}, { session: 's1' })
    await byHeader.app.inject({ method: 'POST', url: '/v1/chat/completions', payload: { ...body, user: 'ada' } })
    expect(byHeader.openings[0]?.caller.session).toBe('s1')
  })

  test('fields that we do not read go to the provider, ours do not', async () => {
    const model = aModel(says('ok'))
    const { app } = start({ provider: model })
    const payload = {
      ...body,
      temperature: 0,
      max_tokens: 9,
      made_up: { x: 1 },
      n: 1,
      stream: null,
      tools: null,
      user: 'u',
    }
    await app.inject({ method: 'POST', url: '/v1/chat/completions', payload })
    expect(model.asked[0]?.parameters).toEqual({ temperature: 0, max_tokens: 9, made_up: { x: 1 } })
  })
})

describe('bad input', () => {
  test.each([
    [{ ...body, messages: [] }, 'messages', 'invalid_request'],
    [{ messages }, 'model', 'invalid_request'],
    [{ ...body, n: 2 }, 'n', 'unsupported_parameter'],
    [{ ...body, functions: [] }, 'functions', 'unsupported_parameter'],
    [{ ...body, messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role', 'invalid_request'],
    [{ ...body, messages: [{ role: 'user' }] }, 'messages[0].content', 'invalid_request'],
    [
      { ...body, messages: [...messages, { role: 'tool', content: 'x' }] },
      'messages[1].tool_call_id',
      'invalid_request',
    ],
    [
      { ...body, messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'x', arguments: 5 } }] }] },
      'messages[0].tool_calls[0].function.arguments',
      'invalid_request',
    ],
    [
      { ...body, messages: [...messages, { role: 'tool', content: 'x', tool_call_id: 'call_1' }] },
      'messages[1].tool_call_id',
      'invalid_history',
    ],
    [{ ...body, tools: [{ type: 'web_search' }] }, 'tools[0].type', 'unsupported_parameter'],
    [
      { ...body, tools: [{ type: 'function', function: { name: 'a b' } }] },
      'tools[0].function.name',
      'invalid_request',
    ],
    [{ ...body, tools: [openTab, openTab] }, 'tools[1].function.name', 'invalid_request'],
    [
      { ...body, tools: [openTab], tool_choice: { type: 'function', function: { name: 'close_tab' } } },
      'tool_choice.function.name',
      'invalid_request',
    ],
    [{ ...body, user: 'x'.repeat(300) }, 'user', 'invalid_request'],
  ])('is a 400 that names the field: %#', async (payload, param, code) => {
    const { app } = start({})
    const response = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload })
    expect(response.statusCode).toBe(400)
    expect(response.json().error).toMatchObject({ type: 'invalid_request_error', code, param })
    expect(response.json().error.message).toContain(param)
    expect(response.headers['x-request-id']).toBeDefined()
  })

  test('a body that is not JSON, not an object, or too large says so', async () => {
    const { app } = start({})
    const headers = { 'content-type': 'application/json' }
    const send = (payload: string) => app.inject({ method: 'POST', url: '/v1/chat/completions', headers, payload })
    expect((await send('{"model":')).json().error.code).toBe('invalid_json')
    expect((await send('[1]')).json().error.code).toBe('invalid_request')
    const large = await send(`{"x":"${'y'.repeat(20 * 1024 * 1024)}"}`)
    expect([large.statusCode, large.json().error.code]).toEqual([413, 'body_too_large'])
  })
})

describe('a turn that fails', () => {
  test.each([
    ['upstream_key_refused', 502, 'upstream_error'],
    ['upstream_timeout', 504, 'timeout_error'],
    ['context_length_exceeded', 400, 'invalid_request_error'],
  ] as const)('at once is answered with its own status, streaming or not: %s', async (code, status, type) => {
    const { client } = start({ provider: aModel(failing(new ProviderError('provider "x" failed', { code }))) })
    const openai = await client()
    for (const stream of [false, true]) {
      const error = await apiError(openai.chat.completions.create({ ...body, stream }))
      expect(error).toMatchObject({ status, code, type })
      expect(error.message).toContain('provider "x" failed')
    }
  })

  test('for its limit says when to ask again', async () => {
    const refused = new ProviderError('slow down', { code: 'upstream_rate_limited', retryAfterSeconds: 7 })
    const { app } = start({ provider: aModel(failing(refused)) })
    const response = await app.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      payload: { ...body, stream: true },
    })
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '7'])
  })

  test('in mid-stream ends the stream with an error frame and no [DONE], on which the openai client throws', async () => {
    const refused = new ProviderError('provider "x" broke off', { code: 'upstream_failed' })
    const { client, app } = start({ provider: aModel(failing(refused, 'Hel')) })
    const stream = await (await client()).chat.completions.create({ ...body, stream: true })
    const texts: string[] = []
    const error = await apiError(
      (async () => {
        for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content ?? '')
      })(),
    )
    expect(texts.join('')).toBe('Hel')
    expect(error.message).toContain('provider "x" broke off')
    const raw = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload: { ...body, stream: true } })
    expect(JSON.parse(framesOf(raw.body).at(-1) ?? '')).toEqual({
      error: { message: 'provider "x" broke off', type: 'upstream_error', code: 'upstream_failed' },
    })
  })

  test('by a defect shows the request id and nothing of the defect, before and within a stream', async () => {
    const { app } = start({
      provider: aModel(failing(new TypeError('secret detail')), failing(new TypeError('secret detail'), 'Hel')),
    })
    const early = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload: { ...body, stream: true } })
    const late = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload: { ...body, stream: true } })
    expect(early.statusCode).toBe(500)
    const errors = [early.json().error, JSON.parse(framesOf(late.body).at(-1) ?? '').error]
    expect(errors.map((error) => error.code)).toEqual(['internal_error', 'internal_error'])
    expect(errors[1].message).toContain(String(late.headers['x-request-id']))
    expect(early.body + late.body).not.toContain('secret detail')
  })

  test('to make a required call is a 502, or an error frame where text was already sent', async () => {
    const { app } = start({ provider: aModel(says('I would rather not.')) })
    const payload = { ...body, tools: [openTab], tool_choice: 'required' }
    const whole = await app.inject({ method: 'POST', url: '/v1/chat/completions', payload })
    expect([whole.statusCode, whole.json().error.code]).toEqual([502, 'tool_choice_unmet'])
    const streamed = await app.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      payload: { ...payload, stream: true },
    })
    expect(JSON.parse(framesOf(streamed.body).at(-1) ?? '').error.code).toBe('tool_choice_unmet')
  })
})

describe('a client that leaves', () => {
  test.each([
    ['before the first token of a stream', true, false],
    ['in mid-stream', true, true],
    ['while it waits for a whole answer', false, false],
  ])('%s cancels the model step', async (_when, stream, speaks) => {
    const asked = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<unknown>()
    const model = aModel((_request, signal) => speakThenWait({ speaks, asked, cancelled }, signal))
    const { url, turn } = start({ provider: model })
    const leave = new AbortController()
    const response = post(await url(), { ...body, stream }, leave.signal)
    response.catch(() => {})
    await asked.promise
    if (speaks) (await response).once('data', () => leave.abort())
    else leave.abort()
    expect(await cancelled.promise).toMatchObject({ name: 'AbortError' })
    await until(() => turn.log.some((event) => event.event === 'turn-finished' && event['end'] === 'cancelled'))
  })

  test('while its turn is being opened is not forgotten', async () => {
    const leave = new AbortController()
    const base = aChatApp({})
    const left = Promise.withResolvers<void>()
    const { url, app } = start(
      {},
      {
        openTurn: async () => {
          leave.abort()
          await left.promise
          return base.turn.deps
        },
      },
    )
    app.server.once('connection', (socket) => socket.once('close', () => setImmediate(left.resolve)))
    await expect(post(await url(), body, leave.signal)).rejects.toThrow('aborted')
    await until(() => base.turn.log.some((event) => event.event === 'turn-finished'))
    expect(base.turn.log.at(-1)).toMatchObject({ end: 'cancelled' })
  })

  test('cancels the tool call under way', async () => {
    const cancelled = Promise.withResolvers<void>()
    const leave = new AbortController()
    const presentation = aPresentation({
      handle: async (_call, signal) => {
        leave.abort()
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        cancelled.resolve()
        return aResult('cancelled', { isError: true })
      },
    })
    const { url } = start({ provider: aModel(calls(aCall('a', 'one'))), presentation })
    await expect(post(await url(), body, leave.signal)).rejects.toThrow('aborted')
    await cancelled.promise
  })

  test('while it reads nothing of a long stream ends the turn', async () => {
    const part = { kind: 'text' as const, text: 'x'.repeat(64 * 1024) }
    const model = aModel(async function* () {
      for (;;) yield part
    })
    const { url, turn } = start({ provider: model })
    const leave = new AbortController()
    const response = await post(await url(), { ...body, stream: true }, leave.signal)
    response.once('data', () => {
      response.pause()
      // Longer than it takes to fill the socket's buffers, so that the gateway waits for the reader.
      setTimeout(() => leave.abort(), 200)
    })
    await until(() => turn.log.some((event) => event.event === 'turn-finished'))
    expect(turn.log.at(-1)).toMatchObject({ event: 'turn-finished', end: 'cancelled' })
  })

  test('a gateway that stops ends the turns under way', async () => {
    const closing = new AbortController()
    const asked = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<unknown>()
    const model = aModel((_request, signal) => speakThenWait({ speaks: false, asked, cancelled }, signal))
    const { url } = start({ provider: model }, { closing: closing.signal })
    const response = post(await url(), body)
    await asked.promise
    const reason = new Error('the gateway stops')
    closing.abort(reason)
    expect(await cancelled.promise).toBe(reason)
    expect((await response).statusCode).toBe(503)
  })
})

function start(...given: Parameters<typeof aChatApp>): ChatApp {
  const app = aChatApp(...given)
  opened.push(app)
  return app
}

function failing(error: Error, text?: string): FakeStep {
  return async function* () {
    if (text !== undefined) yield { kind: 'text', text }
    throw error
  }
}

interface Waiting {
  readonly speaks: boolean
  readonly asked: PromiseWithResolvers<void>
  readonly cancelled: PromiseWithResolvers<unknown>
}

async function* speakThenWait(waiting: Waiting, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  signal.addEventListener('abort', () => waiting.cancelled.resolve(signal.reason))
  waiting.asked.resolve()
  if (waiting.speaks) yield { kind: 'text', text: 'Hel' }
  await waiting.cancelled.promise
  signal.throwIfAborted()
}

/** The response as soon as its head is there; rejects when the connection ends without one. */
function post(baseUrl: string, payload: object, signal?: AbortSignal) {
  const answer = Promise.withResolvers<IncomingMessage>()
  const headers = { 'content-type': 'application/json' }
  const sent = httpRequest(`${baseUrl}/chat/completions`, { method: 'POST', headers, ...(signal && { signal }) })
  sent.on('response', (response) => {
    response.setEncoding('utf8')
    // Leaving breaks it off, which is what these tests do.
    response.on('error', () => {})
    answer.resolve(response)
  })
  sent.on('error', answer.reject)
  sent.end(JSON.stringify(payload))
  return answer.promise
}

function framesOf(text: string): readonly string[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => frame.slice('data: '.length))
}

async function apiError(answer: Promise<unknown>): Promise<APIError> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof APIError)) throw new TypeError('the request did not fail as an API', { cause: error })
  return error
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate)
}
