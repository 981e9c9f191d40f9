import { expect, test } from 'vitest'
import { fitAnswer as fit, takesStreams } from './fit-answer.ts'

const ANSWER = { jsonrpc: '2.0', id: 1, result: { ok: true } }
const NOTE = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }
const QUESTION = { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} }
const SESSION = { 'mcp-session-id': 's1' }

const aStream = (...messages: readonly object[]): Response =>
  new Response(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...SESSION },
  })
const someJson = (status = 200): Response => Response.json(ANSWER, { status, headers: SESSION })

const fitAnswer = (response: Response, accept: string | undefined) => fit(response, accept, () => {})
const typeOf = (response: Response): string | null => response.headers.get('content-type')

test.each(['application/json', 'application/json;q=0.9', '*/*', undefined, ''])(
  'a client that says %j gets an answer as one JSON text',
  async (accept) => {
    const fitted = await fitAnswer(aStream(NOTE, QUESTION, ANSWER), accept)
    expect([fitted.status, typeOf(fitted), fitted.headers.get('mcp-session-id')]).toEqual([
      200,
      'application/json',
      's1',
    ])
    expect(await fitted.json()).toEqual(ANSWER)
    expect(typeOf(await fitAnswer(someJson(), accept))).toBe('application/json')
  },
)

test.each(['text/event-stream', 'Text/Event-Stream; q=1'])('one that says %j gets a stream', async (accept) => {
  const fitted = await fitAnswer(someJson(), accept)
  expect([typeOf(fitted), fitted.headers.get('mcp-session-id')]).toEqual(['text/event-stream', 's1'])
  expect(await fitted.text()).toBe(`data: ${JSON.stringify(ANSWER)}\n\n`)
  const stream = aStream(NOTE, ANSWER)
  expect(await fitAnswer(stream, accept)).toBe(stream)
})

test.each(['application/json, text/event-stream', 'text/event-stream, */*'])(
  'one that says %j gets what the server gave',
  async (accept) => {
    for (const response of [someJson(), aStream(NOTE, ANSWER)]) expect(await fitAnswer(response, accept)).toBe(response)
  },
)

test('an error of HTTP, and an answer without a body, stay as they are', async () => {
  for (const response of [someJson(404), new Response(null, { status: 202 })]) {
    expect(await fitAnswer(response, 'text/event-stream')).toBe(response)
    expect(await fitAnswer(response, 'application/json')).toBe(response)
  }
})

test('what a client that reads no streams is asked is told of, what another is asked is not', async () => {
  const unheard: string[] = []
  const fitted = (accept: string) => fit(aStream(NOTE, QUESTION, ANSWER), accept, ({ method }) => unheard.push(method))
  await fitted('application/json, text/event-stream')
  expect(unheard).toEqual([])
  await fitted('application/json')
  expect(unheard).toEqual(['sampling/createMessage'])
})

test('a stream that breaks off before its answer is an error', async () => {
  const fitted = await fitAnswer(aStream(NOTE), 'application/json')
  expect([fitted.status, JSON.stringify(await fitted.json())]).toEqual([502, expect.stringContaining('broken off')])
})

test('a stream without another form is for who takes it', () => {
  expect(['text/event-stream', '*/*', 'text/*', undefined].map(takesStreams)).toEqual([true, true, true, true])
  expect(['application/json', 'text/html', 'x-text/event-stream'].map(takesStreams)).toEqual([false, false, false])
})
