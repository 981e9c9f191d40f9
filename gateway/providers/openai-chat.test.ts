import { LLMock } from '@copilotkit/aimock'
import { afterEach, describe, expect, test } from 'vitest'
import type { Answer, FakeUpstream } from './fixtures/fake-upstream.ts'
import { delta, sendChunks, sendJson, startEvents, startFakeUpstream } from './fixtures/fake-upstream.ts'
import type { OpenAiChatOptions } from './openai-chat.ts'
import { createOpenAiChatProvider } from './openai-chat.ts'
import type { ModelEvent, ModelRequest, Provider } from './provider.ts'
import { ProviderError } from './provider.ts'

const opened: FakeUpstream[] = []
afterEach(async () => {
  for (const upstream of opened.splice(0)) await upstream.close()
})

describe('what a server streams', () => {
  test('text arrives delta by delta and ends with the finish reason and usage', async () => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'Hel' }),
        delta({ content: 'lo' }),
        delta({}, 'stop'),
        {
          choices: [],
          usage: {
            prompt_tokens: 7,
            completion_tokens: 2,
            total_tokens: 9,
            prompt_tokens_details: { cached_tokens: 5 },
          },
        },
      ]),
    )
    expect(events).toEqual([
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
      {
        kind: 'finish',
        reason: 'stop',
        usage: { promptTokens: 7, completionTokens: 2, totalTokens: 9, cachedPromptTokens: 5 },
      },
    ])
  })

  test('argument fragments of interleaved calls are joined by index', async () => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        callDelta({ index: 0, id: 'a', function: { name: 'one', arguments: '' } }),
        callDelta({ index: 1, id: 'b', function: { name: 'two', arguments: '{"y"' } }),
        callDelta({ index: 0, function: { arguments: '{"x":1}' } }),
        callDelta({ index: 1, function: { arguments: ':2}' } }),
        delta({}, 'tool_calls'),
      ]),
    )
    expect(callsOf(events)).toEqual([
      ['a', 'one', '{"x":1}'],
      ['b', 'two', '{"y":2}'],
    ])
    expect(events.at(-1)).toEqual({ kind: 'finish', reason: 'tool_calls' })
  })

  test('parallel calls that all bear index 0 stay apart, with their ids', async () => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        callDelta({ index: 0, id: 'call_x', function: { name: 'get_time', arguments: '{"city":"Rome"}' } }),
        callDelta({ index: 0, id: 'call_y', function: { name: 'get_time', arguments: '{"city":"Oslo"}' } }),
        delta({}, 'stop'),
      ]),
    )
    expect(callsOf(events)).toEqual([
      ['call_x', 'get_time', '{"city":"Rome"}'],
      ['call_y', 'get_time', '{"city":"Oslo"}'],
    ])
  })

  test('identical parallel calls at index 0 without ids are two calls with ids of their own', async () => {
    const same = callDelta({ index: 0, function: { name: 'roll_dice', arguments: '{}' } })
    const { events } = await stepAgainst((response) => sendChunks(response, [same, same, delta({}, 'stop')]))
    const calls = callsOf(events)
    expect(calls.map(([, name, args]) => [name, args])).toEqual([
      ['roll_dice', '{}'],
      ['roll_dice', '{}'],
    ])
    expect(new Set(calls.map(([id]) => id)).size).toBe(2)
    expect(calls.every(([id]) => id.length > 0 && id.length <= 40)).toBe(true)
  })

  test.each([
    ['functions.tool_search_code', 'tool_search_code'],
    ['default_api.open_tab', 'open_tab'],
    [' tool_call<|channel|>commentary', 'tool_call'],
    ['tools.search', 'tools.search'],
    ['functions.', 'functions.'],
  ])('what a chat template left around the name %j is taken off', async (sent, name) => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        callDelta({ index: 0, id: 'a', function: { name: sent, arguments: '{}' } }),
        delta({}, 'tool_calls'),
      ]),
    )
    expect(callsOf(events)).toEqual([['a', name, '{}']])
  })

  test('a fragment without id and index goes on with the call before', async () => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        callDelta({ index: 0, id: 'a', function: { name: 'one', arguments: '{"q":' } }),
        callDelta({ function: { arguments: '"x"}' } }),
        delta({}, 'tool_calls'),
      ]),
    )
    expect(callsOf(events)).toEqual([['a', 'one', '{"q":"x"}']])
  })

  test('id and name repeated in every fragment stay one call', async () => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        callDelta({ index: 0, id: 'a', function: { name: 'one', arguments: '{"q"' } }),
        callDelta({ index: 0, id: 'a', function: { name: 'one', arguments: ':1}' } }),
        delta({}, 'tool_calls'),
      ]),
    )
    expect(callsOf(events)).toEqual([['a', 'one', '{"q":1}']])
  })

  test('one id for two calls is made unique', async () => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        callDelta({ index: 0, id: 'same', function: { name: 'one', arguments: '{}' } }),
        callDelta({ index: 1, id: 'same', function: { name: 'two', arguments: '{}' } }),
        delta({}, 'tool_calls'),
      ]),
    )
    const calls = callsOf(events)
    expect(calls.map(([, name]) => name)).toEqual(['one', 'two'])
    expect(new Set(calls.map(([id]) => id)).size).toBe(2)
  })

  test('"stop" with tool calls is tool_calls, and an empty list of calls is none', async () => {
    const withCall = await stepAgainst((response) =>
      sendChunks(response, [
        callDelta({ index: 0, id: 'a', function: { name: ' one ', arguments: '' } }),
        delta({}, 'stop'),
      ]),
    )
    expect(withCall.events.at(-1)).toEqual({ kind: 'finish', reason: 'tool_calls' })
    // The name is trimmed, and no arguments are an empty object.
    expect(callsOf(withCall.events)).toEqual([['a', 'one', '{}']])
    const without = await stepAgainst((response) =>
      sendChunks(response, [delta({ content: 'Hi', tool_calls: [] }), delta({ tool_calls: [] }, 'tool_calls')]),
    )
    expect(without.events).toEqual([
      { kind: 'text', text: 'Hi' },
      { kind: 'finish', reason: 'stop' },
    ])
  })

  test('a call in the form from before there were several is a call, and its loose line breaks are mended', async () => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        delta({ function_call: { name: 'one', arguments: '' } }),
        delta({ function_call: { arguments: '{"code": "a\n' } }),
        delta({ function_call: { arguments: 'b"}' } }),
        delta({}, 'function_call'),
      ]),
    )
    expect(callsOf(events)).toEqual([[expect.stringMatching(/^call_/), 'one', '{"code": "a\\nb"}']])
    expect(events.at(-1)).toEqual({ kind: 'finish', reason: 'tool_calls' })
  })

  test('[DONE] alone, or a finish reason alone, ends the step', async () => {
    const done = [`data: ${JSON.stringify(delta({ content: 'Hi' }))}\n\ndata: [DONE]\n\n`]
    const finish = [`data: ${JSON.stringify(delta({ content: 'Hi' }, 'stop'))}\n\n`]
    for (const [text] of [done, finish]) {
      const { events } = await stepAgainst((response) => {
        startEvents(response)
        response.end(text)
      })
      expect(events).toEqual([
        { kind: 'text', text: 'Hi' },
        { kind: 'finish', reason: 'stop' },
      ])
    }
  })

  test.each([
    ['text', { content: 'Hi' }],
    [
      'a whole call',
      { content: 'Hi', tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }] },
    ],
  ])('a stream of %s that ends with neither was cut off: what came stays, and no call is made', async (_what, part) => {
    const upstream = await start((response) => {
      startEvents(response)
      response.end(`data: ${JSON.stringify(delta(part))}\n\n`)
    })
    const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl })
    const events: ModelEvent[] = []
    const reading = async (): Promise<void> => {
      for await (const event of provider.step(aRequest(), new AbortController().signal)) events.push(event)
    }
    await expect(reading()).rejects.toMatchObject({
      name: 'ProviderError',
      code: 'upstream_failed',
      message:
        'provider "up" was cut off in the middle of its answer: its stream ended with neither a finish_reason nor [DONE]; ask again',
    })
    expect(events).toEqual([{ kind: 'text', text: 'Hi' }])
  })

  test('a whole completion instead of a stream is taken as it is', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'one', arguments: { x: 1 } } }
    const { events } = await stepAgainst((response) =>
      sendJson(response, {
        status: 200,
        body: {
          choices: [{ index: 0, message: { content: 'Hm', tool_calls: [call] }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 2 },
        },
      }),
    )
    expect(callsOf(events)).toEqual([['a', 'one', '{"x":1}']])
    expect(events.at(-1)).toEqual({
      kind: 'finish',
      reason: 'tool_calls',
      usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
    })
  })

  test('a thought signature comes with its call and goes back with it', async () => {
    const extra = { google: { thought_signature: 'c2lnbmF0dXJl' } }
    const { events, upstream } = await stepAgainst((response) =>
      sendChunks(response, [
        callDelta({ index: 0, id: 'a', extra_content: extra, function: { name: 'one', arguments: '{}' } }),
        delta({}, 'stop'),
      ]),
    )
    const call = events.flatMap((event) => (event.kind === 'tool-call' ? [event.call] : []))
    expect(call[0]?.extra_content).toEqual(extra)
    const provider = createOpenAiChatProvider({ name: 'gemini', baseUrl: upstream.baseUrl })
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: call },
      { role: 'tool', tool_call_id: 'a', content: '' },
    ] as const
    await drain(provider, { ...aRequest(), messages })
    expect(upstream.seen[1]?.body['messages']).toEqual(messages)
  })

  test('reasoning comes with the calls that it led to, and is no text', async () => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        delta({ reasoning_content: 'I need ', reasoning_details: [{ type: 'reasoning.text', text: 'I' }] }),
        delta({ reasoning_content: 'the time.', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] }),
        callDelta({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }),
        delta({}, 'tool_calls'),
      ]),
    )
    expect(events.map((event) => event.kind)).toEqual(['tool-call', 'finish'])
    expect(events.at(-1)).toMatchObject({
      reasoning: {
        reasoning_content: 'I need the time.',
        reasoning_details: [
          { type: 'reasoning.text', text: 'I' },
          { type: 'reasoning.encrypted', data: 'x' },
        ],
      },
    })
    const answered = await stepAgainst((response) =>
      sendChunks(response, [delta({ reasoning_content: 'hm' }), delta({ content: 'Hi' }, 'stop')]),
    )
    expect(answered.events).toEqual([
      { kind: 'text', text: 'Hi' },
      { kind: 'finish', reason: 'stop' },
    ])
  })

  test('a call that the token limit cut off is dropped, and the step ends for its length', async () => {
    const { events } = await stepAgainst((response) =>
      sendChunks(response, [
        callDelta({ index: 0, id: 'a', function: { name: 'one', arguments: '{"text":"abc' } }),
        delta({}, 'length'),
      ]),
    )
    expect(events).toEqual([{ kind: 'finish', reason: 'length' }])
  })

  test('content in parts gives its text only', async () => {
    const parts = [
      { type: 'thinking', thinking: [] },
      { type: 'text', text: 'Hi' },
    ]
    const { events } = await stepAgainst((response) => sendChunks(response, [delta({ content: parts }, 'stop')]))
    expect(events[0]).toEqual({ kind: 'text', text: 'Hi' })
  })
})

