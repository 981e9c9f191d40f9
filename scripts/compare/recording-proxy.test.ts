import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { startRecordingProxy } from './recording-proxy.ts'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

test('a request goes through byte for byte, is recorded, and its answer streams back', async () => {
  const target = await startTarget()
  const proxy = await startRecordingProxy(target)
  closers.push(() => proxy.close())
  const body = '{"tools":[ ],"text":"blåbær"}'
  const answer = await fetch(`${proxy.url}/v1/chat/completions?x=1`, { method: 'POST', body })
  expect(await answer.text()).toBe(`/v1/chat/completions?x=1 ${body}`)
  expect(answer.status).toBe(201)
  expect(proxy.take()).toEqual([{ path: '/v1/chat/completions?x=1', body: Buffer.from(body) }])
  expect(proxy.take()).toEqual([])
})

test('a target that is gone is a 502', async () => {
  const proxy = await startRecordingProxy('http://127.0.0.1:1')
  closers.push(() => proxy.close())
  expect((await fetch(proxy.url, { method: 'POST', body: '{}' })).status).toBe(502)
})

/** Answers with what it got. */
async function startTarget(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: string[] = []
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => chunks.push(chunk))
    request.on('end', () => response.writeHead(201).end(`${request.url ?? ''} ${chunks.join('')}`))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closers.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  )
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
