import { afterEach, expect, test } from 'vitest'
import type { Answer, FakeUpstream } from './fixtures/fake-upstream.ts'
import { delta, startFakeUpstream } from './fixtures/fake-upstream.ts'
import { createOpenAiChatProvider } from './openai-chat.ts'
import type { ModelEvent } from './provider.ts'

const opened: FakeUpstream[] = []
afterEach(async () => {
  for (const upstream of opened.splice(0)) await upstream.close()
})

async function stepOf(answer: Answer): Promise<readonly ModelEvent[]> {
  const upstream = await startFakeUpstream(answer)
  opened.push(upstream)
  const provider = createOpenAiChatProvider({ name: 'up', baseUrl: upstream.baseUrl, retries: 0 })
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