describe('what is sent', () => {
  test('parameters go as given, tools in their wire form, and nothing of our client', async () => {
    const { upstream } = await stepAgainst((response) => sendChunks(response, [delta({ content: 'x' }, 'stop')]), {
      request: {
        tools: [{ name: 'one', description: 'first', parameters: { type: 'object' } }],
        toolChoice: 'required',
        parameters: { max_completion_tokens: 5, temperature: 0, parallel_tool_calls: false },
      },
      options: { apiKey: 'sk-secret', headers: { 'x-title': 'Drawbridge' } },
    })
    expect(upstream.seen[0]?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      max_completion_tokens: 5,
      temperature: 0,
      parallel_tool_calls: false,
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'one', description: 'first', parameters: { type: 'object' } } }],
      tool_choice: 'required',
    })
    expect(upstream.seen[0]?.headers).toMatchObject({ authorization: 'Bearer sk-secret', 'x-title': 'Drawbridge' })
  })

  test('steps one after another use one connection, although the server ends its answers late', async () => {
    const upstream = await start((response) => {
      startEvents(response)
      response.write(`data: ${JSON.stringify(delta({ content: 'x' }, 'stop'))}\n\ndata: [DONE]\n\n`)
      setTimeout(() => response.end(), 20)
    })
    const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl })
    for (let step = 0; step < 4; step += 1) {
      await drain(provider, aRequest())
      // A tool runs between two steps.
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(upstream.seen).toHaveLength(4)
    expect(upstream.connections()).toBe(1)
  })

  test('without tools neither a list nor a choice is sent, and without a key no authorization', async () => {
    const { upstream } = await stepAgainst((response) => sendChunks(response, [delta({ content: 'x' }, 'stop')]), {
      request: { toolChoice: 'none', parameters: { parallel_tool_calls: true } },
      options: { streamUsage: false },
    })
    expect(Object.keys(upstream.seen[0]?.body ?? {}).toSorted()).toEqual(['messages', 'model', 'stream'])
    expect(upstream.seen[0]?.headers.authorization).toBeUndefined()
  })
})

