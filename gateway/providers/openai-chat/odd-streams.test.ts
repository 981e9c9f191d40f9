import { afterEach, expect, test } from 'vitest'
import type { Answer, FakeUpstream } from '../fixtures/fake-upstream.ts'
import { delta, startEvents, startFakeUpstream } from '../fixtures/fake-upstream.ts'
import { createOpenAiChatProvider } from '../openai-chat.ts'
import type { ModelEvent } from '../provider.ts'

const opened: FakeUpstream[] = []
afterEach(async () => {
  for (const upstream of opened.splice(0)) await upstream.close()
})

async function stepOf(answer: Answer, silenceMs = 10_000): Promise<readonly ModelEvent[]> {
  const upstream = await startFakeUpstream(answer)
  opened.push(upstream)
  const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl, retries: 0, silenceMs })
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }], tools: [], parameters: {} }
  const events: ModelEvent[] = []
  for await (const event of provider.step(request, new AbortController().signal)) events.push(event)
  return events
}

const streamed =
  (...events: readonly (object | string)[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const lines = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    response.end(`${lines.join('')}data: [DONE]\n\n`)
  }
const args = (text: string, id?: string) =>
  delta({ tool_calls: [{ index: 0, ...(id !== undefined && { id }), function: { name: 'act', arguments: text } }] })

test.each([
  [
    'sends words that keep the connection alive',
    streamed('ping', '', 'keep-alive', delta({ content: 'a' }), delta({}, 'stop')),
  ],
  [
    'sends several choices',
    streamed(
      {
        choices: [
          { index: 1, delta: { content: 'b' } },
          { index: 0, delta: { content: 'a' } },
        ],
      },
      delta({}, 'stop'),
    ),
  ],
  [
    'resets its connection once it has said why it finished',
    (response) => {
      startEvents(response)
      const lines = [delta({ content: 'a' }), delta({}, 'stop')].map((each) => `data: ${JSON.stringify(each)}\n\n`)
      response.write(lines.join(''), () => response.destroy())
    },
  ],
  ['writes a space behind its end', streamed(delta({ content: 'a' }), delta({}, 'stop'), '[DONE] ')],
])('a server that %s is read as any other', async (_what, answer) => {
  expect(await stepOf(answer)).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'finish', reason: 'stop' },
  ])
})

test.each([
  [
    'all that came before with each part',
    [args('{"city":', 'c'), args('{"city":"Os', 'c'), args('{"city":"Oslo"}', 'c')],
  ],
  ['the whole once more at the end', [args('{"city":"Oslo"}', 'c'), args('{"city":"Oslo"}', 'c')]],
])('arguments of which a server sends %s arrive once', async (_what, parts) => {
  const [call] = await stepOf(streamed(...parts, delta({}, 'tool_calls')))
  expect(call).toMatchObject({ kind: 'tool-call', call: { id: 'c', function: { arguments: '{"city":"Oslo"}' } } })
})

test('a server that makes an id for every fragment makes one call', async () => {
  const more = delta({ tool_calls: [{ index: 0, id: 'd', function: { arguments: '"Oslo"}' } }] })
  const events = await stepOf(streamed(args('{"city":', 'c'), more, delta({}, 'tool_calls')))
  expect(events).toMatchObject([
    { kind: 'tool-call', call: { id: 'c', function: { arguments: '{"city":"Oslo"}' } } },
    { kind: 'finish' },
  ])
})

test('calls that nothing tells apart but that they came in one list are each made', async () => {
  const twice = [{ function: { name: 'act', arguments: '' } }, { function: { name: 'act', arguments: '' } }]
  const events = await stepOf(streamed(delta({ tool_calls: twice }), delta({}, 'tool_calls')))
  expect(events.map(({ kind }) => kind)).toEqual(['tool-call', 'tool-call', 'finish'])
})

test.each<[string, Answer, RegExp]>([
  [
    'an error as an object of that kind',
    streamed({ object: 'error', message: 'the context is too long', code: 400 }),
    /\(400\): the context is too long$/,
  ],
  [
    'a web page',
    (response) => response.setHeader('content-type', 'text/html').end('<html>Welcome</html>'),
    /"up" answered with a web page; check that models\.providers\.up\.baseUrl/,
  ],
  [
    'a page of a proxy that failed',
    (response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<html><h1>Unavailable</h1></html>'),
    /failed the model step \(503\)$/,
  ],
])('%s is told as what it is', async (_what, answer, message) => {
  await expect(stepOf(answer)).rejects.toThrow(message)
})

test('a server that is silent once it has said why it finished has given the whole answer', async () => {
  const silent: Answer = (response) => {
    startEvents(response)
    for (const each of [delta({ content: 'a' }), delta({}, 'length')])
      response.write(`data: ${JSON.stringify(each)}\n\n`)
  }
  expect(await stepOf(silent, 700)).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'finish', reason: 'length' },
  ])
})

test('comments show that somebody is there', async () => {
  const slow: Answer = (response) => {
    startEvents(response)
    let beats = 0
    const timer = setInterval(() => {
      beats += 1
      if (beats < 7) return void response.write(': processing\n\n')
      clearInterval(timer)
      response.end(`data: ${JSON.stringify(delta({ content: 'a' }, 'stop'))}\n\ndata: [DONE]\n\n`)
    }, 130)
  }
  expect(await stepOf(slow, 800)).toContainEqual({ kind: 'text', text: 'a' })
})

test.each([
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['SAFETY', 'content_filter'],
  ['end_turn', 'stop'],
] as const)('the reason %s means %s', async (word, reason) => {
  const events = await stepOf(streamed(delta({ content: 'a' }), delta({}, word)))
  expect(events.at(-1)).toEqual({ kind: 'finish', reason })
})

test.each(['error', 'insufficient_system_resource', 'abort', 'function_call_filter: MALFORMED_FUNCTION_CALL'])(
  'an answer that a server ends with %j is no answer, and no call of it is made',
  async (word) => {
    const broken = stepOf(streamed(args('{"city":"Oslo"}', 'c'), delta({}, word)))
    await expect(broken).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining(`finish_reason ${JSON.stringify(word)}`),
    })
  },
)

test('a call that the token limit cut off behind its name is not made, and one that wants no arguments is', async () => {
  expect(await stepOf(streamed(args('', 'c'), delta({}, 'length')))).toEqual([{ kind: 'finish', reason: 'length' }])
  const [call] = await stepOf(streamed(args('', 'c'), delta({}, 'tool_calls')))
  expect(call).toMatchObject({ kind: 'tool-call', call: { function: { name: 'act', arguments: '{}' } } })
})
