import type { RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { answerHandshake, serveHttp } from '../../fixtures/http-servers.ts'
import { startSource, statusOf, until } from '../../fixtures/recorded-source.ts'

interface Oddity {
  /** The first event of the stream. */
  readonly endpoint?: string
  /** How a call is taken; what it is answered goes over the stream all the same. */
  readonly onCall?: (response: ServerResponse) => unknown
}

/** A server of HTTP with SSE by hand, with one oddity. */
function older({ endpoint = '/messages', onCall }: Oddity): RequestListener {
  let stream: ServerResponse | undefined
  return (request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void response.write(endpoint === '' ? ': nothing\n\n' : `event: endpoint\ndata: ${endpoint}\n\n`)
    }
    if (request.url !== '/messages') return response.writeHead(405).end()
    return void text(request).then((body) => {
      const { id, method, answer } = answerHandshake(body)
      if (method === 'tools/call' && onCall !== undefined) return onCall(response)
      response.writeHead(202).end()
      const result = { content: [{ type: 'text', text: 'done' }] }
      if (id !== undefined) stream?.write(`data: ${JSON.stringify(answer ?? { jsonrpc: '2.0', id, result })}\n\n`)
      return undefined
    })
  }
}

const CONNECT = { connectMs: 500, backoffFirstMs: 60_000, backoffMaxMs: 60_000 }

test.each([
  [
    'leads elsewhere',
    'http://127.0.0.1:9/messages',
    /HTTP status 405; by the older transport \(SSE\): Endpoint origin/,
  ],
  ['leads nowhere', '', /HTTP status 405; by the older transport \(SSE\): the server did not answer in time/],
])('of a stream that %s it is told what was wrong with it', async (_what, endpoint, reason) => {
  await using server = await serveHttp(older({ endpoint }))
  await using recorded = startSource({ servers: { older: { url: server.url } }, timing: CONNECT })
  await until(() => statusOf(recorded.source, 'older')?.state.kind === 'down')
  expect(statusOf(recorded.source, 'older')?.lastError).toMatch(reason)
})

test.each([
  ['at once', ''],
  ['after a comment', ': welcome\n\n'],
])(
  'a server that opens its stream to a POST too, and names the other address %s, is spoken to as it can be',
  async (_when, before) => {
    const streams: ServerResponse[] = []
    await using server = await serveHttp((request, response) => {
      const place = new URL(request.url ?? '', 'http://here').searchParams.get('stream')
      if (place === null) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        return void response.write(`${before}event: endpoint\ndata: /?stream=${streams.push(response) - 1}\n\n`)
      }
      return void text(request).then((body) => {
        const { id, answer } = answerHandshake(body)
        response.writeHead(202).end()
        const result = { content: [{ type: 'text', text: 'done' }] }
        const said = JSON.stringify(answer ?? { jsonrpc: '2.0', id, result })
        if (id !== undefined) streams[Number(place)]?.write(`data: ${said}\n\n`)
        return undefined
      })
    })
    await using recorded = startSource({ servers: { older: { url: server.url } } })
    await recorded.ready('older')
    expect(await recorded.text('older', 'act')).toBe('done')
    expect(statusOf(recorded.source, 'older')?.transport).toBe('sse')
  },
)

test('a call that is refused ends with what was said of it', async () => {
  const refusing = older({ onCall: (response) => response.writeHead(500).end('{"detail":"the disk is full"}') })
  await using server = await serveHttp(refusing)
  await using recorded = startSource({ servers: { older: { url: server.url } } })
  await recorded.ready('older')
  const call = recorded.call('older', 'act')
  await expect(call).rejects.toMatchObject({ code: 'protocol-error' })
  await expect(call).rejects.toThrow('HTTP status 500: the disk is full')
  expect(statusOf(recorded.source, 'older')?.transport).toBe('sse')
})