test('a mock server that others keep takes our requests', async () => {
  const mock = new LLMock({ port: 0 })
  mock.onMessage('weather', { toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }] })
  mock.onMessage('hello', { content: 'Hi there!' })
  await mock.start()
  try {
    const provider = createOpenAiChatProvider({ name: 'mock', baseUrl: `${mock.url}/v1`, apiKey: 'k' })
    const tools = [{ name: 'get_weather', description: 'weather', parameters: { type: 'object' } }]
    const asked = await drain(provider, aRequest({ messages: [{ role: 'user', content: 'weather' }], tools }))
    expect(callsOf(asked).map(([, name, args]) => [name, args])).toEqual([['get_weather', '{"city":"Oslo"}']])
    const said = await drain(provider, aRequest({ messages: [{ role: 'user', content: 'hello' }] }))
    expect(said.map((event) => (event.kind === 'text' ? event.text : '')).join('')).toBe('Hi there!')
    expect(said.at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' })
  } finally {
    await mock.stop()
  }
})

describe('what an upstream refuses', () => {
  test('a refused key names the provider and never the key', async () => {
    const body = { error: { message: 'Incorrect API key provided: sk-secret', code: 'invalid_api_key' } }
    const error = await failureOf((response) => sendJson(response, { status: 401, body: body }), {
      apiKey: 'sk-secret',
    })
    expect(error.code).toBe('upstream_key_refused')
    expect(error.message).toContain('provider "up" refused its key (401)')
    expect(JSON.stringify([error.message, error.cause, error.stack])).not.toContain('sk-secret')
  })

  test('a key that another error quotes is redacted', async () => {
    const body = { error: { message: 'project of sk-secret is suspended' } }
    const error = await failureOf((response) => sendJson(response, { status: 400, body: body }), {
      apiKey: 'sk-secret',
    })
    expect(error.code).toBe('upstream_refused_request')
    expect(error.message).toContain('project of [redacted] is suspended')
  })

  test('a context that is too long is told apart', async () => {
    const body = { error: { message: 'maximum context length is 8192 tokens', code: 'context_length_exceeded' } }
    const error = await failureOf((response) => sendJson(response, { status: 400, body: body }))
    expect(error.code).toBe('context_length_exceeded')
    expect(error.message).toContain('8192')
  })

  test('a short Retry-After is waited for, then asked again', async () => {
    const { events, upstream } = await stepAgainst(
      (response, _request, attempt) => {
        if (attempt === 0)
          sendJson(response, {
            status: 429,
            body: { error: { message: 'slow down' } },
            headers: { 'retry-after': '0' },
          })
        else sendChunks(response, [delta({ content: 'ok' }, 'stop')])
      },
      { options: { retries: 2 } },
    )
    expect(events[0]).toEqual({ kind: 'text', text: 'ok' })
    expect(upstream.seen).toHaveLength(2)
  })

  test('a long Retry-After is handed on at once instead of being waited for', async () => {
    const upstream = await start((response) =>
      sendJson(response, { status: 429, body: { error: { message: 'quota' } }, headers: { 'retry-after': '3600' } }),
    )
    const error = await rejection(createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl, retries: 2 }))
    expect(error.code).toBe('upstream_rate_limited')
    expect(error.retryAfterSeconds).toBe(3600)
    expect(upstream.seen).toHaveLength(1)
  })

  test('an error frame in the stream is a failure with the text so far kept apart', async () => {
    const upstream = await start((response) => {
      startEvents(response)
      response.write(`data: ${JSON.stringify(delta({ content: 'Hel' }))}\n\n`)
      response.end('data: {"error":{"message":"overloaded","code":503}}\n\n')
    })
    const texts: string[] = []
    const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl })
    const error = await rejection(provider, (event) => texts.push(event.kind === 'text' ? event.text : ''))
    expect(texts).toEqual(['Hel'])
    expect(error.code).toBe('upstream_failed')
    expect(error.message).toContain('overloaded')
  })

  test.each([
    ['not JSON', (response: Parameters<Answer>[0]) => response.end('data: {"choices":[{"delta"\n\n')],
    ['nothing at all', (response: Parameters<Answer>[0]) => response.end()],
    [
      'half a tool call',
      (response: Parameters<Answer>[0]) =>
        response.end(
          `data: ${JSON.stringify(callDelta({ index: 0, id: 'a', function: { name: 'one', arguments: '{"x' } }))}\n\ndata: [DONE]\n\n`,
        ),
    ],
  ])('a stream that is %s is an invalid answer', async (_what, write) => {
    const error = await failureOf((response) => {
      startEvents(response)
      write(response)
    })
    expect(error.code).toBe('upstream_invalid_answer')
  })

  test('a connection that breaks off in mid-stream is a failure, not an end', async () => {
    const error = await failureOf((response) => {
      startEvents(response)
      response.write(`data: ${JSON.stringify(delta({ content: 'Hel' }))}\n\n`, () => response.destroy())
    })
    expect(error.code).toBe('upstream_failed')
    expect(error.message).toContain('broke off')
  })

  test('a port where nothing listens is named', async () => {
    const upstream = await start(() => undefined)
    const { host } = new URL(upstream.baseUrl)
    await upstream.close()
    opened.length = 0
    const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl, retries: 0 })
    const error = await rejection(provider)
    expect(error.code).toBe('upstream_unreachable')
    expect(error.message).toContain(host)
    expect(error.message).toContain('ECONNREFUSED')
  })

  test.each([404, 500, 503, 504])('status %i has a code of its own kind', async (status) => {
    const error = await failureOf((response) =>
      sendJson(response, { status: status, body: { error: { message: 'no' } } }),
    )
    const codes = { 404: 'upstream_model_not_found', 504: 'upstream_timeout' } as const
    expect(error.code).toBe(status === 404 || status === 504 ? codes[status] : 'upstream_failed')
  })

  test('silence before and within an answer ends in a timeout and closes the socket', async () => {
    const before = await start(() => undefined)
    const options = { name: 'up', silenceMs: 400, retries: 2 }
    const early = await rejection(createOpenAiChatProvider({ ...options, baseUrl: before.baseUrl }))
    await before.left(0)
    const within = await start((response) => {
      startEvents(response)
      response.write(`data: ${JSON.stringify(delta({ content: 'Hel' }))}\n\n`)
    })
    const late = await rejection(createOpenAiChatProvider({ ...options, baseUrl: within.baseUrl }))
    await within.left(0)
    expect([early.code, late.code]).toEqual(['upstream_timeout', 'upstream_timeout'])
    expect([before.seen.length, within.seen.length]).toEqual([1, 1])
  })
})

