import { afterEach, expect, test } from 'vitest'
import type { Answer, FakeUpstream } from '../fixtures/fake-upstream.ts'
import { delta, sendChunks, sendJson, startEvents, startFakeUpstream } from '../fixtures/fake-upstream.ts'
import { createOpenAiChatProvider } from '../openai-chat.ts'
import type { Provider } from '../provider.ts'

const opened: FakeUpstream[] = []
afterEach(async () => {
  for (const upstream of opened.splice(0)) await upstream.close()
})

async function against(answer: Answer): Promise<{ readonly upstream: FakeUpstream; readonly provider: Provider }> {
  const upstream = await startFakeUpstream(answer)
  opened.push(upstream)
  return {
    upstream,
    provider: createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl, retries: 0 }),
  }
}

async function step(provider: Provider, parameters: Readonly<Record<string, number>> = {}): Promise<void> {
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }], tools: [], parameters }
  const events = provider.step(request, new AbortController().signal)[Symbol.asyncIterator]()
  while ((await events.next()).done !== true) continue
}

const streamed =
  (...events: readonly object[]): Answer =>
  (response) => {
    startEvents(response)
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
  }

test.each<[string, object, string]>([
  ['Gemini', [{ error: { code: 400, message: 'no such field', status: 'INVALID_ARGUMENT' } }], 'no such field'],
  ['FastAPI', { detail: [{ loc: ['body', 'seed'], msg: 'extra input' }] }, 'body.seed: extra input'],
  ['FastAPI in words', { detail: 'no template' }, 'no template'],
  ['a bare message', { message: 'no template', type: 'x' }, 'no template'],
  ['Mistral', { object: 'error', message: { detail: [{ msg: 'extra input' }] } }, 'extra input'],
  ['Cloudflare', { success: false, errors: [{ code: 7, message: 'no such model' }] }, 'no such model'],
  ['an error that is a text', { error: 'no template' }, 'no template'],
  [
    'OpenRouter',
    { error: { message: 'Provider returned error', code: 400, metadata: { raw: 'tools are off' } } },
    'Provider returned error: tools are off',
  ],
])('a refusal in the form of %s keeps its words', async (_who, body, words) => {
  const { provider } = await against((response) => sendJson(response, { status: 422, body }))
  await expect(step(provider)).rejects.toMatchObject({
    code: 'upstream_refused_request',
    message: `provider "up" refused or failed the model step (422): ${words}`,
  })
})

test.each<[string, object]>([
  ['llama.cpp', { error: { code: 400, message: 'the request is larger', type: 'exceed_context_size_error' } }],
  [
    'vLLM',
    { object: 'error', message: "This model's maximum context length is 4096 tokens. However, you …", code: 400 },
  ],
  ['Anthropic', { error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000' } }],
  ['Gemini', [{ error: { code: 400, message: 'The input token count (9) exceeds the maximum number allowed (8).' } }]],
  ['LM Studio', { error: 'Number of tokens to keep is greater than the context length. Load a larger one.' }],
])('a context that is too long for %s is told apart', async (_who, body) => {
  const { provider } = await against((response) => sendJson(response, { status: 400, body }))
  await expect(step(provider)).rejects.toMatchObject({ code: 'context_length_exceeded' })
})

test('a refusal that goes on without end is not read to it', async () => {
  const { provider } = await against((response) => {
    response.writeHead(400, { 'content-type': 'text/plain' })
    const timer = setInterval(() => response.write('x'.repeat(64 * 1024)), 1)
    response.on('close', () => clearInterval(timer))
  })
  await expect(step(provider)).rejects.toMatchObject({ code: 'upstream_refused_request' })
})

test('a long wait in milliseconds is handed on at once too', async () => {
  const { upstream } = await against((response) =>
    sendJson(response, { status: 429, body: {}, headers: { 'retry-after-ms': '30500' } }),
  )
  const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl })
  await expect(step(provider)).rejects.toMatchObject({ code: 'upstream_rate_limited', retryAfterSeconds: 31 })
  expect(upstream.seen).toHaveLength(1)
})

test('a model that refuses one name of the bound is given the other, and is asked by it from then on', async () => {
  const message = "Unsupported parameter: 'max_tokens' is not supported with this model."
  const { upstream, provider } = await against((response, { body }) =>
    body['max_tokens'] === undefined
      ? sendChunks(response, [delta({}, 'stop')])
      : sendJson(response, { status: 400, body: { error: { message, param: 'max_tokens' } } }),
  )
  await step(provider, { max_tokens: 3 })
  await step(provider, { max_tokens: 4 })
  const bounds = upstream.seen.map(({ body }) => [body['max_tokens'], body['max_completion_tokens']])
  expect(bounds).toEqual([
    [3, undefined],
    [undefined, 3],
    [undefined, 4],
  ])
})

test('a server that refuses to count tokens is asked without', async () => {
  const { upstream, provider } = await against((response, { body }) =>
    body['stream_options'] === undefined
      ? sendChunks(response, [delta({}, 'stop')])
      : sendJson(response, { status: 422, body: { detail: [{ loc: ['body', 'stream_options'], msg: 'extra' }] } }),
  )
  await step(provider)
  await step(provider)
  expect(upstream.seen.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false])
})

test('what may go well the next time is asked again before a word has come', async () => {
  const miswritten = {
    error: { message: 'Failed to call a function.', code: 'tool_use_failed', failed_generation: '<' },
  }
  const fails: readonly Answer[] = [
    (response) => sendJson(response, { status: 400, body: miswritten }),
    streamed(miswritten),
    streamed(delta({}, 'function_call_filter: MALFORMED_FUNCTION_CALL')),
    streamed({ error: { code: 502, message: 'Provider returned error' } }),
    streamed(),
    (response) => response.writeHead(200).write(': ok\n\n', () => response.destroy()),
  ]
  const attempts = fails.map(async (fail) => {
    const upstream = await startFakeUpstream((response, request, attempt) =>
      attempt === 0 ? fail(response, request, attempt) : sendChunks(response, [delta({ content: 'a' }, 'stop')]),
    )
    opened.push(upstream)
    await step(createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl, retries: 1 }))
    return upstream.seen.length
  })
  expect(await Promise.all(attempts)).toEqual(fails.map(() => 2))
})

test.each<[string, Answer]>([
  ['what fails behind a word', streamed(delta({ content: 'a' }), { error: { code: 502, message: 'broke' } })],
  ['a refusal', streamed({ error: { code: 400, message: 'no such tool' } })],
  ['an answer without a word', streamed(delta({}, 'stop'))],
])('%s is not', async (_what, answer) => {
  const upstream = await startFakeUpstream(answer)
  opened.push(upstream)
  const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl, retries: 1 })
  await step(provider).catch(() => 'failed')
  expect(upstream.seen).toHaveLength(1)
})

test('a server that refuses both names of the bound is asked by each once', async () => {
  const { upstream, provider } = await against((response) =>
    sendJson(response, { status: 400, body: { error: 'neither max_tokens nor max_completion_tokens' } }),
  )
  await expect(step(provider, { max_tokens: 3 })).rejects.toMatchObject({ code: 'upstream_refused_request' })
  expect(upstream.seen).toHaveLength(2)
})

test('a refusal of something else is not asked again', async () => {
  const { upstream, provider } = await against((response) =>
    sendJson(response, { status: 400, body: { error: { message: 'seed is not known' } } }),
  )
  await expect(step(provider, { max_tokens: 3, seed: 1 })).rejects.toMatchObject({ code: 'upstream_refused_request' })
  expect(upstream.seen).toHaveLength(1)
})