describe('leaving', () => {
  test('an abort before the first byte and in mid-stream closes the socket and throws the reason', async () => {
    const reason = new Error('the client left')
    const first = new AbortController()
    const silent = await start(() => first.abort(reason))
    const early = drain(createOpenAiChatProvider({ name: 'up', baseUrl: silent.baseUrl }), aRequest(), first.signal)
    await expect(early).rejects.toBe(reason)
    await silent.left(0)
    const speaking = await start((response) => {
      startEvents(response)
      response.write(`data: ${JSON.stringify(delta({ content: 'Hel' }))}\n\n`)
    })
    const second = new AbortController()
    const provider = createOpenAiChatProvider({ name: 'up', baseUrl: speaking.baseUrl })
    const late = collect(provider, { signal: second.signal, onEvent: () => second.abort(reason) })
    await expect(late).rejects.toBe(reason)
    await speaking.left(0)
  })

  test('a consumer that breaks off closes the socket', async () => {
    const upstream = await start((response) => {
      startEvents(response)
      response.write(`data: ${JSON.stringify(delta({ content: 'Hel' }))}\n\n`)
    })
    const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl })
    for await (const event of provider.step(aRequest(), new AbortController().signal)) {
      expect(event).toEqual({ kind: 'text', text: 'Hel' })
      break
    }
    await upstream.left(0)
  })
})

function aRequest(request: Partial<ModelRequest> = {}): ModelRequest {
  return { model: 'm', messages: [{ role: 'user', content: 'hi' }], tools: [], parameters: {}, ...request }
}

function callDelta(call: object): object {
  return delta({ tool_calls: [call] })
}

async function start(answer: Answer): Promise<FakeUpstream> {
  const upstream = await startFakeUpstream(answer)
  opened.push(upstream)
  return upstream
}

async function stepAgainst(
  answer: Answer,
  given: { readonly request?: Partial<ModelRequest>; readonly options?: Partial<OpenAiChatOptions> } = {},
): Promise<{ readonly events: readonly ModelEvent[]; readonly upstream: FakeUpstream }> {
  const upstream = await start(answer)
  const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl, retries: 0, ...given.options })
  return { events: await drain(provider, aRequest(given.request)), upstream }
}

async function failureOf(answer: Answer, options: Partial<OpenAiChatOptions> = {}): Promise<ProviderError> {
  const upstream = await start(answer)
  return rejection(createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl, retries: 0, ...options }))
}

async function rejection(provider: Provider, onEvent: (event: ModelEvent) => void = () => {}): Promise<ProviderError> {
  const end = await collect(provider, { onEvent }).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(end instanceof ProviderError)) throw new TypeError('the step did not fail as a provider', { cause: end })
  return end
}

async function collect(
  provider: Provider,
  given: { readonly signal?: AbortSignal; readonly onEvent?: (event: ModelEvent) => void },
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of provider.step(aRequest(), given.signal ?? new AbortController().signal)) {
    events.push(event)
    given.onEvent?.(event)
  }
  return events
}

async function drain(
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of provider.step(request, signal)) events.push(event)
  return events
}

function callsOf(events: readonly ModelEvent[]): readonly (readonly [string, string, string])[] {
  return events.flatMap((event) =>
    event.kind === 'tool-call'
      ? [[event.call.id, event.call.function.name, event.call.function.arguments] as const]
      : [],
  )
}
